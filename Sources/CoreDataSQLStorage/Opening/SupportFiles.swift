import CoreDataStorage
import Foundation

/// The files beside a store that hold its long binary values, on their way to another place.
///
/// Invariant: names are new with every value, so files of two stores can lie in one folder.
struct SupportFiles {
    /// The store's folder, then others that may have files of it.
    private let sources: [URL]
    private let target: URL
    /// Paths of the sources' files, seen from their folder.
    private var wanted: Set<String> = []
    private var added: Set<String> = []

    init(from sources: [URL], to target: URL) {
        self.sources = sources
        self.target = target
    }

    /// Copies what is not there yet, each file in one step.
    mutating func copy() throws {
        for source in sources {
            for path in SupportFiles.regularFiles(in: source) where wanted.insert(path).inserted {
                let new = target.appendingPathComponent(path)
                if FileManager.default.fileExists(atPath: new.path) { continue }
                if try SupportFiles.copy(source.appendingPathComponent(path), to: new) { added.insert(path) } else { wanted.remove(path) }
            }
        }
    }

    /// False when the file is gone: a store in use drops those whose values are replaced.
    private static func copy(_ old: URL, to new: URL) throws -> Bool {
        let folder = new.deletingLastPathComponent()
        let part = folder.appendingPathComponent(".\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: old, to: part)
            guard rename(part.path, new.path) == 0 else {
                throw StoreError.cannotOpen(path: new.path, reason: String(cString: strerror(errno)))
            }
            return true
        } catch {
            try? FileManager.default.removeItem(at: part)
            if !FileManager.default.fileExists(atPath: old.path) { return false }
            throw (error as? StoreError) ?? StoreError.cannotOpen(path: new.path, reason: error.localizedDescription)
        }
    }

    /// Takes back what was copied.
    func withdraw() {
        for path in added { try? FileManager.default.removeItem(at: target.appendingPathComponent(path)) }
        removeIfEmpty()
    }

    /// Removes the files of the store that was there before. What cannot be removed is in nobody's way.
    func removeOthers() {
        for path in SupportFiles.regularFiles(in: target) where !wanted.contains(path) {
            try? FileManager.default.removeItem(at: target.appendingPathComponent(path))
        }
        removeIfEmpty()
    }

    private func removeIfEmpty() {
        if SupportFiles.regularFiles(in: target).isEmpty { try? FileManager.default.removeItem(at: target) }
    }

    private static func regularFiles(in folder: URL) -> [String] {
        (FileManager.default.subpaths(atPath: folder.path) ?? []).filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path, isDirectory: &isFolder) && !isFolder.boolValue
        }
    }
}
