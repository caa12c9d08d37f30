import CoreData
import Testing

/// Models that cannot be used: the error names file, line where there is one, what is wrong, and what to do.
@Suite struct BadModelTests {
    private let folder: DiskFolder

    init() throws { folder = try DiskFolder() }

    private func failure(_ url: URL) throws -> NSError {
        let before = try folder.contents()
        let error = #expect(throws: (any Error).self) { try NSManagedObjectModel(reading: url) }
        #expect(NSManagedObjectModel(contentsOf: url) == nil)
        #expect(try folder.contents() == before)
        let failure = try #require(error) as NSError
        #expect(failure.domain == NSCocoaErrorDomain)
        #expect(failure.localizedDescription.hasPrefix(url.path), "which file: \(failure.localizedDescription)")
        return failure
    }

    /// A model whose fourth line is the first of `entities`.
    private func model(_ entities: String) throws -> URL {
        let url = folder.file("Shop.xcdatamodel")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        let text = """
            <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">

            \(entities)
            </model>
            """
        try Data(text.utf8).write(to: url.appendingPathComponent("contents"))
        return url
    }

    @Test("A sound model of this form is read, so that the others fail for what is wrong with them")
    func sound() throws {
        let url = try model(#"<entity name="Person"><attribute name="name" attributeType="String"/></entity>"#)
        #expect(try NSManagedObjectModel(reading: url).entities.map(\.name) == ["Person"])
    }

    @Test("A model that is not there", arguments: ["None.xcdatamodeld", "None.xcdatamodel", "None.momd", "None.mom"])
    func missing(_ name: String) throws {
        let error = try failure(folder.file(name))
        #expect(error.code == CocoaError.Code.fileReadNoSuchFile.rawValue)
        #expect(error.userInfo[NSFilePathErrorKey] as? String == folder.file(name).path)
    }

    @Test("A container for a model that is nowhere names the model")
    func container() throws {
        let error = #expect(throws: (any Error).self) { try NSPersistentContainer(validating: "NoSuchModel") }
        #expect(error?.localizedDescription.contains("NoSuchModel") == true)
    }

    @Test("What is not XML", arguments: ["", "not XML", "<model><entity></model>", "<html></html>", "\u{0}\u{1}\u{2}", "{\"entities\": []}"])
    func notXML(_ text: String) throws {
        let url = try model("")
        try Data(text.utf8).write(to: url.appendingPathComponent("contents"))
        #expect(try failure(url).code == CocoaError.Code.fileReadCorruptFile.rawValue)
    }

    @Test("A folder without a model in it, and a file in the place of one", arguments: ["Shop.xcdatamodeld", "Shop.xcdatamodel", "Shop.momd"])
    func shapes(_ name: String) throws {
        try FileManager.default.createDirectory(at: folder.file(name), withIntermediateDirectories: true)
        _ = try failure(folder.file(name))
        try FileManager.default.removeItem(at: folder.file(name))
        try Data("text".utf8).write(to: folder.file(name))
        _ = try failure(folder.file(name))
    }

    @Test("A mistake inside names the line and the thing", arguments: [
        (#"<entity name="Person"><attribute name="age" attributeType="Integer 7"/></entity>"#, 4, ["Integer 7", "age"]),
        (#"<entity name="Person"><attribute name="age"/></entity>"#, 4, ["age"]),
        ("<entity name=\"Person\">\n<relationship name=\"firm\" maxCount=\"1\" destinationEntity=\"Firn\"/>\n</entity>\n<entity name=\"Firm\"/>", 5, ["firm", "Firn"]),
        ("<entity name=\"Person\"/>\n<entity name=\"Person\"/>", 5, ["Person"]),
        ("<entity name=\"Person\">\n<attribute name=\"a\" attributeType=\"String\"/>\n<attribute name=\"a\" attributeType=\"String\"/>\n</entity>", 6, ["a"]),
        ("<entity name=\"Person\" parentEntity=\"Being\"/>", 4, ["Being"]),
        ("<entity name=\"A\" parentEntity=\"B\"/>\n<entity name=\"B\" parentEntity=\"A\"/>", 4, ["A", "B"]),
    ] as [(String, Int, [String])])
    func mistakes(_ entities: String, _ line: Int, _ names: [String]) throws {
        let text = try failure(try model(entities)).localizedDescription
        for name in names { #expect(text.contains(name), "\(text)") }
        #expect(text.contains(":\(line):"), "\(text)")
    }

    @Test("A program built in code with a dangling relationship is told by the throwing initialiser")
    func programmatic() throws {
        let entity = NSEntityDescription(), relationship = NSRelationshipDescription()
        entity.name = "Person"
        relationship.name = "firm"
        relationship.maxCount = 1
        entity.properties = [relationship]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let error = #expect(throws: (any Error).self) { try NSPersistentStoreCoordinator(validating: model) }
        #expect(error?.localizedDescription.contains("firm") == true)
    }
}
