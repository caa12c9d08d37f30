import CoreDataSQLStorage
import CoreDataStorage

/// What is done with the file of an atomic store that nobody opens for it.
struct AtomicFiles {
    let format: AtomicFormat

    func readMetadata(_ url: URL) throws -> StoreMetadata { try format.metadata(of: file(url), path: url.path) }

    func writeMetadata(_ metadata: StoreMetadata, to url: URL) throws {
        let bytes = try format.replacing(metadata, in: file(url), path: url.path)
        try bytes.withUnsafeBytes { try DurableFile.replace($0, at: url.path) }
    }

    /// A file that is no store of the type stays, unless forced; a missing one is fine.
    func destroy(_ url: URL, isForced: Bool) throws {
        if !isForced { try refuseForeignFile(url) }
        try AtomicFile.checkFolder(of: url)
        guard unlink(url.path) == 0 || errno == ENOENT else {
            throw StoreError.cannotOpen(path: url.path, reason: "it cannot be removed: \(String(cString: strerror(errno)))")
        }
    }

    func replace(_ target: URL, with source: URL, isForced: Bool) throws {
        let bytes = try file(source)
        _ = try format.metadata(of: bytes, path: source.path)
        if !isForced { try refuseForeignFile(target) }
        try AtomicFile.checkFolder(of: target)
        try bytes.withUnsafeBytes { try DurableFile.replace($0, at: target.path) }
    }

    /// Puts a new store in the place of another of the type, or of none.
    func put(_ bytes: [UInt8], at url: URL) throws {
        try refuseForeignFile(url)
        try AtomicFile.checkFolder(of: url)
        try bytes.withUnsafeBytes { try DurableFile.replace($0, at: url.path) }
    }

    private func refuseForeignFile(_ url: URL) throws {
        guard let found = try AtomicFile.read(url) else { return }
        _ = try format.metadata(of: found, path: url.path)
    }

    private func file(_ url: URL) throws -> Data {
        guard let data = try AtomicFile.read(url) else {
            throw StoreError.cannotOpen(path: url.path, reason: "there is no such file, or it is empty.")
        }
        return data
    }
}
