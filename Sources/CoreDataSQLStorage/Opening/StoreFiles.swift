import CoreDataStorage
import Foundation
import SQLiteDriver

/// A store's files as one thing: the database, its `-wal` and `-shm`, and the folder of external blobs.
package enum StoreFiles {
    package static func exists(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) && !isDirectory.boolValue
    }

    package static let suffixes = ["-wal", "-shm", "-journal"]

    /// `.<name without extension>_SUPPORT` beside the store itself, wherever links to it stand.
    package static func supportFolder(of url: URL) -> URL { supportFolder(named: StoreLocation.resolved(url)) }

    private static func supportFolder(named url: URL) -> URL {
        let name = url.deletingPathExtension().lastPathComponent
        return url.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT")
    }

    package static func externalFolder(of url: URL) -> URL { supportFolder(of: url).appendingPathComponent("_EXTERNAL_DATA") }

    /// Where a program that took a link for the store itself has put the store's files; nil when the path is no link.
    package static func externalFolderBesideLink(_ url: URL) -> URL? {
        StoreLocation.resolved(url.path) == url.path ? nil : supportFolder(named: url).appendingPathComponent("_EXTERNAL_DATA")
    }

    /// Copies a consistent state of the store, open or not, to a place where there is none. Either the whole copy is there
    /// afterwards or nothing.
    package static func copy(from source: URL, to target: URL) throws {
        guard exists(source) else { throw StoreError.cannotOpen(path: source.path, reason: "there is no such file.") }
        let target = StoreLocation.resolved(target)
        guard !FileManager.default.fileExists(atPath: target.path) else {
            throw StoreError.cannotOpen(path: target.path, reason: "there is a file of that name already; it was left as it is.")
        }
        try place(source, at: target)
    }

    /// Puts a copy of `source` in the place of `target`, whether there is one or not. Nobody may have `target` open. What is
    /// there and no database stays, unless forced.
    package static func replace(_ target: URL, with source: URL, isForced: Bool = false) throws {
        try checkSource(source)
        let source = StoreLocation.resolved(source), target = StoreLocation.resolved(target)
        guard source.standardizedFileURL.path != target.standardizedFileURL.path else { return }
        try checkTarget(target, isForced: isForced)
        try place(source, at: target, isForced: isForced)
    }

    /// Throws when what is at the place must stay there.
    static func checkTarget(_ target: URL, isForced: Bool = false) throws {
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: target.path, isDirectory: &isDirectory), isDirectory.boolValue {
            throw StoreError.cannotOpen(path: target.path, reason: "there is a folder of that name.")
        }
        if !isForced {
            try refuseForeignFile(target)
            try refuseFileInUse(target)
        }
    }

    /// Throws when there is nothing to copy: a folder, no file, or a file that is no store.
    package static func checkSource(_ source: URL) throws { _ = try StoreProbe.metadata(source.path) }

    /// Removes the store, its siblings and its external blobs. A missing file is fine, a missing folder is an error. What is no
    /// database stays, unless forced.
    package static func destroy(_ url: URL, isForced: Bool = false) throws {
        let store = StoreLocation.resolved(url)
        if try StoreProbe.find(store.path) != .missing || exists(store) {
            if !isForced {
                try refuseForeignFile(store)
                try refuseFileInUse(store)
            }
            try remove(store)
        }
        try removeSiblings(of: store)
        if store.path != url.path { try remove(url) }
    }

    /// What another process has open would be changed under its hands. (In this one, `StoreError.moved` tells whoever saves.)
    private static func refuseFileInUse(_ url: URL) throws {
        guard FileLocks.isHeldElsewhere(url.path) || FileLocks.isHeldElsewhere(url.path + "-shm") else { return }
        throw StoreError.busy(path: url.path, seconds: 0)
    }

    /// Somebody's letter under a store's name must not be lost: a file that holds anything must begin as SQLite's do.
    private static func refuseForeignFile(_ url: URL) throws {
        guard exists(url) else { return }
        let file: FileHandle
        do { file = try FileHandle(forReadingFrom: url) } catch {
            throw StoreError.cannotOpen(path: url.path, reason: error.localizedDescription)
        }
        defer { try? file.close() }
        let head = try file.read(upToCount: 16) ?? Data()
        guard head.isEmpty || head == Data("SQLite format 3\0".utf8) else {
            throw StoreError.notADatabase(path: url.path, reason: "it does not begin as a database does")
        }
    }

    /// The metadata of a store that need not be open, without its model and without a trace on disk.
    package static func readMetadata(_ url: URL) throws -> StoreMetadata { try StoreProbe.metadata(url.path) }

    /// Replaces the metadata of a store that need not be open. `identifier` becomes its UUID.
    package static func writeMetadata(_ metadata: StoreMetadata, to url: URL, busyTimeout: Double = 10) throws {
        _ = try StoreProbe.metadata(url.path)
        do {
            let connection = try SQLiteConnection(path: url.path, access: .readWrite)
            defer { connection.close() }
            connection.setBusyTimeout(milliseconds: Int32(clamping: Int(busyTimeout * 1000)))
            try connection.transaction(.immediate) { (try StoreMetadataFile.write(metadata, to: connection), .commit) }
        } catch let error as SQLiteError {
            throw StoreError(error, path: url.path, busyTimeout: busyTimeout)
        }
    }

    // MARK: moving files

    /// Folders of the store's files other than its own.
    private static func strays(of source: URL) -> [URL] { externalFolderBesideLink(source).map { [$0.deletingLastPathComponent()] } ?? [] }

    private static func place(_ source: URL, at target: URL, isForced: Bool = false) throws {
        try place(at: target, filesOf: source, isForced: isForced) { copy in
            let probe = try StoreProbe.open(source.path)
            defer { probe.close() }
            try probe.connection.backUp(to: copy)
        }
    }

    /// Makes a temporary file beside the target, which `fill` fills, then moves it there in one step, with the source's external files.
    static func place(at target: URL, filesOf source: URL, isForced: Bool, fill: (SQLiteConnection) throws -> Void) throws {
        let target = StoreLocation.resolved(target)
        _ = try StoreProbe.find(target.path)
        let temporary = target.deletingLastPathComponent().appendingPathComponent(".\(target.lastPathComponent)-\(UUID().uuidString)")
        // Files have names of their own, so both stores' can lie side by side while one database takes the other's place. Twice:
        // a source in use may drop a file before its database is copied, and gain one until it is.
        var files = SupportFiles(from: [supportFolder(of: source)] + strays(of: source), to: supportFolder(of: target))
        do {
            try files.copy()
            let copy = try SQLiteConnection(path: temporary.path, access: .create)
            defer { copy.close() }
            try fill(copy)
        } catch {
            try? remove(temporary)
            files.withdraw()
            if let error = error as? SQLiteError { throw StoreError(error, path: target.path) }
            throw error
        }
        do {
            try files.copy()
            try emptyLog(of: target, isForced: isForced)
            for suffix in suffixes { try remove(URL(fileURLWithPath: target.path + suffix)) }
            guard rename(temporary.path, target.path) == 0 else {
                throw StoreError.cannotOpen(path: target.path, reason: String(cString: strerror(errno)))
            }
        } catch {
            try? remove(temporary)
            files.withdraw()
            throw error
        }
        DurableFile.synchronise(folder: target.deletingLastPathComponent().path)
        files.removeOthers()
    }

    /// Moves the log of a database that is about to be replaced into it, and undoes what a journal says was begun: without them
    /// the old file must be whole until the new one takes its place.
    private static func emptyLog(of target: URL, isForced: Bool) throws {
        guard exists(target), suffixes.contains(where: { exists(URL(fileURLWithPath: target.path + $0)) }) else { return }
        do {
            let connection = try SQLiteConnection(path: target.path, access: .readWrite)
            defer { connection.close() }
            connection.setBusyTimeout(milliseconds: 2000)
            _ = try connection.integer("SELECT COUNT(*) FROM sqlite_master")
            try connection.checkpoint()
        } catch let error as SQLiteError {
            // Damaged: there is nothing that could stay whole.
            if isForced || error.isNotADatabase { return }
            throw StoreError(error, path: target.path, busyTimeout: 2)
        }
    }

    private static func removeSiblings(of url: URL) throws {
        for suffix in suffixes { try remove(URL(fileURLWithPath: url.path + suffix)) }
        let support = supportFolder(of: url)
        if FileManager.default.fileExists(atPath: support.path) { try FileManager.default.removeItem(at: support) }
    }

    private static func remove(_ url: URL) throws {
        if unlink(url.path) != 0, errno != ENOENT {
            throw StoreError.cannotOpen(path: url.path, reason: "it cannot be removed: \(String(cString: strerror(errno)))")
        }
    }
}
