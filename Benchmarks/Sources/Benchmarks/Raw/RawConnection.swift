import Foundation
import RawSQLite

/// SQLite's C interface, with the settings the engine's connections have.
final class RawConnection {
    let handle: OpaquePointer

    init(_ url: URL, synchronous: String = "NORMAL") {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(url.path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let opened else { fatalError("SQLite cannot open \(url.path): \(code)") }
        handle = opened
        sqlite3_busy_timeout(handle, 10_000)
        run("PRAGMA journal_mode=WAL; PRAGMA synchronous=\(synchronous); PRAGMA cache_size=-32000; PRAGMA temp_store=MEMORY")
        run("PRAGMA recursive_triggers=OFF")
    }

    // Statements keep their connection, so none is left.
    deinit { sqlite3_close_v2(handle) }

    func run(_ sql: String) { check(sqlite3_exec(handle, sql, nil, nil, nil)) }

    func prepare(_ sql: String) -> RawStatement { RawStatement(self, sql) }

    @inline(__always)
    func check(_ code: Int32) {
        guard code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW else {
            fatalError("SQLite \(code): \(String(cString: sqlite3_errmsg(handle)))")
        }
    }

    /// An update by key and version must have found its row.
    @inline(__always)
    func expectOneChange() {
        guard sqlite3_changes(handle) == 1 else { fatalError("A row was changed by somebody else.") }
    }

    func integer(_ sql: String) -> Int64 {
        let statement = prepare(sql)
        guard statement.step() else { return 0 }
        return statement.int(0)
    }

    func transaction(_ body: () -> Void) {
        run("BEGIN IMMEDIATE")
        body()
        run("COMMIT")
    }
}
