import CoreData
import CoreDataTestSupport
import Foundation
import SQLiteDriver
import Testing
@testable import CoreDataCommand

@Suite("coredata inspect")
struct InspectTests {
    /// Name, size and time of change of everything in a folder.
    static func listing(_ folder: URL) throws -> [String: String] {
        var found: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            let facts = try FileManager.default.attributesOfItem(atPath: folder.appendingPathComponent(name).path)
            found[name] = "\(facts[.size] ?? 0) \((facts[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0)"
        }
        return found
    }

    @Test("Entities, counts and facts of a store, as text and as JSON; nothing on disk changes")
    func summary() throws {
        let library = try Library()
        try library.fill()
        let before = try InspectTests.listing(library.folder.url)
        let text = coredata("inspect", library.path)
        #expect(text.code == 0 && text.errors.isEmpty)
        #expect(text.output.contains("Book       3"))
        #expect(text.output.contains("Model version   Library 1"))
        let json = try coredata("inspect", library.path, "--json").object()
        let entities = try #require(json["entities"] as? [[String: Any]])
        #expect(entities.map { $0["name"] as? String } == ["Author", "Book", "Novel", "Shelf"])
        #expect(entities.map { $0["rows"] as? Int } == [2, 3, 1, 1])
        #expect(entities[2]["parent"] as? String == "Book")
        #expect(json["uuid"] as? String == (try library.metadata()[NSStoreUUIDKey] as? String))
        #expect(json["journalMode"] as? String == "wal")
        #expect(json["history"] is NSNull)
        #expect(try InspectTests.listing(library.folder.url) == before)
    }

    @Test("What only the log beside a store has is counted, and log and folder stay as they are")
    func log() throws {
        let library = try Library()
        try library.fill()
        let copy = try TemporaryFolder()
        let connection = try SQLiteConnection(path: library.path, access: .readWrite)
        try connection.execute("INSERT INTO ZSHELF (Z_PK, Z_ENT, Z_OPT, ZLABEL) VALUES (9, 4, 1, 'new')")
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: library.path + suffix, toPath: copy.url.path + "/copy.sqlite" + suffix)
        }
        connection.close()
        let before = try InspectTests.listing(copy.url)
        #expect(before.count == 2)
        let json = try coredata("inspect", copy.file("copy.sqlite").path, "--json").object()
        #expect((json["entities"] as? [[String: Any]])?.last?["rows"] as? Int == 2)
        #expect(try InspectTests.listing(copy.url) == before)
    }

    @Test("A store in a folder nobody can write to")
    func readOnlyFolder() throws {
        let library = try Library()
        try library.fill()
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: library.folder.url.path)
        #expect(coredata("inspect", library.path).code == 0)
    }

    @Test("Every store of the corpus")
    func corpus() throws {
        let stores = Corpus.files(below: "corpus/stores") { ["sqlite", "moody", "original", "graphdb"].contains($0.pathExtension) }
        for store in stores {
            let copy = try TemporaryFolder()
            let target = copy.file(store.lastPathComponent).path
            for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.path + suffix) {
                try FileManager.default.copyItem(atPath: store.path + suffix, toPath: target + suffix)
            }
            let before = try InspectTests.listing(copy.url)
            let outcome = coredata("inspect", target, "--json")
            #expect(outcome.code == 0, "\(store.path): \(outcome.errors)")
            #expect(try !((outcome.object()["entities"] as? [Any]) ?? []).isEmpty)
            #expect(try InspectTests.listing(copy.url) == before)
        }
    }
}
