import Foundation
import SQLiteDriver

/// Opens a database so that reading it makes no file, changes none and copies none, its log honoured. Works on media that
/// nobody can write.
///
/// Why not simply read-only: SQLite makes a `-wal` and a `-shm` to read a database in WAL mode, and a connection for reading
/// only leaves them behind.
package enum TracelessReading {
    package static func connect(_ path: String) throws(SQLiteError) -> SQLiteConnection {
        try SQLiteConnection(path: path, access: access(path))
    }

    static func access(_ path: String) -> SQLiteConnection.Access {
        // Somebody has it open: the index that is there is used as it is.
        if SharedIndex.isInUse(path) { return .readOnlyWithoutSharedMemory }
        if StoreProbe.hasLog(path) { return .readOnlyAlone }
        // In WAL mode nobody can have it open without a `-shm`. With a rollback journal SQLite's own locks make no file.
        return isInWALMode(path) ? .immutable : .readOnly
    }

    /// Bytes 18 and 19 of the header: the versions needed for writing and reading.
    private static func isInWALMode(_ path: String) -> Bool {
        guard let file = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)) else { return false }
        defer { try? file.close() }
        guard let head = try? file.read(upToCount: 20), head.count == 20 else { return false }
        return head[head.startIndex + 19] == 2
    }
}
