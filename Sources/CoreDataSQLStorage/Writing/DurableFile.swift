import CoreDataStorage
import Foundation

/// Files that are on the disk when the call returns, not only in the system's memory.
package enum DurableFile {
    /// Puts a file in the place of another, or of none, in one step: whoever reads meanwhile finds one of them whole.
    package static func replace(_ bytes: UnsafeRawBufferPointer, at path: String) throws(StoreError) {
        let name = (path as NSString).lastPathComponent, folder = (path as NSString).deletingLastPathComponent
        let part = (folder as NSString).appendingPathComponent(".\(name)-\(UUID().uuidString)")
        try write(bytes, to: part)
        guard rename(part, path) == 0 else {
            let error = failure(path)
            unlink(part)
            throw error
        }
        synchronise(folder: folder)
    }

    /// Writes a new file; what it could not finish it takes away again.
    static func write(_ bytes: UnsafeRawBufferPointer, to path: String) throws(StoreError) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw failure(path) }
        var rest = bytes
        while !rest.isEmpty {
            let count = Foundation.write(file, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw abandoned(file, path) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        guard fsync(file) == 0 else { throw abandoned(file, path) }
        close(file)
        synchronise(folder: (path as NSString).deletingLastPathComponent)
    }

    /// Makes the folder and those above it, each known to the one that holds it.
    static func createFolder(_ path: String) throws(StoreError) {
        if access(path, F_OK) == 0 { return }
        let parent = (path as NSString).deletingLastPathComponent
        if !parent.isEmpty, parent != path { try createFolder(parent) }
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw failure(path) }
        synchronise(folder: parent)
    }

    /// A folder's list of names. Some file systems cannot; the file itself is safe then.
    static func synchronise(folder: String) {
        let handle = open(folder.isEmpty ? "." : folder, O_RDONLY | O_CLOEXEC)
        guard handle >= 0 else { return }
        fsync(handle)
        close(handle)
    }

    private static func abandoned(_ file: Int32, _ path: String) -> StoreError {
        let error = failure(path)
        close(file)
        unlink(path)
        return error
    }

    private static func failure(_ path: String) -> StoreError {
        let code = errno
        if code == ENOSPC || code == EDQUOT { return .diskFull(path: path) }
        return .cannotOpen(path: path, reason: String(cString: strerror(code)))
    }
}
