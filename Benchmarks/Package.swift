// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Benchmarks",
    dependencies: [.package(name: "NLCoreData", path: "..")],
    targets: [
        .systemLibrary(name: "RawSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "AllocationCount"),
        .executableTarget(
            name: "Benchmarks",
            dependencies: ["RawSQLite", "AllocationCount", .product(name: "CoreData", package: "NLCoreData")],
            resources: [.copy("Bench.xcdatamodeld")],
            swiftSettings: [.swiftLanguageMode(.v6)],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "NLCoreData")]
        ),
    ]
)
