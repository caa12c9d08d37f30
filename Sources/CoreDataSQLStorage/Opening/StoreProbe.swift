import CoreDataStorage
import Foundation
import SQLiteDriver

/// Looks at a file without changing anything on disk: no lock files, no recovery, no checkpoint.
enum StoreProbe {
    enum Finding: Equatable { case missing, file }

    /// Whether there is a file to open; throws for what can never be one.
    static func find(_ path: String) throws -> Finding {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) {
            if isDirectory.boolValue { throw StoreError.cannotOpen(path: path, reason: "there is a folder of that name. Choose another file.") }
            let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? nil
            // An empty file is what temporary-file makers leave; a store may be made in it.
            return size == 0 && !hasLog(path) ? .missing : .file
        }
        let folder = (path as NSString).deletingLastPathComponent
        guard folder.isEmpty || FileManager.default.fileExists(atPath: folder, isDirectory: &isDirectory) else {
            throw StoreError.cannotOpen(path: path, reason: "the folder “\(folder)” does not exist. Create it first.")
        }
        if !folder.isEmpty, !isDirectory.boolValue {
            throw StoreError.cannotOpen(path: path, reason: "“\(folder)” is not a folder. Choose another place.")
        }
        return .missing
    }

    static func hasLog(_ path: String) -> Bool {
        let size = try? FileManager.default.attributesOfItem(atPath: StoreLocation.resolved(path) + "-wal")[.size] as? Int
        return (size ?? nil ?? 0) > 0
    }

    /// A connection that leaves no trace. Close it before anything else opens the file for writing.
    static func open(_ path: String, busyTimeout: Double = 0) throws -> ProbeConnection {
        do {
            let probe = try ProbeConnection(path)
            probe.connection.setBusyTimeout(milliseconds: Int32(clamping: Int(max(0, min(busyTimeout, 86_400)) * 1000)))
            _ = try probe.connection.integer("SELECT COUNT(*) FROM sqlite_master")
            return probe
        } catch let error as SQLiteError {
            if error.isCannotOpen { throw StoreError(error, path: path) }
            if error.isBusy { throw StoreError.busy(path: path, seconds: busyTimeout) }
            throw StoreError.notADatabase(path: path, reason: error.message)
        }
    }

    /// Throws unless the tables every Core Data store has are there.
    static func checkSystemTables(_ connection: SQLiteConnection, path: String) throws {
        for table in ["Z_METADATA", "Z_PRIMARYKEY"] {
            let count = try connection.integer("SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = '\(table)'")
            guard count == 1 else {
                throw StoreError.notACoreDataStore(path: path, reason: "it has no table \(table)")
            }
        }
    }

    static func metadata(_ path: String) throws -> StoreMetadata { try withStore(path) { $1 } }

    /// Runs `body` on a store that is there, in the way that leaves no trace.
    static func withStore<Result>(_ path: String, _ body: (SQLiteConnection, StoreMetadata) throws -> Result) throws -> Result {
        guard try find(path) == .file else {
            throw StoreError.cannotOpen(path: path, reason: "there is no such file.")
        }
        let probe = try open(path)
        defer { probe.close() }
        do {
            try checkSystemTables(probe.connection, path: path)
            return try body(probe.connection, try StoreMetadataFile.read(probe.connection, path: path))
        } catch let error as SQLiteError {
            throw StoreError(error, path: path)
        }
    }
}

/// Reads a database in the way that changes nothing, whichever siblings it has.
final class ProbeConnection {
    let connection: SQLiteConnection

    init(_ path: String) throws {
        connection = OpenStores.contains(path)
            ? try SQLiteConnection(path: path, access: .readOnly) : try TracelessReading.connect(path)
    }

    deinit { close() }

    func close() { connection.close() }
}

extension StoreError {
    /// A SQLite failure in the words of the store contract.
    init(_ error: SQLiteError, path: String, busyTimeout: Double = 0) {
        if error.isFull {
            self = .diskFull(path: path)
        } else if error.isBusy {
            self = .busy(path: path, seconds: busyTimeout)
        } else if error.isMoved {
            self = .moved(path: path)
        } else if error.isReadOnly {
            self = .readOnly(path: path)
        } else if error.isNotADatabase {
            self = .notADatabase(path: path, reason: error.message)
        } else if error.isCannotOpen {
            self = .cannotOpen(path: path, reason: OpeningObstacle.reason(path, message: error.message))
        } else {
            self = .sqlite(path: path, code: error.extendedCode, message: error.message, sql: error.sql)
        }
    }
}
