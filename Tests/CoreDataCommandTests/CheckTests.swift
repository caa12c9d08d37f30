import CoreDataTestSupport
import Foundation
import SQLiteDriver
import Testing
@testable import CoreDataCommand

@Suite("coredata check")
struct CheckTests {
    let library: Library

    init() throws {
        library = try Library()
        try library.fill()
    }

    func damage(_ sql: String) throws {
        let connection = try SQLiteConnection(path: library.path, access: .readWrite)
        try connection.execute(sql)
        connection.close()
    }

    func check(_ words: String...) throws -> (code: Int32, kinds: [String], json: [String: Any]) {
        let outcome = run(["check", library.path, "--model", library.modelPath, "--json"] + words)
        let json = try outcome.object()
        let findings = try #require(json["findings"] as? [[String: Any]])
        return (outcome.code, findings.map { "\($0["kind"] ?? "") \($0["place"] ?? "")" }, json)
    }

    @Test("A sound store: nothing found, nothing changed")
    func sound() throws {
        let before = try InspectTests.listing(library.folder.url)
        let found = try check()
        #expect(found.code == 0 && found.kinds.isEmpty, "\(found.kinds)")
        #expect(coredata("check", library.path, "--model", library.modelPath).output == "Nothing found that is wrong.\n")
        #expect(try InspectTests.listing(library.folder.url) == before)
    }

    /// SQL that damages, what is found, and what is left after a repair.
    static let damages: [(sql: String, found: [String], left: [String])] = [
        ("UPDATE ZBOOK SET ZAUTHOR = 99 WHERE ZTITLE = 'Third'", ["orphan Book.author"], []),
        ("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Book'", ["highestKey Book"], []),
        ("UPDATE ZBOOK SET Z_ENT = 77 WHERE ZTITLE = 'Third'", ["unknownEntity Book"], ["unknownEntity Book"]),
        ("UPDATE ZBOOK SET ZTITLE = NULL WHERE ZTITLE = 'Third'", ["requiredNil Book.title"], ["requiredNil Book.title"]),
        ("UPDATE ZBOOK SET Z2_SEQUEL = 3 WHERE ZSEQUEL IS NOT NULL", ["entityColumn Book.sequel"], []),
        ("UPDATE ZBOOK SET ZPREQUEL = NULL, Z2_PREQUEL = NULL", ["oneToOne Book.sequel"], []),
        ("UPDATE ZBOOK SET Z_OPT = NULL WHERE ZTITLE = 'Third'", ["version Book"], []),
        ("DROP INDEX Z_Shelf_UNIQUE_label; INSERT INTO ZSHELF (Z_PK, Z_ENT, Z_OPT, ZLABEL) VALUES (2, 4, 1, 'Top'); "
            + "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Shelf'", ["notUnique Shelf.label"], ["notUnique Shelf.label"]),
        ("DELETE FROM ZSHELF", ["orphan Author.ownShelf", "joinRow Shelf.books"], []),
        ("DELETE FROM Z_1FRIENDS WHERE rowid = 1", ["halfPair Author.friends"], []),
        ("UPDATE ZAUTHOR SET ZOWNSHELF = 1", ["oneToOne Author.ownShelf"], ["oneToOne Author.ownShelf"]),
    ]

    @Test("Each kind of damage is found, and repaired where that is safe, after a backup", arguments: damages.indices)
    func repair(_ index: Int) throws {
        let damage = CheckTests.damages[index]
        try self.damage(damage.sql)
        let found = try check()
        #expect(found.code == 1 && Set(found.kinds) == Set(damage.found), "\(found.kinds)")
        let damaged = run(["export", library.path, "--model", library.modelPath]).output
        let repaired = try check("--repair")
        #expect(repaired.kinds == damage.left, "\(repaired.kinds)")
        #expect(repaired.code == (damage.left.isEmpty ? 0 : 1))
        if damage.left.isEmpty {
            let backup = try #require(repaired.json["backup"] as? String)
            #expect(run(["export", backup, "--model", library.modelPath]).output == damaged)
        } else {
            #expect(repaired.json["backup"] == nil)
        }
    }

    @Test("Files that belong to no row are named and left alone; so is wrong metadata")
    func filesAndMetadata() throws {
        let stray = library.folder.url.appendingPathComponent(".Library_SUPPORT/_EXTERNAL_DATA/\(UUID().uuidString)")
        try Data([1]).write(to: stray)
        #expect(try check("--repair").kinds == ["strayFile \(stray.deletingLastPathComponent().path)"])
        #expect(FileManager.default.fileExists(atPath: stray.path))
    }

    @Test("A damaged database is reported, not repaired, and does not stop the program")
    func damagedFile() throws {
        try damage("PRAGMA wal_checkpoint(TRUNCATE)")
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: library.path))
        let size = try handle.seekToEnd()
        for page in 2..<Int(size / 4096) {
            try handle.seek(toOffset: UInt64(page * 4096))
            try handle.write(contentsOf: Data(repeating: 0xAB, count: 64))
        }
        try handle.close()
        let before = FileManager.default.contents(atPath: library.path)
        let outcome = run(["check", library.path, "--model", library.modelPath, "--repair"])
        #expect(outcome.code == 1 || outcome.code == 3)
        #expect(FileManager.default.contents(atPath: library.path) == before)
    }

    @Test("Every store of the corpus can be checked", arguments: CorpusTransferTests.stores)
    func corpus(_ store: URL) throws {
        let folder = try TemporaryFolder()
        let copy = folder.file(store.lastPathComponent).path
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.path + suffix) {
            try FileManager.default.copyItem(atPath: store.path + suffix, toPath: copy + suffix)
        }
        let outcome = coredata("check", copy, "--json")
        #expect(outcome.code <= 1, "\(outcome.errors)")
        let findings = try #require(try outcome.object()["findings"] as? [[String: Any]])
        #expect(!findings.contains { $0["kind"] as? String == "integrity" })
    }
}
