import Foundation

extension GeneratedFile {
    /// Puts files into a folder, which is made if it does not exist. Unchanged ones are left alone, so that what depends on them is
    /// not built again.
    @discardableResult
    package static func write(_ files: [GeneratedFile], to folder: URL) throws -> [(url: URL, changed: Bool)] {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return try files.map { file in
            let url = folder.appendingPathComponent(file.name), data = Data(file.text.utf8)
            if FileManager.default.contents(atPath: url.path) == data { return (url, false) }
            try data.write(to: url, options: .atomic)
            return (url, true)
        }
    }
}
