import CoreDataStorage
import Foundation

/// Blobs of attributes that allow external storage: a prefix byte, then the data itself (1) or the name of a file (2).
///
/// Invariant: a file is complete on disk before the row that names it is committed, and is removed only after the row
/// that named it is gone for good. Used under the store's lock.
final class ExternalBlobs {
    let folder: URL
    /// Another folder that may have files of the store: that beside a link to it, of a program that took the link for the store.
    private let other: URL?
    let threshold: Int
    /// Values of this store that somebody holds, by file name.
    private var live: [String: LiveValue] = [:]
    private var sweepAt = 256

    private struct LiveValue { weak var value: ExternalData? }

    private static let inlineMark: UInt8 = 1
    private static let fileMark: UInt8 = 2

    init(folder: URL, other: URL? = nil, threshold: Int) {
        self.folder = folder
        self.other = other
        self.threshold = threshold
    }

    /// What a stored blob holds.
    enum Content {
        case inline(UnsafeRawBufferPointer)
        case file(ExternalData)
    }

    func content(_ stored: UnsafeRawBufferPointer, of attribute: String) -> Content {
        guard let mark = stored.first else { return .inline(stored) }
        if mark == ExternalBlobs.fileMark, let name = ExternalBlobs.fileName(stored) { return .file(value(name, of: attribute)) }
        return .inline(mark == ExternalBlobs.inlineMark ? UnsafeRawBufferPointer(rebasing: stored.dropFirst()) : stored)
    }

    /// One object a file, as long as somebody has it: `retire` must reach every row that shows it.
    private func value(_ name: String, of attribute: String) -> ExternalData {
        if let known = live[name]?.value { return known }
        let made = ExternalData(path: path(name), attribute: attribute)
        live[name] = LiveValue(value: made)
        if live.count > sweepAt {
            live = live.filter { $0.value.value != nil }
            sweepAt = max(256, live.count * 2)
        }
        return made
    }

    private func path(_ name: String) -> String {
        let path = folder.appendingPathComponent(name).path
        guard let other, access(path, F_OK) != 0 else { return path }
        let second = other.appendingPathComponent(name).path
        return access(second, F_OK) == 0 ? second : path
    }

    /// The file a stored blob names, or nil.
    static func fileName(_ stored: UnsafeRawBufferPointer) -> String? {
        guard stored.count == 38, stored.first == fileMark else { return nil }
        let name = String(decoding: stored[1..<37], as: UTF8.self)
        return UUID(uuidString: name) == nil ? nil : name
    }

    /// Puts data into a new file.
    func write(_ data: UnsafeRawBufferPointer, of attribute: String) throws(StoreError) -> ExternalData {
        let name = UUID().uuidString
        try DurableFile.createFolder(folder.path)
        try DurableFile.write(data, to: folder.appendingPathComponent(name).path)
        return value(name, of: attribute)
    }

    /// What a column gets; long data goes into a new file first, whose name is added to `created`.
    func stored(_ data: UnsafeRawBufferPointer, of attribute: String, created: inout [String]) throws(StoreError) -> [UInt8] {
        if data.count <= threshold { return ExternalBlobs.inline(data) }
        let file = try write(data, of: attribute)
        created.append(file.name)
        return ExternalBlobs.stored(file)
    }

    /// Data of any length kept in its row: also for a value that many rows share, which must not share a file.
    static func inline(_ data: some Sequence<UInt8>) -> [UInt8] { [inlineMark] + data }
    static func stored(_ value: ExternalData) -> [UInt8] { [fileMark] + Array(value.name.utf8) + [0] }

    /// Removes files no row names any more. Rows read before still show their values.
    func retire(_ names: some Sequence<String>) {
        for name in names {
            live[name]?.value?.keep()
            try? FileManager.default.removeItem(atPath: path(name))
        }
    }
}
