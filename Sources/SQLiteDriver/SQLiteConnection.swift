import CSQLite
import Glibc

/// One connection to one database file.
///
/// Invariant: opened with NOMUTEX, so the owner lets one thread at a time in; only `interrupt()` may come from another
/// thread while a statement runs, and never after `close()`.
///
/// Unchecked Sendable: the owner serialises every call with its own lock (see the invariant).
package final class SQLiteConnection: @unchecked Sendable {
    package let path: String
    package let isReadOnly: Bool
    // Unchecked exclusivity, here and below: used by one thread at a time, never across a call out.
    @exclusivity(unchecked) package private(set) var handle: OpaquePointer?
    @exclusivity(unchecked) private var cache: [String: SQLiteStatement] = [:]
    private let cacheLimit = 300
    /// Set while somebody listens (`SQLiteTrace`).
    package internal(set) var trace: SQLiteTrace?

    /// How the file is opened.
    package enum Access: Sendable, Equatable {
        case readOnly
        case readWrite
        case create
        /// No locks, no siblings: for media that nobody writes. The caller vouches for that.
        case immutable
        /// Reads a file with its `-wal` without creating a `-shm`.
        case readOnlyWithoutSharedMemory
        /// Reads a file with its `-wal` where there is no `-shm`, making none: the log's index is kept in memory. No locks: the
        /// caller vouches that nobody writes meanwhile (whoever has a database in WAL mode open keeps a `-shm`).
        case readOnlyAlone
    }

    /// Whether a file has lost its content, but not the log beside it, which may be all that is left. (A new database has its first page
    /// before it has a log.)
    private static func isEmptied(_ path: String) -> Bool {
        var file = stat(), log = stat()
        return stat(path, &file) == 0 && file.st_size == 0 && stat(path + "-wal", &log) == 0 && log.st_size > 0
    }

    package init(path: String, access: Access) throws(SQLiteError) {
        self.path = path
        if SQLiteConnection.isEmptied(path) {
            throw SQLiteError(extendedCode: SQLITE_NOTADB, message: "the file is empty, and SQLite would delete the log (-wal) that lies beside it")
        }
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
        var query = ""
        switch access {
        case .readOnly: flags |= SQLITE_OPEN_READONLY
        case .readWrite: flags |= SQLITE_OPEN_READWRITE
        case .create: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        case .immutable:
            flags |= SQLITE_OPEN_READONLY
            query = "?immutable=1"
        case .readOnlyWithoutSharedMemory:
            flags |= SQLITE_OPEN_READONLY
            query = "?readonly_shm=1"
        case .readOnlyAlone:
            flags |= SQLITE_OPEN_READONLY
            query = "?vfs=unix-none"
        }
        isReadOnly = flags & SQLITE_OPEN_READONLY != 0
        var opened: OpaquePointer?
        let name = path == ":memory:" ? path : "file:" + SQLiteConnection.escape(path) + query
        let code = sqlite3_open_v2(name, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            let extended = opened.map { sqlite3_extended_errcode($0) } ?? code
            sqlite3_close_v2(opened)
            throw SQLiteError(extendedCode: extended, message: message)
        }
        sqlite3_extended_result_codes(opened, 1)
        // Before the first read, or the index is shared memory after all.
        if access == .readOnlyAlone {
            sqlite3_exec(opened, "PRAGMA locking_mode=EXCLUSIVE", nil, nil, nil)
            // Or closing it takes away a log that holds nothing.
            var keepsLog: Int32 = 1
            sqlite3_file_control(opened, "main", SQLITE_FCNTL_PERSIST_WAL, &keepsLog)
        }
        handle = opened
    }

    deinit { close() }

    /// `%`, `?` and `#` mean something in a file URI.
    private static func escape(_ path: String) -> String {
        var result = ""
        for character in path {
            switch character {
            case "%": result += "%25"
            case "?": result += "%3f"
            case "#": result += "%23"
            default: result.append(character)
            }
        }
        return result
    }

    /// Finalises every cached statement and closes the file. Statements still held elsewhere keep the handle alive until
    /// they go. Harmless when repeated.
    package func close() {
        stopTracing()
        cache.removeAll()
        if let handle { sqlite3_close_v2(handle) }
        handle = nil
    }

    package func error(_ code: Int32, sql: String? = nil) -> SQLiteError {
        guard let handle else { return SQLiteError(extendedCode: SQLITE_MISUSE, message: "the connection is closed", sql: sql) }
        let extended = sqlite3_extended_errcode(handle)
        return SQLiteError(
            extendedCode: extended == SQLITE_OK ? code : extended, message: String(cString: sqlite3_errmsg(handle)), sql: sql)
    }

    // MARK: statements

    /// Runs every statement of `sql`, rows ignored.
    package func execute(_ sql: String) throws(SQLiteError) {
        guard let handle else { throw error(SQLITE_MISUSE, sql: sql) }
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code, sql: sql) }
    }

    /// A statement of the caller's own, not shared with the cache.
    package func prepare(_ sql: String, persistent: Bool = true) throws(SQLiteError) -> SQLiteStatement {
        guard let handle else { throw error(SQLITE_MISUSE, sql: sql) }
        var statement: OpaquePointer?
        let flags: UInt32 = persistent ? 1 : 0  // SQLITE_PREPARE_PERSISTENT
        let code = sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil)
        guard code == SQLITE_OK else { throw error(code, sql: sql) }
        guard let statement else { throw SQLiteError(extendedCode: SQLITE_MISUSE, message: "empty statement", sql: sql) }
        return SQLiteStatement(handle: statement, connection: self, sql: sql)
    }

    /// Runs `body` with the statement of this text, prepared once and kept; it is reset and its bindings cleared after.
    package func withStatement<Result>(_ sql: String, _ body: (SQLiteStatement) throws -> Result) throws -> Result {
        // Taken out while in use, so that a nested use of the same text gets a statement of its own.
        let statement = try cache.removeValue(forKey: sql) ?? prepare(sql)
        defer {
            statement.reset()
            statement.clearBindings()
            if handle != nil {
                if cache.count >= cacheLimit { cache.removeAll(keepingCapacity: true) }
                cache[sql] = statement
            }
        }
        return try body(statement)
    }

    /// Number of prepared statements kept: for tests.
    package var cachedStatementCount: Int { cache.count }

    /// First column of the first row as an integer; nil without a row or when it is NULL.
    package func integer(_ sql: String) throws -> Int64? {
        try withStatement(sql) { try $0.step() && !$0.isNull(0) ? $0.integer(0) : nil }
    }

    /// First column of the first row as text; nil without a row or when it is NULL.
    package func text(_ sql: String) throws -> String? {
        try withStatement(sql) { try $0.step() ? $0.text(0) : nil }
    }

    // MARK: state

    /// Rows changed by the last INSERT, UPDATE or DELETE.
    @inlinable package var changes: Int { handle.map { Int(sqlite3_changes($0)) } ?? 0 }
    @inlinable package var lastInsertedRowID: Int64 { handle.map { sqlite3_last_insert_rowid($0) } ?? 0 }
    package var isInTransaction: Bool { handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

    package func setBusyTimeout(milliseconds: Int32) {
        if let handle { sqlite3_busy_timeout(handle, milliseconds) }
    }

    /// Makes the running statement fail with SQLITE_INTERRUPT.
    package func interrupt() {
        if let handle { sqlite3_interrupt(handle) }
    }

    /// WAL, NORMAL, 32 MB of page cache, temporary tables in memory. Other connections may read and write between ours.
    package func applyStandardPragmas() throws(SQLiteError) {
        if !isReadOnly { try execute("PRAGMA journal_mode=WAL") }
        try execute("PRAGMA synchronous=NORMAL; PRAGMA cache_size=-32000; PRAGMA temp_store=MEMORY; PRAGMA recursive_triggers=OFF")
    }
}

extension SQLiteConnection {
    /// Whether SQLite could open the file for reading only although more was asked.
    package var fileIsReadOnly: Bool { handle.map { sqlite3_db_readonly($0, "main") == 1 } ?? false }
}
