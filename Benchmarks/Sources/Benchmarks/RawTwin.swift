import Foundation
import RawSQLite

/// The same rows through SQLite's C interface alone, as well as it can be written: prepared once, bound without copying.
final class RawTwin {
    /// What a program without an object graph would make of a row.
    final class Row {
        var key: Int64 = 0, entity: Int64 = 0, version: Int64 = 0
        var count: Int64 = 0, rank: Int64 = 0, size: Int64 = 0, owner: Int64 = 0
        var created = 0.0, height = 0.0, weight = 0.0
        var city = "", name = "", note = ""
    }

    private var database: OpaquePointer?
    private var statement: OpaquePointer?

    private let path: String

    init(path: String) {
        self.path = path
        open()
    }

    private func open() {
        check(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil))
        run("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA cache_size=-32000")
    }

    /// Fetches begin with an empty page cache, as the engine's do.
    func reopen() {
        sqlite3_close_v2(database)
        open()
    }

    deinit { sqlite3_close_v2(database) }

    func run(_ sql: String) { check(sqlite3_exec(database, sql, nil, nil, nil)) }

    private func check(_ code: Int32) {
        guard code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW else {
            fatalError("SQLite \(code): \(String(cString: sqlite3_errmsg(database)))")
        }
    }

    func insert(_ rows: [Sample]) {
        run("BEGIN IMMEDIATE")
        check(sqlite3_prepare_v3(database, """
            INSERT INTO ZRECORD (Z_PK, Z_ENT, Z_OPT, ZCOUNT, ZRANK, ZSIZE, ZOWNER, ZCREATED, ZHEIGHT, ZWEIGHT, ZCITY, ZNAME, ZNOTE)
            VALUES (?, 2, 1, ?, ?, ?, NULL, ?, ?, ?, ?, ?, ?)
            """, -1, 0, &statement, nil))
        for (index, row) in rows.enumerated() {
            sqlite3_bind_int64(statement, 1, Int64(index + 1))
            sqlite3_bind_int64(statement, 2, row.count)
            sqlite3_bind_int64(statement, 3, Int64(row.rank))
            sqlite3_bind_int64(statement, 4, row.size)
            sqlite3_bind_double(statement, 5, row.created.timeIntervalSinceReferenceDate)
            sqlite3_bind_double(statement, 6, row.height)
            sqlite3_bind_double(statement, 7, row.weight)
            var (city, name, note) = (row.city, row.name, row.note)
            city.withUTF8 { city in
                name.withUTF8 { name in
                    note.withUTF8 { note in
                        bind(8, city)
                        bind(9, name)
                        bind(10, note)
                        check(sqlite3_step(statement))
                    }
                }
            }
            sqlite3_reset(statement)
        }
        sqlite3_finalize(statement)
        run("COMMIT")
    }

    private func bind(_ index: Int32, _ text: UnsafeBufferPointer<UInt8>) {
        // The buffer outlives the step it is bound for: SQLITE_STATIC (nil).
        sqlite3_bind_text(statement, index, UnsafeRawPointer(text.baseAddress)?.assumingMemoryBound(to: CChar.self), Int32(text.count), nil)
    }

    /// Every row as an instance, every column read.
    func fetch() -> [Row] {
        check(sqlite3_prepare_v3(database, """
            SELECT Z_PK, Z_ENT, Z_OPT, ZCOUNT, ZRANK, ZSIZE, ZOWNER, ZCREATED, ZHEIGHT, ZWEIGHT, ZCITY, ZNAME, ZNOTE FROM ZRECORD
            """, -1, 0, &statement, nil))
        var rows: [Row] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            let row = Row()
            row.key = sqlite3_column_int64(statement, 0)
            row.entity = sqlite3_column_int64(statement, 1)
            row.version = sqlite3_column_int64(statement, 2)
            row.count = sqlite3_column_int64(statement, 3)
            row.rank = sqlite3_column_int64(statement, 4)
            row.size = sqlite3_column_int64(statement, 5)
            row.owner = sqlite3_column_int64(statement, 6)
            row.created = sqlite3_column_double(statement, 7)
            row.height = sqlite3_column_double(statement, 8)
            row.weight = sqlite3_column_double(statement, 9)
            row.city = text(10)
            row.name = text(11)
            row.note = text(12)
            rows.append(row)
        }
        sqlite3_finalize(statement)
        return rows
    }

    private func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(statement, column) else { return "" }
        return String(decoding: UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))), as: UTF8.self)
    }

    /// One property of every row, with the optimistic lock.
    func update(_ rows: [Row]) {
        run("BEGIN IMMEDIATE")
        check(sqlite3_prepare_v3(
            database, "UPDATE ZRECORD SET ZCOUNT = ?, Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?", -1, 0, &statement, nil))
        for row in rows {
            row.count += 1
            sqlite3_bind_int64(statement, 1, row.count)
            sqlite3_bind_int64(statement, 2, row.version + 1)
            sqlite3_bind_int64(statement, 3, row.key)
            sqlite3_bind_int64(statement, 4, row.version)
            check(sqlite3_step(statement))
            sqlite3_reset(statement)
            row.version += 1
        }
        sqlite3_finalize(statement)
        run("COMMIT")
    }

    func updateAll() {
        run("BEGIN IMMEDIATE; UPDATE ZRECORD SET ZCOUNT = ZCOUNT + 1, Z_OPT = Z_OPT + 1 WHERE ZRANK < 900; COMMIT")
    }

    func deleteAll() { run("BEGIN IMMEDIATE; DELETE FROM ZRECORD WHERE ZRANK < 900; COMMIT") }
}
