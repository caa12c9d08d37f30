import CoreDataTestSupport
import Foundation
import SQLiteDriver
import Testing
@testable import CoreDataCommand

@Suite("coredata check --repair never invents")
struct RepairTests {
    let library: Library

    init() throws {
        library = try Library()
        try library.fill()
    }

    func sql(_ text: String) throws {
        let connection = try SQLiteConnection(path: library.path, access: .readWrite)
        defer { connection.close() }
        try connection.execute(text)
    }

    func column(_ query: String) throws -> [String] {
        let connection = try SQLiteConnection(path: library.path, access: .readOnly)
        defer { connection.close() }
        return try connection.withStatement(query) { row in
            var result: [String] = []
            while try row.step() { result.append(row.text(0) ?? "nil") }
            return result
        }
    }

    /// Every row of every table, as text.
    func dump() throws -> [String] {
        try ["ZAUTHOR", "ZBOOK", "ZSHELF", "Z_1FRIENDS", "Z_2SHELVES", "Z_PRIMARYKEY"].flatMap { table in
            let names = try column("SELECT name FROM pragma_table_info('\(table)')")
            return try column("SELECT \(names.map { "quote(\($0))" }.joined(separator: " || ',' || ")) FROM \(table) ORDER BY 1")
        }
    }

    func repair(_ words: [String] = []) -> Outcome { run(["check", library.path, "--repair"] + words) }

    /// Damage of which the store does not prove what would be right.
    static let damages = [
        "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Novel'",
        "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Novel'; UPDATE ZBOOK SET ZAUTHOR = 99 WHERE ZTITLE = 'Third'",
        "DELETE FROM Z_MODELCACHE; UPDATE Z_PRIMARYKEY SET Z_SUPER = 0 WHERE Z_NAME = 'Novel'",
        "UPDATE Z_PRIMARYKEY SET Z_SUPER = 0 WHERE Z_NAME = 'Novel'; UPDATE ZBOOK SET ZAUTHOR = 99 WHERE ZTITLE = 'Third'",
        "UPDATE ZAUTHOR SET Z_ENT = 4 WHERE ZNAME = 'Ann'",
        "UPDATE ZBOOK SET ZAUTHOR = '1abc' WHERE ZTITLE = 'Third'", "UPDATE ZBOOK SET ZAUTHOR = x'31' WHERE ZTITLE = 'Third'",
        "UPDATE ZBOOK SET Z_ENT = 77 WHERE ZTITLE = 'Second'", "UPDATE ZBOOK SET Z_ENT = 1 WHERE ZTITLE = 'Second'",
        "UPDATE ZBOOK SET Z_ENT = NULL WHERE ZTITLE = 'Second'",
        "UPDATE ZBOOK SET Z_ENT = 99 WHERE ZTITLE = 'First'; UPDATE ZBOOK SET ZPREQUEL = NULL, Z2_PREQUEL = NULL WHERE ZTITLE = 'Second'",
    ]

    @Test("Nothing is changed where the store does not prove what is right", arguments: damages)
    func unproven(_ damage: String) throws {
        try sql(damage)
        let before = try dump()
        for words in [[], ["--model", library.modelPath]] {
            let outcome = repair(words)
            #expect(outcome.code == 1, "\(outcome.output)\(outcome.errors)")
            #expect(!outcome.output.contains("[--repair can]"), "\(outcome.output)")
            #expect(try dump() == before, "\(outcome.output)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: library.folder.url.path).allSatisfy { !$0.contains("backup") })
    }

    @Test("A trigger that stands in the store does not fire: nothing is repaired, and it is named")
    func triggers() throws {
        try sql("CREATE TRIGGER mine AFTER UPDATE ON ZBOOK BEGIN DELETE FROM ZSHELF; END")
        try sql("DROP TRIGGER mine; UPDATE ZBOOK SET ZAUTHOR = 99 WHERE ZTITLE = 'Third'; "
            + "CREATE TRIGGER mine AFTER UPDATE ON ZBOOK BEGIN DELETE FROM ZSHELF; END")
        let before = try dump()
        let outcome = repair()
        #expect(outcome.code == 1 && outcome.errors.contains("“mine”"), "\(outcome)")
        #expect(try dump() == before)
    }

    @Test("What shows more than before is undone, and the backup goes with it")
    func worse() throws {
        try sql("UPDATE ZBOOK SET ZAUTHOR = 99 WHERE ZTITLE = 'Third'; "
            + "CREATE TRIGGER Z_DA_mine AFTER UPDATE ON ZBOOK BEGIN DELETE FROM ZSHELF; END")
        let before = try dump()
        let outcome = repair()
        #expect(outcome.code == 3 && outcome.errors.contains("Nothing was repaired"), "\(outcome)")
        #expect(try dump() == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: library.folder.url.path).allSatisfy { !$0.contains("backup") })
    }

    @Test("One run is enough: what a repair uncovers is repaired too")
    func rounds() throws {
        try sql("UPDATE ZBOOK SET ZSEQUEL = 99 WHERE ZTITLE = 'First'")
        #expect(repair().code == 0)
        #expect(try column("SELECT ZSEQUEL || ' ' || Z2_SEQUEL FROM ZBOOK WHERE ZTITLE = 'First'")
            == column("SELECT Z_PK || ' ' || Z_ENT FROM ZBOOK WHERE ZTITLE = 'Second'"))
    }

    @Test("With --json a script learns what was changed")
    func json() throws {
        try sql("UPDATE ZBOOK SET ZAUTHOR = 99 WHERE ZTITLE = 'Third'; UPDATE ZBOOK SET ZTITLE = NULL WHERE ZTITLE = 'Second'")
        let json = try repair(["--json"]).object()
        let found = try #require(json["found"] as? [[String: Any]])
        #expect(found.map { "\($0["kind"] ?? "") \($0["repaired"] ?? "")" } == ["orphan true", "requiredNil false"]
            || found.map { "\($0["kind"] ?? "") \($0["repaired"] ?? "")" } == ["orphan 1", "requiredNil 0"], "\(found)")
        #expect(json["repaired"] as? Int == 1)
        #expect((json["findings"] as? [[String: Any]])?.map { $0["kind"] as? String } == ["requiredNil"])
    }
}
