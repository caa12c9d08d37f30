import Foundation

/// The folder in which a store is made before it takes its place.
enum TemporaryStore {
    /// Removes the folder, whatever its database may be writing into it meanwhile.
    static func remove(_ folder: URL) {
        for _ in 0..<5 {
            try? FileManager.default.removeItem(at: folder)
            if !FileManager.default.fileExists(atPath: folder.path) { return }
        }
    }
}
