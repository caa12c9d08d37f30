import CoreData
import CoreDataSchema
import CoreDataSQLStorage
import Foundation

/// A binary or XML store as a SQLite store, for the time of one command: such a store is read and written whole, by who has its model.
///
/// Invariant: the copy has the store's UUID, metadata and keys; its folder is gone after `remove()`, or when the process is interrupted.
struct AtomicCopy {
    /// What is known of such a store without its model.
    struct Source {
        let url: URL
        let type: String
        let metadata: [String: Any]
        var kind: String { type == NSXMLStoreType ? "an XML store" : "a binary store" }

        /// nil for any other file. Throws what is wrong with one that begins as such a store.
        init?(_ url: URL) throws {
            guard let type = Source.type(url) else { return nil }
            (self.url, self.type) = (url, type)
            metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
        }

        /// By the first bytes. Binary stores of Apple's are archives.
        private static func type(_ url: URL) -> String? {
            guard let file = try? FileHandle(forReadingFrom: url), let head = try? file.read(upToCount: 256) else { return nil }
            try? file.close()
            if head.drop(while: { [0xEF, 0xBB, 0xBF, 9, 10, 13, 32].contains($0) }).first == UInt8(ascii: "<") { return NSXMLStoreType }
            return ["NLCoreDataBinary", "bplist00"].contains { head.starts(with: Data($0.utf8)) } ? NSBinaryStoreType : nil
        }

        var versionHashes: [String: Data] { metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:] }
    }

    let source: Source
    let url: URL
    private let folder: URL
    private let schema: ModelSchema
    private let found: [Int]
    private let interruption: Int

    init(_ source: Source, _ schema: ModelSchema) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-\(UUID().uuidString)")
        (self.source, self.schema, self.folder) = (source, schema, folder)
        url = folder.appendingPathComponent("store.sqlite")
        found = AtomicCopy.stamp(source.url)
        interruption = Interruption.shared.begin { TemporaryStore.remove(folder) }
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try AtomicCopy.move(source.url, source.type, to: url, NSSQLiteStoreType, schema, source.metadata, isReadOnly: true)
        } catch {
            remove()
            throw error
        }
    }

    /// Makes the store what the copy is now. All of it, or nothing.
    func writeBack() throws {
        let part = source.url.deletingLastPathComponent().appendingPathComponent(".\(source.url.lastPathComponent)-\(UUID().uuidString.prefix(8)).part")
        defer { try? FileManager.default.removeItem(at: part) }
        try AtomicCopy.move(url, NSSQLiteStoreType, to: part, source.type, schema, source.metadata, isReadOnly: false)
        guard AtomicCopy.stamp(source.url) == found else {
            throw CommandFailure(.unusable, "“\(source.url.path)” was changed by another program meanwhile. Nothing was written: run the command again.")
        }
        var status = stat()
        if stat(source.url.path, &status) == 0 { chmod(part.path, status.st_mode & 0o7777) }
        guard rename(part.path, source.url.path) == 0 else {
            throw CommandFailure(.unusable, "“\(source.url.path)” cannot be written: \(String(cString: strerror(errno))).")
        }
    }

    func remove() {
        TemporaryStore.remove(folder)
        Interruption.shared.end(interruption)
    }

    private static func move(
        _ from: URL, _ type: String, to place: URL, _ newType: String, _ schema: ModelSchema, _ metadata: [String: Any], isReadOnly: Bool
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel(schema: schema))
        let old = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: from, options: isReadOnly ? [NSReadOnlyPersistentStoreOption: true] : nil)
        try coordinator.remove(try coordinator.migratePersistentStore(old, to: place, withType: newType))
        var kept = metadata.filter { !$0.key.hasPrefix("NSStore") && !$0.key.hasPrefix("NSPersistence") }
        kept[NSStoreUUIDKey] = metadata[NSStoreUUIDKey]
        try NSPersistentStoreCoordinator.setMetadata(kept, forPersistentStoreOfType: newType, at: place)
    }

    /// What changes when somebody writes the file.
    private static func stamp(_ url: URL) -> [Int] {
        var status = stat()
        guard stat(url.path, &status) == 0 else { return [] }
        return [Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
    }
}
