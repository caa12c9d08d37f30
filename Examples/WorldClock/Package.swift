// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "WorldClock",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "NLCoreData", path: "../..")],
    targets: [
        .executableTarget(
            name: "WorldClock",
            dependencies: [.product(name: "NLCoreData", package: "NLCoreData")],
            // The model travels beside the program, and the plugin writes its classes while the target is built.
            resources: [.copy("WorldClock.xcdatamodeld")],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "NLCoreData")]
        ),
        .testTarget(name: "WorldClockTests", dependencies: ["WorldClock"]),
    ]
)
