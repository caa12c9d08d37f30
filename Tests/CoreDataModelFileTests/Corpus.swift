import Foundation

/// Real model files, read where they lie; absent on machines that do not have them.
enum Corpus {
    /// The folder that holds `corpus`.
    static let root: URL? = {
        let manager = FileManager.default
        var candidates: [URL] = []
        if let named = ProcessInfo.processInfo.environment["COREDATA_CORPUS"] { candidates.append(URL(fileURLWithPath: named)) }
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<6 {
            folder.deleteLastPathComponent()
            candidates.append(folder.appendingPathComponent("shared"))
        }
        return candidates.first { manager.fileExists(atPath: $0.appendingPathComponent("corpus/INDEX.tsv").path) }
    }()

    static var isPresent: Bool { root != nil }

    static func url(_ path: String) -> URL? { root?.appendingPathComponent("corpus/\(path)") }

    /// Files and folders under a folder of the corpus whose name ends in an extension or is the name itself.
    static func all(_ ending: String, under folder: String) -> [URL] {
        guard let base = url(folder), let walker = FileManager.default.enumerator(at: base, includingPropertiesForKeys: nil) else { return [] }
        return walker.compactMap { $0 as? URL }.filter { $0.lastPathComponent == ending || $0.pathExtension == ending }.sorted { $0.path < $1.path }
    }
}
