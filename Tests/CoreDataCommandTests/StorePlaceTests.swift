import CoreData
import CoreDataSQLStorage
import CoreDataTestSupport
import Foundation
import SQLiteDriver
import Testing
@testable import CoreDataCommand

/// Stores reached through links, and stores beside which a killed program left a journal.
@Suite("Where a store is, and what lies beside it")
struct StorePlaceTests {
    let library: Library

    init() throws {
        library = try Library()
        try library.fill()
    }

    private func link(_ name: String) throws -> String {
        let path = library.folder.file(name).path
        try FileManager.default.createDirectory(atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: library.path)
        return path
    }

    private var supports: [String] {
        get throws { return try FileManager.default.subpathsOfDirectory(atPath: library.folder.url.path).filter { $0.hasSuffix("_SUPPORT") }.sorted() }
    }

    @Test("Through a link everything is as it is through the store’s own path: external files, log, backup")
    func linked() throws {
        let sym = try link("elsewhere/sym.db"), long = Data(repeating: 9, count: 300_000).base64EncodedString()
        #expect(coredata("export", sym).output == coredata("export", library.path).output)
        let json = library.folder.file("more.json")
        try Data(#"{"Book": [{"title": "Long", "cover": "\#(long)"}]}"#.utf8).write(to: json)
        #expect(coredata("import", sym, json.path).code == 0)
        #expect(coredata("check", library.path).code == 0 && coredata("check", sym).code == 0)
        let folders = try supports
        #expect(folders == [".Library_SUPPORT"])
        // What only the log has is seen through the link too.
        let connection = try SQLiteConnection(path: library.path, access: .readWrite)
        try connection.execute("PRAGMA journal_mode=WAL; UPDATE ZBOOK SET ZAUTHOR = 99 WHERE ZTITLE = 'Third'")
        #expect(coredata("check", sym).output.contains("Book.author"))
        connection.close()
        let repaired = try coredata("check", sym, "--repair", "--json").object()
        let backup = try #require(repaired["backup"] as? String)
        #expect(coredata("fetch", backup, "Book", "--format", "csv", "--columns", "title,cover").output
            == coredata("fetch", library.path, "Book", "--format", "csv", "--columns", "title,cover").output)
        #expect(coredata("check", backup).output.contains("not there") && !coredata("check", backup).output.contains("file"))
        // A new store in the link’s place.
        let seeded = coredata("seed", library.modelPath, json.path, "-o", sym, "--force")
        #expect(seeded.code == 0, "\(seeded.errors)")
        #expect(coredata("check", library.path).code == 0)
        #expect(coredata("fetch", library.path, "Book", "--count").output == "1\n")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: sym) == library.path)
    }

    @Test("A coordinator writes the files of a linked store beside the store, and finds those that stand beside the link")
    func linkedCoordinator() throws {
        let sym = try link("elsewhere/sym.db")
        let files = library.folder.url.appendingPathComponent(".Library_SUPPORT")
        let beside = library.folder.file("elsewhere/.sym_SUPPORT")
        // As a program leaves it that takes the link for the store.
        try FileManager.default.moveItem(at: files, to: beside)
        func withStore<Result>(_ path: String, _ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
            let coordinator = NSPersistentStoreCoordinator(
                managedObjectModel: try NSManagedObjectModel(reading: URL(fileURLWithPath: library.modelPath)))
            let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path))
            #expect(store.url?.path == path)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            let result = try context.performAndWait { try body(context) }
            try coordinator.remove(store)
            return result
        }
        try withStore(sym) { (context: NSManagedObjectContext) throws -> Void in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: "title == 'Second'")
            let book = try #require(try context.fetch(request).first)
            #expect((book.value(forKey: "cover") as? Data)?.count == 200_000)
            let other = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
            other.setValue("Long", forKey: "title")
            other.setValue(Data(repeating: 3, count: 200_000), forKey: "cover")
            try context.save()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: StoreFiles.externalFolder(of: URL(fileURLWithPath: library.path)).path).count == 1)
        try withStore(library.path) { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(format: "title == 'Long'")
            let book = try context.fetch(request).first
            #expect((book?.value(forKey: "cover") as? Data)?.count == 200_000)
        }
        // A copy made through the link has both.
        let copy = library.folder.file("copy.sqlite")
        try StoreFiles.copy(from: URL(fileURLWithPath: sym), to: copy)
        #expect(coredata("check", copy.path).output == "Nothing found that is wrong.\n")
    }

    @Test("Destroying a store through a link takes the store with its files, and the link")
    func destroyed() throws {
        let sym = try link("elsewhere/sym.db")
        try StoreFiles.destroy(URL(fileURLWithPath: sym))
        #expect(try FileManager.default.subpathsOfDirectory(atPath: library.folder.url.path).filter { !$0.contains("xcdatamodel") } == ["elsewhere"])
    }

    /// Leaves a store as a program does that is killed while it writes with a rollback journal.
    private func leaveJournal() throws {
        let connection = try SQLiteConnection(path: library.path, access: .readWrite)
        try connection.execute("PRAGMA journal_mode=DELETE; CREATE TABLE IF NOT EXISTS FILLER (a); "
            + "INSERT INTO FILLER WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400) SELECT randomblob(1000) FROM n")
        connection.close()
        let other = library.folder.file("killed.sqlite").path
        let writer = try SQLiteConnection(path: library.path, access: .readWrite)
        try writer.execute("PRAGMA cache_size=1; PRAGMA cache_spill=1; BEGIN IMMEDIATE; UPDATE ZBOOK SET ZTITLE = 'lost'; UPDATE FILLER SET a = randomblob(1000)")
        for suffix in ["", "-journal"] { try FileManager.default.copyItem(atPath: library.path + suffix, toPath: other + suffix) }
        try writer.execute("ROLLBACK")
        writer.close()
        for suffix in ["", "-journal"] {
            try? FileManager.default.removeItem(atPath: library.path + suffix)
            try FileManager.default.moveItem(atPath: other + suffix, toPath: library.path + suffix)
        }
    }

    @Test("A transaction left in a rollback journal is undone in a copy: reading changes nothing, and writing goes on from there")
    func journal() throws {
        let before = coredata("export", library.path).output
        try leaveJournal()
        let files = try InspectTests.listing(library.folder.url)
        for words in [["export", library.path], ["check", library.path], ["inspect", library.path], ["fetch", library.path, "Book"]] {
            let outcome = run(words)
            #expect(outcome.code == 0, "\(words): \(outcome.errors)")
            if words[0] == "export" { #expect(outcome.output == before) }
        }
        #expect(try InspectTests.listing(library.folder.url) == files)
        let json = library.folder.file("more.json")
        try Data(#"{"Author": [{"name": "Cid"}]}"#.utf8).write(to: json)
        #expect(coredata("import", library.path, json.path).code == 0)
        #expect(coredata("fetch", library.path, "Book", "--where", "title == 'lost'", "--count").output == "0\n")
        #expect(coredata("fetch", library.path, "Author", "--count").output == "3\n")
    }

    @Test("A coordinator opens a store with a journal that was left")
    func journalCoordinator() throws {
        try leaveJournal()
        #expect(try library.metadata()["NSStoreType"] as? String == "SQLite")
        try library.withContext { context in
            let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
            #expect(count == 4)
        }
    }

    @Test("A stray file in a journal’s place does not make a store unreadable", arguments: ["garbage", "\0\0\0\0"])
    func strayJournal(_ text: String) throws {
        let before = coredata("export", library.path).output
        let connection = try SQLiteConnection(path: library.path, access: .readWrite)
        try connection.execute("PRAGMA journal_mode=DELETE")
        connection.close()
        try Data(text.utf8).write(to: URL(fileURLWithPath: library.path + "-journal"))
        let outcome = coredata("export", library.path)
        #expect(outcome.code == 0 && outcome.output == before, "\(outcome.errors)")
    }
}
