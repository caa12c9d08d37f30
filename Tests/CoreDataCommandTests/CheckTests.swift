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
            + "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Shelf'", ["notUnique Shelf.label", "missingIndex Shelf.label"],
         ["notUnique Shelf.label", "missingIndex Shelf.label"]),
        ("DROP INDEX Z_Shelf_UNIQUE_label", ["missingIndex Shelf.label"], ["missingIndex Shelf.label"]),
        ("UPDATE Z_PRIMARYKEY SET Z_SUPER = 1 WHERE Z_NAME = 'Novel'", ["entityTable Novel"], ["entityTable Novel"]),
        ("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Authorx' WHERE Z_NAME = 'Author'", ["entityTable Author"], ["entityTable Author"]),
        ("INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (9, 'Shelf', 0, 1)", ["entityTable Shelf"], ["entityTable Shelf"]),
        ("UPDATE ZBOOK SET ZGENRE = 'x' WHERE ZTITLE = 'Third'", ["foreignValue Novel.genre"], ["foreignValue Novel.genre"]),
        ("UPDATE ZBOOK SET Z_OPT = 'x' WHERE ZTITLE = 'Third'", ["version Book"], []),
        ("UPDATE ZBOOK SET Z_FOK_AUTHOR = 'x' WHERE ZTITLE = 'Third'", ["order Author.books"], ["order Author.books"]),
        ("UPDATE ZBOOK SET ZPUBLISHED = 9e999 WHERE ZTITLE = 'Third'", ["range Book.published"], ["range Book.published"]),
        ("UPDATE ZBOOK SET ZWEIGHT = 1e300 WHERE ZTITLE = 'Third'", ["range Book.weight"], ["range Book.weight"]),
        ("UPDATE ZBOOK SET ZPRICE = 9e999 WHERE ZTITLE = 'Third'", ["type Book.price"], ["type Book.price"]),
        ("UPDATE ZBOOK SET ZLINK = 'ht tp://[bad' WHERE ZTITLE = 'Third'", ["uri Book.link"], ["uri Book.link"]),
        ("UPDATE ZBOOK SET ZNOTES = x'deadbeef' WHERE ZTITLE = 'Third'", ["archive Book.notes"], ["archive Book.notes"]),
        ("UPDATE ZBOOK SET ZCOVER = x'05aabb' WHERE ZTITLE = 'Third'", ["externalMark Book.cover"], ["externalMark Book.cover"]),
        ("UPDATE ZBOOK SET ZCOVER = x'022e2e2f2e2e2f6574632f706173737764' WHERE ZTITLE = 'Third'",
         ["externalMark Book.cover"], ["externalMark Book.cover"]),
        ("UPDATE Z_MODELCACHE SET Z_CONTENT = x'0102'", ["modelCache Z_MODELCACHE"], ["modelCache Z_MODELCACHE"]),
        ("UPDATE Z_MODELCACHE SET Z_CONTENT = x''", ["modelCache Z_MODELCACHE"], ["modelCache Z_MODELCACHE"]),
        ("DELETE FROM ZSHELF", ["orphan Author.ownShelf", "joinRow Shelf.books"], []),
        ("DELETE FROM Z_1FRIENDS WHERE rowid = 1", ["halfPair Author.friends"], []),
        ("UPDATE ZBOOK SET ZPAGES = 'abc' WHERE ZTITLE = 'Third'", ["type Book.pages"], ["type Book.pages"]),
        ("UPDATE ZBOOK SET ZPUBLISHED = 'yesterday' WHERE ZTITLE = 'Third'", ["type Book.published"], ["type Book.published"]),
        ("UPDATE ZBOOK SET ZRATING = x'00', ZPRICE = 'cheap' WHERE ZTITLE = 'Third'",
         ["type Book.rating", "type Book.price"], ["type Book.price", "type Book.rating"]),
        ("UPDATE ZBOOK SET ZCODE = x'0102' WHERE ZTITLE = 'Third'", ["type Book.code"], ["type Book.code"]),
        ("UPDATE ZBOOK SET ZPAGES = 99999999999 WHERE ZTITLE = 'Third'", ["range Book.pages"], ["range Book.pages"]),
        ("UPDATE ZBOOK SET ZISREAD = 2 WHERE ZTITLE = 'Third'", ["range Book.isRead"], ["range Book.isRead"]),
        ("UPDATE ZBOOK SET ZTITLE = CAST(x'41FF42' AS TEXT) WHERE ZTITLE = 'Third'", ["text Book.title"], ["text Book.title"]),
        ("UPDATE ZBOOK SET Z_FOK_AUTHOR = NULL WHERE ZTITLE = 'Third'", ["order Author.books"], ["order Author.books"]),
        ("UPDATE ZBOOK SET Z_FOK_AUTHOR = 7", ["order Author.books"], ["order Author.books"]),
        ("UPDATE Z_2SHELVES SET Z_FOK_2BOOKS = 7", ["order Shelf.books"], ["order Shelf.books"]),
        ("INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (-5, 2, 1, 'x')", ["key Book"], ["key Book"]),
        ("UPDATE Z_PRIMARYKEY SET Z_MAX = NULL WHERE Z_NAME = 'Book'", ["highestKey Book"], []),
        ("UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_NAME = 'Book'", ["highestKey Book"], []),
        ("INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (9223372036854775807, 2, 1, 'x')", ["highestKey Book"], ["highestKey Book"]),
        ("UPDATE ZAUTHOR SET Z_ENT = 9 WHERE ZNAME = 'Ann'", ["entityNumber Author"], []),
        ("DROP TABLE Z_1FRIENDS", ["missing Author.friends"], ["missing Author.friends"]),
        ("ALTER TABLE ZBOOK DROP COLUMN ZGENRE; UPDATE ZBOOK SET ZAUTHOR = 99 WHERE ZTITLE = 'Third'",
         ["missing Novel.genre", "orphan Book.author"], ["missing Novel.genre"]),
        ("DROP TABLE ZSHELF", ["missing Shelf"], ["missing Shelf"]),
        ("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Shelf'", ["missing Shelf"], ["missing Shelf"]),
        ("DELETE FROM Z_METADATA", ["missing store"], ["missing store"]),
        ("DROP TABLE Z_METADATA", ["missing store"], ["missing store"]),
        ("DROP TABLE Z_PRIMARYKEY", ["missing store"], ["missing store"]),
        ("UPDATE Z_METADATA SET Z_PLIST = x'00'", ["missing store"], ["missing store"]),
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
        if Set(damage.left) != Set(damage.found) {
            let backup = try #require(repaired.json["backup"] as? String)
            #expect(run(["export", backup, "--model", library.modelPath]).output == damaged)
        } else {
            #expect(repaired.json["backup"] == nil)
        }
    }

    @Test("The model the store keeps tells what is missing too, though the tables are not those it needs", arguments: [
        ("DROP TABLE Z_1FRIENDS", "missing Author.friends"), ("ALTER TABLE ZBOOK DROP COLUMN ZGENRE", "missing Novel.genre"),
        ("DROP TABLE ZSHELF", "missing Shelf"), ("UPDATE ZBOOK SET ZPAGES = 'abc' WHERE ZTITLE = 'Third'", "type Book.pages"),
    ])
    func ownModel(_ sql: String, _ found: String) throws {
        try damage(sql)
        let outcome = run(["check", library.path, "--json"])
        let findings = try #require(try outcome.object()["findings"] as? [[String: Any]])
        #expect(outcome.code == 1 && findings.map { "\($0["kind"] ?? "") \($0["place"] ?? "")" } == [found], "\(outcome.output)")
        #expect(coredata("check", library.path).output.contains("error: "))
    }

    @Test("Values that break the model's rules are found")
    func rules() throws {
        let folder = try TemporaryFolder(), model = folder.file("T.xcdatamodel"), json = folder.file("a.json"), store = folder.file("T.sqlite").path
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data("""
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
              <entity name="Person" representedClassName="Person">
                <attribute name="age" attributeType="Integer 16" minValueString="0" maxValueString="150"/>
                <attribute name="name" optional="YES" attributeType="String" minValueString="2"/>
              </entity>
            </model>
            """.utf8).write(to: model.appendingPathComponent("contents"))
        try Data(#"{"Person": [{"age": 3, "name": "Ann"}, {"age": 150, "name": null}]}"#.utf8).write(to: json)
        #expect(coredata("seed", model.path, json.path, "-o", store).code == 0)
        #expect(coredata("check", store, "--model", model.path).code == 0)
        let connection = try SQLiteConnection(path: store, access: .readWrite)
        try connection.execute("UPDATE ZPERSON SET ZAGE = 151, ZNAME = 'A' WHERE ZAGE = 3")
        connection.close()
        let outcome = coredata("check", store, "--model", model.path)
        #expect(outcome.code == 1)
        #expect(outcome.output.contains("Person.age: 1 row has a value that breaks the rule SELF <= 150 (Person/"), "\(outcome.output)")
        #expect(outcome.output.contains("Person.name: 1 row has a value that breaks the rule length >= 2"), "\(outcome.output)")
    }

    @Test("A file of a binary value that is gone, empty or a folder")
    func files() throws {
        let folder = library.folder.url.appendingPathComponent(".Library_SUPPORT/_EXTERNAL_DATA")
        let file = folder.appendingPathComponent(try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first))
        try Data().write(to: file)
        #expect(try check().kinds == ["emptyFile Book.cover"])
        try FileManager.default.removeItem(at: file)
        #expect(try check().kinds == ["missingFile Book.cover"])
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        #expect(try check().kinds == ["emptyFile Book.cover"])
    }

    @Test("A store that cannot be written is not said to be repairable, and nothing is left beside it: history, permissions, a lock",
          arguments: ["history", "folder", "lock"])
    func notWritable(_ why: String) throws {
        let history = "CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY, ZTIMESTAMP TIMESTAMP); CREATE TABLE ACHANGE (Z_PK INTEGER PRIMARY KEY)"
        try damage("UPDATE ZBOOK SET ZAUTHOR = 99 WHERE ZTITLE = 'Third'; " + (why == "history" ? history : "SELECT 1"))
        let locker = why == "lock" ? try SQLiteConnection(path: library.path, access: .readWrite) : nil
        try locker?.execute("BEGIN IMMEDIATE")
        let folder = library.folder.url
        if why == "folder" { try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path) }
        defer { try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path) }
        if why == "folder", FileManager.default.isWritableFile(atPath: folder.path) { return }
        let before = try InspectTests.listing(folder)
        let looked = coredata("check", library.path, "--model", library.modelPath)
        #expect(looked.code == 1 && looked.output.contains("[--repair can]") == (why == "lock"), "\(looked.output)")
        let outcome = coredata("check", library.path, "--model", library.modelPath, "--repair")
        #expect(outcome.code == (why == "lock" ? 3 : 1) && outcome.errors.contains("nothing was repaired"), "\(outcome.errors)")
        #expect(try Set(InspectTests.listing(folder).keys) == Set(before.keys))
        locker?.close()
    }

    @Test("Files that belong to no row are named and left alone; so is wrong metadata")
    func filesAndMetadata() throws {
        let stray = library.folder.url.appendingPathComponent(".Library_SUPPORT/_EXTERNAL_DATA/\(UUID().uuidString)")
        try Data([1]).write(to: stray.deletingLastPathComponent().appendingPathComponent("photo.jpg"))
        #expect(coredata("check", library.path).output.contains("photo.jpg"))
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
