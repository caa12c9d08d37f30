import CoreDataSQLStorage
import CoreDataStorage
import Foundation
import SQLiteDriver

/// What keeps a store from being repaired; looked for before anything is written.
enum RepairObstacle {
    /// For people; nil when the store can be written.
    static func find(_ path: String) throws -> String? {
        let url = try StoreFile.existing(path), files = FileManager.default
        if !files.isWritableFile(atPath: url.path) { return "the store’s file cannot be written." }
        if !files.isWritableFile(atPath: url.deletingLastPathComponent().path) { return "the store’s folder cannot be written." }
        guard let connection = try? TracelessReading.connect(url.path) else { return nil }
        defer { connection.close() }
        let tables = try? connection.integer("SELECT COUNT(*) FROM sqlite_master WHERE name IN ('ATRANSACTION', 'ACHANGE')")
        if tables == 2 { return "the store keeps persistent history, which would not know of the repair. Let the app that owns it put it right." }
        return try? trigger(connection).map { name in
            "the trigger “\(name)” is none of Core Data’s, and would do something nobody knows. Drop it (its text is in sqlite_master), repair, and "
                + "make it again."
        }
    }

    /// The first trigger that Core Data has not made: its own keep derived attributes (`Z_DA_`, `ZT_`) and spatial indexes (`Z_RT_`).
    private static func trigger(_ connection: SQLiteConnection) throws -> String? {
        try connection.text(
            "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name NOT GLOB 'Z_DA_*' AND name NOT GLOB 'Z_RT_*' "
                + "AND name NOT GLOB 'ZT_*' ORDER BY name")
    }

    /// Throws when somebody else is writing to the store; leaves nothing behind.
    static func tryLock(_ path: String) throws {
        let connection = try SQLiteConnection(path: try StoreFile.existing(path).path, access: .readWrite)
        defer { connection.close() }
        connection.setBusyTimeout(milliseconds: 2000)
        do { try connection.transaction(.immediate) { ((), .rollBack) } } catch let error as SQLiteError where error.isBusy {
            throw CommandFailure(.unusable, "“\(path)” is being written by another program, and nothing was repaired. Try again when it is done.")
        }
    }
}
