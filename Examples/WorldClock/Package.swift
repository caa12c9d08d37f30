// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "WorldClock",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "NLCoreData", path: "../..")],
    targets: [
        // The parser of the zone tables, which knows nothing of Core Data.
        .target(name: "ZoneData"),
        .executableTarget(
            name: "WorldClock",
            dependencies: ["ZoneData", .product(name: "NLCoreData", package: "NLCoreData")],
            resources: [.copy("WorldClock.xcdatamodeld")],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "NLCoreData")]
        ),
        .testTarget(name: "ZoneDataTests", dependencies: ["ZoneData"]),
    ]
)
