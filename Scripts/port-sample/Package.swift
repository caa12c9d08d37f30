// swift-tools-version: 6.2
import PackageDescription

/// An app's model layer as it is written for Apple's platforms: it compiles there, and after `coredata port Sources` everywhere.
let package = Package(
    name: "port-sample",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "NLCoreData", path: "../..")],
    targets: [
        .target(
            name: "Notes", dependencies: [.product(name: "CoreData", package: "NLCoreData")], resources: [.copy("Notes.xcdatamodeld")],
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(
            name: "NotesManaged", dependencies: ["Notes", .product(name: "CoreData", package: "NLCoreData")],
            plugins: [.plugin(name: "CoreDataManagedPlugin", package: "NLCoreData")]),
        .executableTarget(name: "App", dependencies: ["Notes", "NotesManaged"], swiftSettings: [.swiftLanguageMode(.v5)]),
    ]
)
