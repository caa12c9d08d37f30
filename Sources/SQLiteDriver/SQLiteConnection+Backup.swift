import CSQLite

extension SQLiteConnection {
    /// Copies the whole database into `target`, page by page, as one consistent state; what only the `-wal` holds comes
    /// along.
    package func backUp(to target: SQLiteConnection) throws(SQLiteError) {
        guard let handle, let targetHandle = target.handle else { throw error(SQLITE_MISUSE) }
        guard let backup = sqlite3_backup_init(targetHandle, "main", handle, "main") else { throw target.error(SQLITE_ERROR) }
        var code = SQLITE_OK
        repeat { code = sqlite3_backup_step(backup, -1) } while code == SQLITE_OK
        let finish = sqlite3_backup_finish(backup)
        guard code == SQLITE_DONE, finish == SQLITE_OK else { throw target.error(code == SQLITE_DONE ? finish : code) }
    }

    /// Moves the `-wal` into the file and empties it, waiting for readers as long as the busy timeout.
    package func checkpoint() throws(SQLiteError) {
        let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }
}
