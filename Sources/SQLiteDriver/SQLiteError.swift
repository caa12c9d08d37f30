import CSQLite

/// What SQLite answered instead of doing what it was asked.
///
/// Invariant: `code` is the primary result code (the low byte of `extendedCode`); `sql` is the statement's text when one
/// was at work.
package struct SQLiteError: Error, Sendable, Equatable, CustomStringConvertible {
    package let code: Int32
    package let extendedCode: Int32
    package let message: String
    package let sql: String?

    package init(extendedCode: Int32, message: String, sql: String? = nil) {
        code = extendedCode & 0xFF
        self.extendedCode = extendedCode
        self.message = message
        self.sql = sql
    }

    package var description: String {
        "SQLite error \(extendedCode): \(message)" + (sql.map { " [\($0)]" } ?? "")
    }

    package var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }
    package var isFull: Bool { code == SQLITE_FULL }
    /// The file was moved, replaced or deleted while it was open (SQLITE_READONLY_DBMOVED, a macro Swift does not import).
    package var isMoved: Bool { extendedCode == SQLiteError.moved }
    package static let moved: Int32 = 1032
    package var isReadOnly: Bool { code == SQLITE_READONLY }
    /// A rollback journal lies beside the file, of a program that was killed, and a connection that may not write cannot undo it
    /// (SQLITE_READONLY_ROLLBACK, a macro Swift does not import).
    package var isUnfinishedTransaction: Bool { extendedCode == 776 }
    package var isNotADatabase: Bool { code == SQLITE_NOTADB || code == SQLITE_CORRUPT }
    package var isCannotOpen: Bool { code == SQLITE_CANTOPEN || code == SQLITE_PERM || code == SQLITE_AUTH }
    package var isInterrupt: Bool { code == SQLITE_INTERRUPT }
    /// A UNIQUE index or a primary key refused the row.
    package var isUniquenessViolation: Bool {
        // SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_PRIMARYKEY and _ROWID are macros Swift does not import.
        extendedCode == 2067 || extendedCode == 1555 || extendedCode == 2579
    }
}
