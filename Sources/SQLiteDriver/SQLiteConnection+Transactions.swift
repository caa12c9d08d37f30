import CSQLite

extension SQLiteConnection {
    package enum TransactionKind: String, Sendable {
        /// A consistent view for several reads.
        case deferred = "BEGIN DEFERRED"
        /// The write lock at once, so that nothing changes between a read and the write that rests on it.
        case immediate = "BEGIN IMMEDIATE"
    }

    /// What to do with the transaction when its body is done.
    package enum TransactionEnd { case commit, rollBack }

    /// Runs `body` in a transaction. It is rolled back when `body` throws or says so, and when the commit fails; the
    /// connection is usable afterwards in every case.
    package func transaction<Result>(
        _ kind: TransactionKind, _ body: () throws -> (Result, TransactionEnd)
    ) throws -> Result {
        try withStatement(kind.rawValue) { try $0.run() }
        do {
            if kind == .immediate { try checkFile() }
            let (result, end) = try body()
            try withStatement(end == .commit ? "COMMIT" : "ROLLBACK") { try $0.run() }
            return result
        } catch {
            // A full disk or I/O error may have rolled back by itself.
            if isInTransaction { try? execute("ROLLBACK") }
            throw error
        }
    }

    /// Refuses to write into a file that is no longer at its path: nobody would ever read it.
    private func checkFile() throws {
        var isMoved: Int32 = 0
        guard let handle, sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &isMoved) == SQLITE_OK, isMoved != 0 else { return }
        throw SQLiteError(extendedCode: SQLiteError.moved, message: "the file was moved or deleted while it was open")
    }
}
