import CoreData
import Testing

@Suite("Bad input: model files")
struct UnusableModelTests {
    /// A mistake in a model file and what its error must say.
    struct Mistake: Sendable, CustomTestStringConvertible {
        var name: String
        /// Path below the folder and contents; nil writes nothing.
        var file: (path: String, text: String)?
        var code: CocoaError.Code
        var parts: [String]
        var testDescription: String { name }
    }

    private static func source(_ body: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
        \(body)
        </model>
        """
    }

    private static let contents = "Shop.xcdatamodeld/Shop.xcdatamodel/contents"

    static let mistakes: [Mistake] = [
        Mistake(name: "missing", file: nil, code: .fileReadNoSuchFile, parts: ["Shop"]),
        Mistake(name: "an empty folder", file: ("Shop.xcdatamodeld/readme.txt", "later"), code: .fileReadCorruptFile, parts: ["Shop.xcdatamodeld"]),
        Mistake(name: "not XML", file: (contents, "{ \"entities\": [] }"), code: .fileReadCorruptFile, parts: ["contents", "XML"]),
        Mistake(name: "a merge conflict", file: (contents, source("<<<<<<< HEAD\n<entity name=\"A\"/>")), code: .fileReadCorruptFile, parts: ["contents:3"]),
        Mistake(name: "cut off", file: (contents, "<model>\n<entity name=\"A\">"), code: .fileReadCorruptFile, parts: ["contents:2"]),
        Mistake(
            name: "an unknown attribute type", file: (contents, source("<entity name=\"Item\">\n<attribute name=\"tint\" attributeType=\"Colour\"/>\n</entity>")),
            code: .fileReadCorruptFile, parts: ["contents:4", "Item.tint", "Colour"]),
        Mistake(
            name: "a dangling destination",
            file: (contents, source("<entity name=\"Item\">\n<relationship name=\"firm\" maxCount=\"1\" deletionRule=\"Nullify\" destinationEntity=\"Frim\"/>\n</entity>\n<entity name=\"Firm\"/>")),
            code: .fileReadCorruptFile, parts: ["contents:4", "firm", "Frim"]),
        Mistake(
            name: "a dangling inverse",
            file: (contents, source("<entity name=\"Item\">\n<relationship name=\"next\" maxCount=\"1\" deletionRule=\"Nullify\" destinationEntity=\"Item\" inverseName=\"prior\" inverseEntity=\"Item\"/>\n</entity>")),
            code: .fileReadCorruptFile, parts: ["contents:4", "next", "prior"]),
        Mistake(
            name: "a duplicate entity", file: (contents, source("<entity name=\"Item\"/>\n<entity name=\"Firm\"/>\n<entity name=\"Item\"/>")),
            code: .fileReadCorruptFile, parts: ["contents:5", "Item"]),
        Mistake(
            name: "an unknown parent", file: (contents, source("<entity name=\"Item\"/>\n<entity name=\"Book\" parentEntity=\"Itme\"/>")),
            code: .fileReadCorruptFile, parts: ["contents:4", "Book", "Itme"]),
        Mistake(
            name: "a default that is none of its type",
            file: (contents, source("<entity name=\"Item\">\n<attribute name=\"count\" attributeType=\"Integer 16\" defaultValueString=\"many\"/>\n</entity>")),
            code: .fileReadCorruptFile, parts: ["contents:4", "Item.count", "many"]),
        Mistake(
            name: "Xcode 3's format", file: ("Shop.xcdatamodeld/Shop.xcdatamodel/elements", "bplist00"), code: .fileReadCorruptFile,
            parts: ["Shop.xcdatamodel", "Xcode"]),
        Mistake(name: "a broken compiled model", file: ("Shop.mom", "bplist00 and no more"), code: .fileReadCorruptFile, parts: ["Shop.mom"]),
        Mistake(name: "a compiled model that is text", file: ("Shop.momd/Shop.mom", "<model/>"), code: .fileReadCorruptFile, parts: ["Shop.mom"]),
    ]

    private func write(_ mistake: Mistake, in folder: WatchedFolder) throws -> URL {
        guard let file = mistake.file else { return folder.file("Shop.xcdatamodeld") }
        try folder.write(file.text, to: file.path)
        return folder.file(String(file.path.prefix { $0 != "/" }))
    }

    @Test("A model file with a mistake is an error that says file, line and what to do", arguments: mistakes)
    func reading(mistake: Mistake) throws {
        let folder = try WatchedFolder()
        let url = try write(mistake, in: folder)
        let error = try folder.refusal { _ = try NSManagedObjectModel(reading: url) }
        #expect(error.code == mistake.code.rawValue)
        expect(error, says: mistake.parts + [folder.url.lastPathComponent])
        #expect(error.localizedDescription.hasSuffix("."), "\(error.localizedDescription)")
        let path = try #require(error.userInfo[NSFilePathErrorKey] as? String)
        #expect(path.hasPrefix(url.path))
        #expect(NSManagedObjectModel(contentsOf: url) == nil)
    }

    @Test("A container for such a model throws the same error, or says where it looked", arguments: mistakes)
    func container(mistake: Mistake) throws {
        let folder = try WatchedFolder()
        _ = try write(mistake, in: folder)
        let bundle = try #require(Bundle(path: folder.url.path))
        let error = try folder.refusal { _ = try NSPersistentContainer(validating: "Shop", bundle: bundle) }
        #expect(error.code == mistake.code.rawValue)
        expect(error, says: mistake.parts)
        if mistake.file == nil { expect(error, says: ["Shop.xcdatamodeld", folder.url.path, "resources: [.copy("]) }
    }

    @Test("A model built in code that contradicts itself is thrown by the coordinator")
    func programmatic() throws {
        let model = NSManagedObjectModel()
        let entities = ["Item", "Item"].map { name in
            let entity = NSEntityDescription()
            entity.name = name
            return entity
        }
        model.entities = entities
        expect(try cocoaError { _ = try NSPersistentStoreCoordinator(validating: model) }, says: ["Item"])
    }
}
