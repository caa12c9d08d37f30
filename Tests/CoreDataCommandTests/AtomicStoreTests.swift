import CoreData
import CoreDataTestSupport
import Foundation
import Testing
@testable import CoreDataCommand

@Suite("coredata with binary and XML stores")
struct AtomicStoreTests {
    let library: Library

    init() throws {
        library = try Library()
        try library.fill()
    }

    /// The library's store as one of another type.
    private func store(_ type: String) throws -> String {
        let url = library.folder.file("atomic.store")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try NSManagedObjectModel(reading: URL(fileURLWithPath: library.modelPath)))
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: library.path))
        coordinator.setMetadata(store.metadata.merging(["note": "kept"]) { $1 }, for: store)
        try coordinator.remove(try coordinator.migratePersistentStore(store, to: url, withType: type))
        return url.path
    }

    private var temporaries: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path)) ?? []).filter { $0.hasPrefix("coredata-") && $0.count == 45 }
    }

    @Test("Inspected, fetched and exported as SQLite stores are; the store stays byte for byte", arguments: [NSXMLStoreType, NSBinaryStoreType])
    func reading(type: String) throws {
        let path = try store(type), before = FileManager.default.contents(atPath: path), model = library.modelPath
        #expect(coredata("export", path, "--model", model).output == coredata("export", library.path, "--model", model).output)
        #expect(coredata("fetch", path, "Book", "--model", model, "--sort", "title").output == coredata("fetch", library.path, "Book", "--model", model, "--sort", "title").output)
        let summary = try coredata("inspect", path, "--model", model, "--json").object()
        #expect(summary["rows"] as? Int == 7 && summary["type"] as? String == type && (summary["metadata"] as? [String: Any])?["note"] as? String == "kept")
        let bare = coredata("inspect", path)
        #expect(bare.code == 0 && bare.output.contains("Author, Book, Novel, Shelf") && bare.output.contains("--model"), "\(bare.errors)")
        #expect(FileManager.default.contents(atPath: path) == before)
    }

    @Test("What makes no sense is refused by name, and so is a missing or a wrong model", arguments: [NSXMLStoreType, NSBinaryStoreType])
    func refused(type: String) throws {
        let path = try store(type), kind = type == NSXMLStoreType ? "an XML store" : "a binary store"
        for words in [["check", path], ["explain", path, "Book", "--model", library.modelPath], ["export", path], ["fetch", path, "Book"]] {
            let outcome = run(words)
            #expect(outcome.code == 3 && outcome.errors.contains(kind), "\(outcome.errors)")
        }
        let other = library.folder.file("Other.xcdatamodel")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        try Data(Library.model.replacing("<attribute name=\"genre\" optional=\"YES\"", with: "<attribute name=\"kind\"").utf8).write(to: other.appendingPathComponent("contents"))
        let outcome = coredata("export", path, "--model", other.path)
        #expect(outcome.code == 3 && outcome.errors.contains("Novel"), "\(outcome.errors)")
    }

    @Test("A damaged one is an error that says of which kind it is", arguments: [NSXMLStoreType, NSBinaryStoreType])
    func damaged(type: String) throws {
        let path = try store(type), url = URL(fileURLWithPath: path), whole = try Data(contentsOf: url)
        for cut in [whole.count / 2, 40, 20] {
            try whole.prefix(cut).write(to: url)
            for words in [["inspect", path, "--model", library.modelPath], ["export", path, "--model", library.modelPath], ["import", path, path, "--model", library.modelPath]] {
                let outcome = run(words)
                #expect(outcome.code == 3 && !outcome.errors.contains("SQLite database"), "\(cut) \(outcome.errors)")
            }
            #expect(try Data(contentsOf: url) == whole.prefix(cut))
        }
    }

    @Test("An import is written back: rows keep their keys, the store its UUID and metadata; a refused one changes nothing", arguments: [NSXMLStoreType, NSBinaryStoreType])
    func importing(type: String) throws {
        let path = try store(type), model = library.modelPath, data = library.folder.file("new.json"), before = FileManager.default.contents(atPath: path)
        func metadata() throws -> [String: Any] {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: URL(fileURLWithPath: path))
        }
        let uuid = try #require(try metadata()[NSStoreUUIDKey] as? String), old = coredata("fetch", path, "Author", "--model", model, "--columns", "$id,name", "--json").output
        try Data(#"{"Author": [{"name": null}]}"#.utf8).write(to: data)
        #expect(coredata("import", path, data.path, "--model", model).code == 4)
        try Data(#"{"Author": [{"name": "Cid", "$id": "c"}], "Book": [{"title": "New", "author": "c"}]}"#.utf8).write(to: data)
        #expect(coredata("import", path, data.path, "--model", model, "--dry-run").code == 0)
        #expect(FileManager.default.contents(atPath: path) == before)
        let outcome = coredata("import", path, data.path, "--model", model)
        #expect(outcome.code == 0 && outcome.output.hasPrefix("2 rows written to \(path)"), "\(outcome.errors)")
        #expect(try metadata()[NSStoreUUIDKey] as? String == uuid && metadata()["note"] as? String == "kept")
        let names = coredata("fetch", path, "Author", "--model", model, "--columns", "$id,name", "--json").output
        #expect(names.hasPrefix(old.dropLast(3)) && names.contains("Cid"), "\(names)")
        let books = coredata("fetch", path, "Book", "--model", model, "--where", "author.name == 'Cid'", "--columns", "title", "--format", "csv").output
        #expect(books == "title\nNew\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: library.folder.url.path).filter { $0.contains(".part") }.isEmpty)
    }
}
