import CoreDataModelFile
import CoreDataSchema
import Foundation
import Testing

@Suite("Models that cannot be used")
struct ModelFileErrorTests {
    private func failure(_ body: String) throws -> ModelFileError {
        let model = try TemporaryModel()
        return try failure(at: model.write(TemporaryModel.xml(body), to: "M.xcdatamodel/contents"))
    }

    private func failure(at url: URL) throws -> ModelFileError {
        do {
            _ = try ModelFile.read(at: url)
        } catch { return error }
        throw Missing()
    }

    private struct Missing: Error {}

    @Test("Each mistake is an error with the line of the mistake and the name to look for", arguments: [
        (#"<entity/>"#, 3, "no name"),
        ("<entity name=\"E\">\n<attribute attributeType=\"String\"/></entity>", 4, "“E” has no name"),
        ("<entity name=\"E\">\n<attribute name=\"a\" attributeType=\"Text\"/></entity>", 4, "“E.a” is of the unknown type “Text”"),
        ("<entity name=\"E\">\n<attribute name=\"a\"/></entity>", 4, "“E.a” has no type"),
        ("<entity name=\"E\">\n<attribute name=\"a\" attributeType=\"String\" optional=\"maybe\"/></entity>", 4, "neither YES nor NO"),
        ("<entity name=\"E\">\n<attribute name=\"a\" attributeType=\"Integer 16\" defaultValueString=\"many\"/></entity>", 4, "“many”"),
        ("<entity name=\"E\">\n<attribute name=\"a\" attributeType=\"Integer 16\" defaultValueString=\"40000\"/></entity>", 4, "32767"),
        ("<entity name=\"E\">\n<attribute name=\"a\" attributeType=\"Boolean\" defaultValueString=\"perhaps\"/></entity>", 4, "YES or NO"),
        ("<entity name=\"E\">\n<attribute name=\"a\" attributeType=\"Date\" defaultDateTimeInterval=\"today\"/></entity>", 4, "2001"),
        ("<entity name=\"E\">\n<attribute name=\"a\" attributeType=\"Decimal\" defaultValueString=\"1,5\"/></entity>", 4, "1,5"),
        ("<entity name=\"E\">\n<attribute name=\"a\" attributeType=\"Double\" minValueString=\"low\"/></entity>", 4, "minValueString"),
        ("<entity name=\"E\">\n<attribute name=\"a\" attributeType=\"Integer 64\" derived=\"YES\"/></entity>", 4, "no expression"),
        ("<entity name=\"E\">\n<relationship name=\"r\" deletionRule=\"Nullify\"/></entity>", 4, "no destination"),
        ("<entity name=\"E\">\n<relationship name=\"r\" deletionRule=\"Explode\" destinationEntity=\"E\"/></entity>", 4, "Explode"),
        ("<entity name=\"E\">\n<relationship name=\"r\" maxCount=\"lots\" toMany=\"YES\" destinationEntity=\"E\"/></entity>", 4, "whole number"),
        ("<entity name=\"E\">\n<fetchedProperty name=\"f\"/></entity>", 4, "no fetch request"),
        ("<entity name=\"E\">\n<fetchIndex name=\"f\">\n<fetchIndexElement/></fetchIndex></entity>", 5, "names no property"),
        ("<entity name=\"E\"/>\n<fetchRequest name=\"f\"/>", 4, "names no entity"),
        ("<entity name=\"E\"/>\n<fetchRequest name=\"f\" entity=\"F\"/>", 4, "“f” fetches “F”"),
        ("<entity name=\"E\">\n<fetchedProperty name=\"p\">\n<fetchRequest name=\"f\" entity=\"F\"/></fetchedProperty></entity>", 5, "“f” fetches “F”"),
        ("<entity name=\"E\"/>\n<configuration name=\"c\">\n<memberEntity/></configuration>", 5, "lacks its “name”"),
    ])
    func mistakes(body: String, line: Int, part: String) throws {
        let error = try failure(body)
        #expect(error.kind == .content)
        #expect(error.line == line)
        #expect(error.description.contains(part) && error.description.contains("contents:\(line): "), "\(error)")
        #expect(error.advice.hasSuffix("."))
    }

    @Test("References that lead nowhere name the line of the declaration", arguments: [
        ("<entity name=\"E\"/>\n<entity name=\"E\"/>", 4, ModelError.duplicateEntity("E")),
        ("<entity name=\"E\">\n<attribute name=\"a\" attributeType=\"String\"/>\n<relationship name=\"a\" destinationEntity=\"E\"/></entity>", 5,
         .duplicateProperty(entity: "E", property: "a")),
        ("<entity name=\"E\"><attribute name=\"a\" attributeType=\"String\"/></entity>\n<entity name=\"F\" parentEntity=\"E\">\n<attribute name=\"a\" attributeType=\"String\"/></entity>", 5,
         .duplicateProperty(entity: "F", property: "a")),
        ("<entity name=\"A\"/>\n<entity name=\"E\" parentEntity=\"Nowhere\"/>", 4, .unknownSuperentity(entity: "E", name: "Nowhere")),
        ("<entity name=\"A\"/>\n<entity name=\"E\" parentEntity=\"E\"/>", 4, .inheritanceCycle(entity: "E")),
        ("<entity name=\"E\">\n<relationship name=\"r\" destinationEntity=\"Nowhere\"/></entity>", 4,
         .unknownDestination(entity: "E", relationship: "r", destination: "Nowhere")),
        ("<entity name=\"E\">\n<relationship name=\"r\" destinationEntity=\"E\" inverseName=\"s\" inverseEntity=\"E\"/></entity>", 4,
         .unknownInverse(entity: "E", relationship: "r", inverse: "s")),
        ("<entity name=\"E\">\n<attribute name=\"a\" attributeType=\"Composite\" composite=\"P\"/></entity>", 4,
         .unknownComposite(entity: "E", attribute: "a", composite: "P")),
        ("<entity name=\"E\"/>\n<configuration name=\"c\"><memberEntity name=\"F\"/></configuration>", 4,
         .unknownConfigurationEntity(configuration: "c", entity: "F")),
    ])
    func references(body: String, line: Int, expected: ModelError) throws {
        let error = try failure(body)
        #expect(error.kind == .reference(expected))
        #expect(error.line == line, "\(error)")
        #expect(error.description.contains("contents:\(line): "))
    }

    @Test("Files that are no model say what they are instead")
    func otherFiles() throws {
        let model = try TemporaryModel()
        #expect(try failure(at: model.folder.appendingPathComponent("None.xcdatamodeld")).kind == .missing)
        #expect(try failure(at: model.folder).kind == .notAModel)
        #expect(try failure(at: model.write("not XML at all", to: "A.xcdatamodel/contents")).kind == .malformed)
        #expect(try failure(at: model.write("", to: "B.xcdatamodel/contents")).kind == .malformed)
        #expect(try failure(at: model.write("<plist/>", to: "C.xcdatamodel/contents")).kind == .notAModel)
        let torn = try failure(at: model.write("<model>\n<entity name=\"E\">\n</model>", to: "D.xcdatamodel/contents"))
        #expect(torn.kind == .malformed && torn.line == 3 && torn.description.contains("end tag"))
        let conflict = try failure(at: model.write("<model>\n<<<<<<< HEAD\n</model>", to: "G.xcdatamodel/contents"))
        #expect(conflict.kind == .malformed && conflict.line == 2)
        try model.write("bplist00", to: "F.xcdatamodel/elements")
        #expect(try failure(at: model.folder.appendingPathComponent("F.xcdatamodel")).kind == .obsoleteFormat)
        try model.write("x", to: "H.xcdatamodel/readme")
        #expect(try failure(at: model.folder.appendingPathComponent("H.xcdatamodel")).kind == .missing)
    }

    @Test("A default Apple's compiler drops is dropped with a warning that names the line")
    func warnings() throws {
        let contents = try TemporaryModel.read("<entity name=\"E\">\n<attribute name=\"a\" attributeType=\"UUID\" defaultValueString=\"none\"/></entity>")
        #expect(contents.current.entities[0].attributes[0].defaultValue == .null)
        #expect(contents.warnings.map(\.line) == [4])
    }
}
