import CoreData
import CoreDataSQLStorage
import CoreDataStorage
import Foundation
import SQLiteDriver

/// A store's file, opened for looking at it as a database, without its model.
///
/// Invariant: nothing is written, neither into the file nor beside it.
struct StoreFile {
    let url: URL
    let connection: SQLiteConnection
    let metadata: StoreMetadata
    /// The `_EXTERNAL_DATA` folder beside the store, whether it is there or not.
    var externalFolder: URL { StoreFiles.externalFolder(of: url) }

    init(_ path: String) throws {
        url = try StoreFile.existing(path)
        do {
            // Reads the metadata first: its errors tell a database from other files.
            metadata = try StoreFiles.readMetadata(url)
            connection = try TracelessReading.connect(url.path)
        } catch let error as SQLiteError {
            throw StoreError.notADatabase(path: url.path, reason: error.message)
        }
    }

    /// A store as a connection sees it that is open already.
    init(_ url: URL, _ connection: SQLiteConnection, _ metadata: StoreMetadata) {
        (self.url, self.connection, self.metadata) = (url, connection, metadata)
    }

    /// The URL of a file that is there: the file itself, not a link to it, for what belongs to a store stands beside the file.
    ///
    /// `takesAtomic`: whether it may be a binary or XML store.
    static func existing(_ path: String, takesAtomic: Bool = false) throws -> URL {
        if path.isEmpty { throw CommandFailure(.unusable, "STORE is an empty text: name the store’s file.") }
        let url = StoreLocation.resolved(URL(fileURLWithPath: path).standardizedFileURL)
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else {
            let folder = url.deletingLastPathComponent()
            let beside = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            let advice = NearestName.find(url.lastPathComponent, among: beside).map { " Did you mean “\($0)”?" } ?? ""
            throw CommandFailure(.unusable, "There is no store “\(path)”.\(advice)")
        }
        if isDirectory.boolValue { throw CommandFailure(.unusable, "“\(path)” is a folder: name the store’s file in it.") }
        var status = stat()
        if stat(url.path, &status) == 0 {
            if status.st_mode & S_IFMT != S_IFREG { throw CommandFailure(.unusable, "“\(path)” is no regular file, and so no store.") }
            if status.st_size == 0 { throw CommandFailure(.unusable, "“\(path)” is an empty file, and no store.") }
        }
        if !takesAtomic { try refuseAtomicStore(url, path) }
        return url
    }

    /// Core Data's other kinds of stores have no tables.
    private static func refuseAtomicStore(_ url: URL, _ path: String) throws {
        guard let source = try AtomicCopy.Source(url) else { return }
        throw CommandFailure(.unusable, "“\(path)” is \(source.kind) of Core Data’s, which has no tables, keys of rows and queries to look at: this "
            + "command is for SQLite stores. “coredata inspect”, “fetch”, “export” and “import” take it with its model (--model).")
    }

    func hasTable(_ name: String) throws -> Bool {
        try connection.withStatement("SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = ?") { statement in
            try statement.bind(1, name)
            return try statement.step() && statement.integer(0) > 0
        }
    }

    /// A name as SQL may contain it.
    static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
}
