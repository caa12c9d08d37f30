import CoreDataSQLStorage
import CoreDataSchema
import CoreDataStorage

/// The file of an atomic store that is open.
final class AtomicFile: StoreKeeper {
    let format: AtomicFormat
    let isReadOnly: Bool
    private let place: LockedValue<Place>

    private struct Place {
        var url: URL
        /// The file as it was read or written last; nil where there is none.
        var stamp: FileStamp?
    }

    /// `stamp` is taken before the file is read: what changes it afterwards is noticed.
    init(_ format: AtomicFormat, _ url: URL, stamp: FileStamp?, isReadOnly: Bool) {
        self.format = format
        self.isReadOnly = isReadOnly
        place = LockedValue(Place(url: url, stamp: stamp))
    }

    var isUpToDate: Bool { place.withLock { $0.stamp != nil && FileStamp($0.url.path) == $0.stamp } }

    /// Nobody else's changes are overwritten; a file that is gone is written again, for the store has all of it.
    func keep(_ change: StoreChange) throws {
        let bytes = try format.encode(change.content, change.metadata)
        try place.withLock { place in
            if isReadOnly { throw StoreError.readOnly(path: place.url.path) }
            if let found = FileStamp(place.url.path), found != place.stamp { throw StoreError.moved(path: place.url.path) }
            try bytes.withUnsafeBytes { try DurableFile.replace($0, at: place.url.path) }
            place.stamp = FileStamp(place.url.path)
        }
    }

    /// The next change is written there, whatever is there.
    func move(to url: URL) throws {
        try AtomicFile.checkFolder(of: url)
        place.withLock { $0 = Place(url: url, stamp: FileStamp(url.path)) }
    }

    static func checkFolder(of url: URL) throws(StoreError) {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue {
            throw .cannotOpen(path: url.path, reason: "there is a folder of that name. Choose another file.")
        }
        let folder = url.deletingLastPathComponent().path
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw .cannotOpen(path: url.path, reason: "the folder “\(folder)” does not exist. Create it first.")
        }
    }

    /// The bytes of a file; nil when there is none, or an empty one.
    static func read(_ url: URL) throws(StoreError) -> Data? {
        try checkFolder(of: url)
        guard FileManager.default.fileExists(atPath: url.path) else { return nil }
        do {
            let data = try Data(contentsOf: url)
            return data.isEmpty ? nil : data
        } catch { throw .cannotOpen(path: url.path, reason: error.localizedDescription) }
    }
}

/// What tells a file from another one in its place, or from itself changed.
struct FileStamp: Equatable, Sendable {
    private let inode: ino_t
    private let size: off_t
    private let seconds: Int
    private let nanoseconds: Int

    /// nil when there is no file.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        inode = status.st_ino
        size = status.st_size
        seconds = status.st_mtim.tv_sec
        nanoseconds = status.st_mtim.tv_nsec
    }
}
