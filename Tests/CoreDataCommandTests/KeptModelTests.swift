import CoreData
import CoreDataModelFile
import CoreDataSchema
import CoreDataTestSupport
import Foundation
import SQLiteDriver
import Testing
@testable import CoreDataCommand

@Suite("The model a store keeps")
struct KeptModelTests {
    private func schema(ofStore path: String) throws -> StoredModel { try StoredModel(URL(fileURLWithPath: path)) }

    /// A model file has its properties in any order, and says how generated classes look, which no archive does.
    private static func sorted(_ entities: [EntitySchema]) -> [EntitySchema] {
        entities.map { entity in
            var entity = entity
            entity.attributes.sort { $0.name < $1.name }
            for index in entity.attributes.indices { entity.attributes[index].usesScalar = nil }
            entity.relationships.sort { $0.name < $1.name }
            return entity
        }
    }

    @Test("A store made through NSPersistentStoreCoordinator keeps the whole model, and so does one made by seed")
    func kept() throws {
        let library = try Library()
        try library.fill()
        let json = library.folder.file("all.json"), seeded = library.folder.file("seeded.sqlite").path
        try Data(coredata("export", library.path, "--model", library.modelPath).output.utf8).write(to: json)
        let outcome = coredata("seed", library.modelPath, json.path, "-o", seeded)
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let model = try ModelInput.load(library.modelPath).schema
        for path in [library.path, seeded] {
            let stored = try schema(ofStore: path)
            #expect(stored.source == .modelCache)
            #expect(KeptModelTests.sorted(stored.schema.entities) == KeptModelTests.sorted(model.entities))
            #expect(try coredata("inspect", path, "--json").object()["carriesModel"] as? Bool == true)
            #expect(coredata("inspect", path).output.contains("kept in the store\n"))
            #expect(coredata("export", path).output == (try String(contentsOf: json, encoding: .utf8)))
        }
    }

    @Test("An empty store of a seed keeps its model too, and one of a configuration")
    func empty() throws {
        let library = try Library()
        let json = library.folder.file("none.json"), seeded = library.folder.file("empty.sqlite").path
        try Data("{}".utf8).write(to: json)
        #expect(coredata("seed", library.modelPath, json.path, "-o", seeded).code == 0)
        #expect(try schema(ofStore: seeded).source == .modelCache)
    }

    @Test("The models Apple kept are kept again by a store seeded with them", arguments: CorpusTransferTests.stores)
    func again(_ store: URL) throws {
        let folder = try TemporaryFolder()
        let source = folder.file(store.lastPathComponent), seeded = folder.file("seeded.sqlite").path, json = folder.file("none.json")
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.path + suffix) {
            try FileManager.default.copyItem(atPath: store.path + suffix, toPath: source.path + suffix)
        }
        let first = try StoredModel(source)
        guard first.source == .modelCache else { return }
        try Data("{}".utf8).write(to: json)
        let outcome = coredata("seed", source.path, json.path, "-o", seeded)
        #expect(outcome.code == 0, "\(outcome.errors)")
        if outcome.errors.isEmpty {
            let again = try schema(ofStore: seeded)
            #expect(again.source == .modelCache && again.schema.entities == first.schema.entities)
        } else {
            #expect(outcome.errors.hasPrefix("The store does not keep its model, for "), "\(outcome.errors)")
        }
    }

    /// Parts of a model of which no archive of Apple's was seen, and what is said of them.
    static let unknown: [(xml: String, why: String)] = [
        (#"<attribute name="a" optional="YES" attributeType="URI" defaultValueString="https://a.org"/>"#,
         "Thing.a has a default value of a kind that is not known there"),
        (#"<attribute name="a" optional="YES" attributeType="String" minValueString="2"/>"#,
         "Thing.a has a validation rule other than a number’s bounds"),
        (#"<attribute name="b" optional="YES" attributeType="String"/><attribute name="a" optional="YES" attributeType="String" "#
            + #"derived="YES" derivationExpression="canonical:(b)"/>"#, "Thing.a is a derived attribute"),
        (#"<relationship name="a" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Thing"/>"#,
         "Thing.a is a relationship without inverse"),
    ]

    @Test("A model that cannot be kept is left out, and seed and inspect say why", arguments: unknown.indices)
    func notKept(_ index: Int) throws {
        let folder = try TemporaryFolder(), part = KeptModelTests.unknown[index]
        let model = folder.file("T.xcdatamodel"), json = folder.file("none.json"), store = folder.file("T.sqlite").path
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data("""
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
              <entity name="Thing" representedClassName="Thing">\(part.xml)</entity>
            </model>
            """.utf8).write(to: model.appendingPathComponent("contents"))
        try Data("{}".utf8).write(to: json)
        let outcome = coredata("seed", model.path, json.path, "-o", store)
        #expect(outcome.code == 0 && outcome.errors.contains(part.why), "\(outcome.errors)")
        #expect(try schema(ofStore: store).source == .tables)
        #expect(coredata("inspect", store).output.contains("not kept in the store\n"))
        #expect(coredata("inspect", store, "--model", model.path).output.contains("not kept in the store: \(part.why)\n"))
        #expect(try coredata("inspect", store, "--model", model.path, "--json").object()["modelNotKeptBecause"] as? String == part.why)
    }

    @Test("A damaged copy is not called kept")
    func damaged() throws {
        let library = try Library()
        try library.fill()
        let connection = try SQLiteConnection(path: library.path, access: .readWrite)
        try connection.execute("UPDATE Z_MODELCACHE SET Z_CONTENT = x'0102'")
        connection.close()
        #expect(try coredata("inspect", library.path, "--json").object()["carriesModel"] as? Bool == false)
        #expect(coredata("inspect", library.path).output.contains("damaged"))
    }
}
