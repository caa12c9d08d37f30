import Foundation
import SQLiteDriver

/// Opens a database so that reading it makes no file beside it and changes none, its log honoured. Works on media that
/// nobody can write.
///
/// Why not simply read-only: SQLite makes a `-wal` and a `-shm` to read a database in WAL mode, and a connection for reading
/// only leaves them behind; and what a program that was killed had begun in a rollback journal, it can only read after undoing it.
package enum TracelessReading {
    package static func connect(_ path: String) throws(SQLiteError) -> SQLiteConnection {
        let path = StoreLocation.resolved(path)
        let connection = try SQLiteConnection(path: path, access: access(path))
        guard hasJournal(path) else { return connection }
        do { _ = try connection.integer("SELECT COUNT(*) FROM sqlite_master") } catch {
            // Whatever else is wrong comes out where the connection is used.
            guard let error = error as? SQLiteError, error.isUnfinishedTransaction else { return connection }
            connection.close()
            return try undone(path, error)
        }
        return connection
    }

    static func access(_ path: String) -> SQLiteConnection.Access {
        // Somebody has it open: the index that is there is used as it is.
        if SharedIndex.isInUse(path) { return .readOnlyWithoutSharedMemory }
        if StoreProbe.hasLog(path) { return .readOnlyAlone }
        // In WAL mode nobody can have it open without a `-shm`. With a rollback journal SQLite's own locks make no file.
        return isInWALMode(path) && !hasJournal(path) ? .immutable : .readOnly
    }

    /// Bytes 18 and 19 of the header: the versions needed for writing and reading.
    private static func isInWALMode(_ path: String) -> Bool {
        guard let file = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)) else { return false }
        defer { try? file.close() }
        guard let head = try? file.read(upToCount: 20), head.count == 20 else { return false }
        return head[head.startIndex + 19] == 2
    }

    // MARK: A rollback journal that was left

    /// Whether a transaction with a rollback journal is under way, or was when its program ended.
    package static func hasJournal(_ path: String) -> Bool {
        let size = try? FileManager.default.attributesOfItem(atPath: StoreLocation.resolved(path) + "-journal")[.size] as? Int
        return (size ?? nil ?? 0) > 0
    }

    /// A copy of the database, in which SQLite has undone the transaction that was left. Its files have no name any more: they go
    /// with the connection.
    private static func undone(_ path: String, _ error: SQLiteError) throws(SQLiteError) -> SQLiteConnection {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let copy = folder.appendingPathComponent("store").path
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            for suffix in ["", "-journal", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
                try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
                // The store's own permissions may forbid to write.
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy + suffix)
            }
        } catch let cause {
            throw SQLiteError(
                extendedCode: error.extendedCode, message: "an unfinished transaction lies beside it (-journal), and there is no place for a copy in "
                    + "which it can be undone: \(cause.localizedDescription). Let a program that may write the file open it once")
        }
        let undoing = try SQLiteConnection(path: copy, access: .readWrite)
        defer { undoing.close() }
        do {
            _ = try undoing.integer("SELECT COUNT(*) FROM sqlite_master")
            undoing.close()
            let connection = try SQLiteConnection(path: copy, access: .immutable)
            // Its file is open from the first read on.
            _ = try connection.integer("SELECT COUNT(*) FROM sqlite_master")
            return connection
        } catch let cause {
            throw cause as? SQLiteError ?? error
        }
    }
}
