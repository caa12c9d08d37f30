import CoreData
import Testing

/// Named by the models below, and by nothing that would register it.
final class Thing: NSManagedObject {}

@Suite("Finding and reading models", .serialized)
final class ModelDiscoveryTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("models-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func write(_ attributes: [String], at path: String) throws {
        let version = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        let lines = attributes.map { "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>" }.joined()
        let text = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
            <entity name="Thing" representedClassName="Thing">\(lines)</entity></model>
            """
        try text.write(to: version.appendingPathComponent("contents"), atomically: true, encoding: .utf8)
    }

    @Test("Of resource bundles beside one another, the program's own comes first")
    func ownBundleFirst() {
        let folders = ["Shop_App", "Shop_My-Tool", "Shop_Zoo"].map { URL(fileURLWithPath: "/build/\($0).resources") }
        #expect(ModelDiscovery.ordered(folders, for: "Zoo").map(\.lastPathComponent).first == "Shop_Zoo.resources")
        #expect(ModelDiscovery.ordered(folders, for: "My-Tool").map(\.lastPathComponent).first == "Shop_My-Tool.resources")
        #expect(ModelDiscovery.ordered(folders, for: "swiftpm-testing-helper") == folders)
    }

    @Test("A model is found by name in a bundle, at its root or in a folder, and read")
    func byName() throws {
        try write(["a"], at: "Shop.xcdatamodeld/Shop.xcdatamodel")
        try write(["b"], at: "inner/Stock.xcdatamodel")
        let bundle = try #require(Bundle(path: folder.path))
        let shop = try #require(ModelDiscovery.url(forModelNamed: "Shop", bundle: bundle))
        #expect(shop.lastPathComponent == "Shop.xcdatamodeld")
        #expect(try NSManagedObjectModel(reading: shop).entities[0].attributesByName.keys.sorted() == ["a"])
        #expect(ModelDiscovery.url(forModelNamed: "Stock", bundle: bundle)?.lastPathComponent == "Stock.xcdatamodel")
        #expect(ModelDiscovery.url(forModelNamed: "Nowhere-\(UUID())", bundle: bundle) == nil)
        #expect(NSManagedObjectModel.mergedModel(from: [bundle]) == nil, "both declare Thing, in different ways")
    }

    @Test("A bare class name is looked for in the target whose resource bundle holds the model, whatever underscores it has", arguments: [
        ("Package_CoreDataTests.resources", true), ("My_Own_Package_CoreDataTests.resources", true), ("Package_Other.resources", false),
    ] as [(String, Bool)])
    func resourceTarget(bundle: String, isFound: Bool) throws {
        try write(["a"], at: "\(bundle)/Shop.xcdatamodel")
        let model = try NSManagedObjectModel(reading: folder.appendingPathComponent("\(bundle)/Shop.xcdatamodel"))
        #expect((model.entities[0].managedObjectClass() == Thing.self) == isFound)
    }

    @Test("Merging a bundle's models and finding the version of a store's metadata")
    func merged() throws {
        try write(["a"], at: "Shop.xcdatamodeld/Shop.xcdatamodel")
        try write(["a", "b"], at: "Shop.xcdatamodeld/Shop 2.xcdatamodel")
        let current = "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>Shop 2.xcdatamodel</string></dict></plist>"
        try current.write(to: folder.appendingPathComponent("Shop.xcdatamodeld/.xccurrentversion"), atomically: true, encoding: .utf8)
        let bundle = try #require(Bundle(path: folder.path))
        let newest = try #require(NSManagedObjectModel.mergedModel(from: [bundle]))
        #expect(newest.entities[0].attributesByName.count == 2)
        let versions = try NSManagedObjectModel.versions(at: folder.appendingPathComponent("Shop.xcdatamodeld"))
        let old = try #require(versions["Shop"])
        let metadata: [String: Any] = [NSStoreModelVersionHashesKey: old.entityVersionHashesByName]
        let found = try #require(NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata))
        #expect(found.entities[0].attributesByName.count == 1)
        #expect(NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: [:]) == nil)
    }

    @Test("A model that cannot be read is nil, or an error in Apple's domain that says file and remedy", arguments: [
        ("Missing.xcdatamodeld", nil, 260), ("Bad.xcdatamodel", "not xml", 259), ("Empty.xcdatamodel", "", 259),
        ("Type.xcdatamodel", "<model><entity name=\"A\"><attribute name=\"x\" attributeType=\"Colour\"/></entity></model>", 259),
        ("Dangling.xcdatamodel", "<model><entity name=\"A\"><relationship name=\"x\" destinationEntity=\"B\" deletionRule=\"Nullify\"/></entity></model>", 259),
    ] as [(String, String?, Int)])
    func unreadable(name: String, contents: String?, code: Int) throws {
        let url = folder.appendingPathComponent(name)
        if let contents {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            try contents.write(to: url.appendingPathComponent("contents"), atomically: true, encoding: .utf8)
        }
        #expect(NSManagedObjectModel(contentsOf: url) == nil)
        let error = try #require(throws: CocoaError.self) { _ = try NSManagedObjectModel(reading: url) }
        #expect(error.code.rawValue == code)
        #expect(error.localizedDescription.contains(name), "\(error.localizedDescription)")
    }
}
