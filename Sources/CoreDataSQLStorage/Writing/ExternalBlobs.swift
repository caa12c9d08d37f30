import CoreDataStorage
import Foundation

/// Blobs of attributes that allow external storage: a prefix byte, then the data itself (1) or the name of a file (2).
///
/// Invariant: a file is complete on disk before the row that names it is committed, and is removed only after the row
/// that named it is gone.
struct ExternalBlobs {
    let folder: URL
    let threshold: Int

    private static let inlineMark: UInt8 = 1
    private static let fileMark: UInt8 = 2

    /// The data behind a stored blob. A file's bytes are added to `keep`, which must outlive the result.
    func read(_ stored: UnsafeRawBufferPointer, keep: inout [HeapBytes]) throws -> UnsafeRawBufferPointer {
        guard let mark = stored.first else { return stored }
        if mark == ExternalBlobs.fileMark, let name = ExternalBlobs.fileName(stored) {
            let file = folder.appendingPathComponent(name)
            guard let data = try? Data(contentsOf: file) else {
                throw StoreError.cannotOpen(
                    path: file.path, reason: "the file with an external binary value is missing or unreadable. Restore the folder “\(folder.path)” beside the store.")
            }
            let bytes = HeapBytes(data)
            keep.append(bytes)
            return bytes.span
        }
        return mark == ExternalBlobs.inlineMark ? UnsafeRawBufferPointer(rebasing: stored.dropFirst()) : stored
    }

    /// The file a stored blob names, or nil.
    static func fileName(_ stored: UnsafeRawBufferPointer) -> String? {
        guard stored.count == 38, stored.first == fileMark else { return nil }
        let name = String(decoding: stored[1..<37], as: UTF8.self)
        return UUID(uuidString: name) == nil ? nil : name
    }

    /// What to put into the column; long data is written to a new file first, whose name is added to `created`.
    func write(_ data: UnsafeRawBufferPointer, created: inout [String]) throws -> [UInt8] {
        if data.count <= threshold { return [ExternalBlobs.inlineMark] + data }
        let name = UUID().uuidString
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(data).write(to: folder.appendingPathComponent(name), options: .atomic)
        } catch {
            throw StoreError.cannotOpen(path: folder.appendingPathComponent(name).path, reason: "\(error.localizedDescription)")
        }
        created.append(name)
        return [ExternalBlobs.fileMark] + Array(name.utf8) + [0]
    }

    /// Data of any length kept in its row: for a value that many rows share, which must not share a file.
    static func inline(_ data: some Sequence<UInt8>) -> [UInt8] { [inlineMark] + data }

    func remove(_ names: [String]) {
        for name in names { try? FileManager.default.removeItem(at: folder.appendingPathComponent(name)) }
    }
}

/// Bytes at an address that stays, as long as the object does.
final class HeapBytes {
    private let buffer: UnsafeMutableRawBufferPointer

    init(_ data: some Collection<UInt8>) {
        buffer = .allocate(byteCount: data.count, alignment: 1)
        buffer.copyBytes(from: data)
    }

    var span: UnsafeRawBufferPointer { UnsafeRawBufferPointer(buffer) }

    deinit { buffer.deallocate() }
}
