import CoreDataSQLStorage
import CoreDataStorage

/// What can be done with the files of a store that nobody opens for it, by its type.
enum StoreFileAccess {
    case sqlite
    case atomic(AtomicFiles)
    /// Stores in memory have no files: there is nothing to remove, and nothing to read.
    case memory

    func readMetadata(_ url: URL) throws -> StoreMetadata {
        switch self {
        case .sqlite: try StoreFiles.readMetadata(url)
        case .atomic(let files): try files.readMetadata(url)
        case .memory: throw withoutFile(url)
        }
    }

    func writeMetadata(_ metadata: StoreMetadata, to url: URL) throws {
        switch self {
        case .sqlite: try StoreFiles.writeMetadata(metadata, to: url)
        case .atomic(let files): try files.writeMetadata(metadata, to: url)
        case .memory: throw withoutFile(url)
        }
    }

    /// Throws when there is no store to copy.
    func checkSource(_ url: URL) throws { _ = try readMetadata(url) }

    func destroy(_ url: URL, isForced: Bool) throws {
        switch self {
        case .sqlite: try StoreFiles.destroy(url, isForced: isForced)
        case .atomic(let files): try files.destroy(url, isForced: isForced)
        case .memory: break
        }
    }

    func replace(_ url: URL, with source: URL, isForced: Bool) throws {
        switch self {
        case .sqlite: try StoreFiles.replace(url, with: source, isForced: isForced)
        case .atomic(let files): try files.replace(url, with: source, isForced: isForced)
        case .memory: throw withoutFile(source)
        }
    }

    private func withoutFile(_ url: URL) -> StoreError { .cannotOpen(path: url.path, reason: "a store in memory has no file.") }
}

extension StoreRequest {
    func files() throws -> StoreFileAccess {
        guard url?.isFileURL != false else {
            throw StoreError.cannotOpen(path: url?.absoluteString ?? "(none)", reason: "a store’s URL must be a file URL.")
        }
        switch type {
        case NSSQLiteStoreType: return .sqlite
        case NSInMemoryStoreType: return .memory
        default:
            if let format = AtomicFormat(type: type) { return .atomic(AtomicFiles(format: format)) }
            guard StoreClasses.storeClass(ofType: type) != nil else { throw StoreOpening.unknownType(type) }
            throw StoreError.unsupported("The files of a store of the program’s own type “\(type)” are known to its class alone: remove or copy "
                + "them with FileManager.")
        }
    }
}
