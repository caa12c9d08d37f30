// swift-tools-version: 6.2
import PackageDescription

/// Every warning is an error, except the deprecations Foundation attaches to names we must mention.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .treatWarning("DeprecatedDeclaration", as: .warning),
]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = [], plugins: [Target.PluginUsage] = []) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: dependencies + ["TestProcess"], resources: resources, swiftSettings: strict, plugins: plugins)
}

#if os(Linux)
/// The engine: Core Data where Apple's does not exist. Floors, lowest first; imports go only downward (ARCHITECTURE.md).
let engine: [Target] = [
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),

    library("CoreDataSchema", ["CCrypto"]),
    library("SQLiteDriver", ["CSQLite"]),
    library("CoreDataPredicate", ["CoreDataSchema"]),
    library("CoreDataModelFile", ["CoreDataSchema", "CoreDataPredicate", "CZlib"]),
    library("CoreDataStorage", ["CoreDataSchema", "CoreDataPredicate"]),
    library("CoreDataSQLStorage", ["CoreDataSchema", "CoreDataPredicate", "CoreDataStorage", "SQLiteDriver", "CZlib"]),
    library("CoreDataGraph", ["CoreDataSchema", "CoreDataPredicate", "CoreDataStorage"]),
    library("CoreData", [
        "CoreDataSchema", "CoreDataPredicate", "CoreDataModelFile", "CoreDataStorage", "CoreDataSQLStorage", "CoreDataGraph",
    ]),
    library("CoreDataCodeGeneration", ["CoreDataSchema", "CoreDataPredicate", "CoreDataModelFile"]),
    .executableTarget(name: "coredata-generate", dependencies: ["CoreDataCodeGeneration"], swiftSettings: strict),
    .plugin(name: "CoreDataModelPlugin", capability: .buildTool(), dependencies: ["coredata-generate"]),
    .plugin(name: "CoreDataManagedPlugin", capability: .buildTool(), dependencies: ["coredata-generate"]),
    library("CoreDataCommand", [
        "CoreData", "CoreDataSchema", "CoreDataPredicate", "CoreDataModelFile", "CoreDataStorage", "CoreDataSQLStorage",
        "CoreDataGraph", "CoreDataCodeGeneration", "SQLiteDriver",
    ]),
    // Not in a folder of its name: `Sources/CoreData` would be the same folder where letters' case does not count.
    .executableTarget(name: "coredata", dependencies: ["CoreDataCommand"], path: "Sources/coredata-tool", swiftSettings: strict),
]
let engineTests: [Target] = [
    library("CoreDataTestSupport", ["CoreDataSchema", "CoreDataPredicate", "CoreDataStorage"]),
    tests("CoreDataSchema", ["CoreDataSchema", "CoreDataTestSupport"]),
    tests("SQLiteDriver", ["SQLiteDriver", "CoreDataTestSupport"]),
    tests("CoreDataPredicate", ["CoreDataPredicate", "CoreDataTestSupport"]),
    tests("CoreDataModelFile", ["CoreDataModelFile", "CoreDataTestSupport"]),
    tests("CoreDataStorage", ["CoreDataStorage", "CoreDataTestSupport"]),
    tests("CoreDataSQLStorage", ["CoreDataSQLStorage", "CoreDataModelFile", "SQLiteDriver", "CoreDataTestSupport"]),
    tests("CoreDataGraph", ["CoreDataGraph", "CoreDataTestSupport"]),
    tests("CoreData", ["CoreData", "CoreDataTestSupport", "CoreDataModelFile", "SQLiteDriver"]),
    // The benchmarks' counter: an executable's malloc comes before the C library's, and on Linux all tests are one executable.
    .target(name: "AllocationCounter", path: "Benchmarks/Sources/AllocationCount"),
    tests(
        "CoreDataCost", ["CoreData", "AllocationCounter"], resources: [.copy("Cost.xcdatamodeld")],
        plugins: [.plugin(name: "CoreDataModelPlugin")]),
    tests("GeneratedClasses", ["CoreData"], resources: [.copy("Golden.xcdatamodeld"), .copy("Library.xcdatamodeld"), .copy("Library.codegen.json")],
        plugins: [.plugin(name: "CoreDataModelPlugin")]),
    tests("CoreDataCodeGeneration", ["CoreDataCodeGeneration", "CoreDataModelFile", "CoreDataTestSupport"]),
    tests("CoreDataCommand", [
        "CoreDataCommand", "coredata", "CoreData", "CoreDataModelFile", "CoreDataSQLStorage", "SQLiteDriver", "CoreDataTestSupport",
    ]),
]
let coreData: [Target.Dependency] = ["CoreData"]
let generator: [Target.PluginUsage] = [.plugin(name: "CoreDataModelPlugin")]
let engineProducts: [Product] = [
    .library(name: "CoreData", targets: ["CoreData"]),
    .executable(name: "coredata-generate", targets: ["coredata-generate"]),
    .executable(name: "coredata", targets: ["coredata"]),
    .plugin(name: "CoreDataModelPlugin", targets: ["CoreDataModelPlugin"]),
    .plugin(name: "CoreDataManagedPlugin", targets: ["CoreDataManagedPlugin"]),
]
#else
/// On Apple's platforms the system's Core Data and Xcode's own code generation take the engine's place.
let engine: [Target] = []
let engineTests: [Target] = []
let coreData: [Target.Dependency] = []
let generator: [Target.PluginUsage] = []
let engineProducts: [Product] = []
#endif

/// Turns the confinement check on in every process that runs tests.
let testProcess = Target.target(name: "TestProcess", path: "Tests/TestProcess")

let package = Package(
    name: "NLCoreData",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: engineProducts + [.library(name: "NLCoreData", targets: ["NLCoreData"])],
    targets: engine + engineTests + [
        testProcess,
        library("NLCoreData", coreData),
        tests("CoreDataParity", coreData),
        tests("NLCoreData", ["NLCoreData"] + coreData, resources: [.copy("Office.xcdatamodeld")], plugins: generator),
    ]
)
