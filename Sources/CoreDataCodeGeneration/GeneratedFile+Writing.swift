import Foundation

extension GeneratedFile {
    /// Puts files into a folder, which is made if it does not exist; beginnings of the program's own files go to a folder of theirs.
    /// Unchanged files are left alone, so that what depends on them is not built again, and beginnings wherever there is a file.
    @discardableResult
    package static func write(_ files: [GeneratedFile], to folder: URL, starts: URL? = nil) throws -> [(url: URL, changed: Bool)] {
        for folder in [folder, starts].compactMap(\.self) { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
        return try files.map { file in
            let url = (file.isStart ? starts ?? folder : folder).appendingPathComponent(file.name), data = Data(file.text.utf8)
            if file.isStart, FileManager.default.fileExists(atPath: url.path) { return (url, false) }
            if FileManager.default.contents(atPath: url.path) == data { return (url, false) }
            try data.write(to: url, options: .atomic)
            return (url, true)
        }
    }
}
