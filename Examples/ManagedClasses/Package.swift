// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "ManagedClasses",
    platforms: [.macOS(.v15)],
    products: [
        // Who links the classes links their companion: a library holds both.
        .library(name: "Shop", targets: ["Shop", "ShopManaged"]),
        .library(name: "ShopDynamic", type: .dynamic, targets: ["Shop", "ShopManaged"]),
    ],
    dependencies: [.package(name: "NLCoreData", path: "../..")],
    targets: [
        // Handwritten classes and their model.
        .target(
            name: "Shop",
            dependencies: [.product(name: "CoreData", package: "NLCoreData")],
            resources: [.copy("Shop.xcdatamodeld")]
        ),
        // Its source is written by the plugin: the accessors of Shop's @NSManaged declarations.
        .target(
            name: "ShopManaged",
            dependencies: ["Shop", .product(name: "CoreData", package: "NLCoreData")],
            plugins: [.plugin(name: "CoreDataManagedPlugin", package: "NLCoreData")]
        ),
        .testTarget(name: "ShopTests", dependencies: ["Shop", "ShopManaged"]),
        // Handwritten classes whose properties the plugin writes, and a model that the program holds itself.
        .target(
            name: "Archive",
            dependencies: [.product(name: "CoreData", package: "NLCoreData")],
            exclude: ["Archive.codegen.json"],
            resources: [.copy("Archive.xcdatamodeld")],
            plugins: [.plugin(name: "CoreDataModelPlugin", package: "NLCoreData")]
        ),
        .testTarget(name: "ArchiveTests", dependencies: ["Archive"]),
        // Two layers of classes, as mogenerator wrote them: Machine is made by `coredata generate`, Model is ours.
        .target(
            name: "Ledger",
            dependencies: [.product(name: "CoreData", package: "NLCoreData")],
            resources: [.copy("Ledger.xcdatamodeld")]
        ),
        .testTarget(name: "LedgerTests", dependencies: ["Ledger", .product(name: "NLCoreData", package: "NLCoreData")]),
    ]
)
