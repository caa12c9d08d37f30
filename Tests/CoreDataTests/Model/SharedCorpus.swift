import Foundation

/// The real models outside the repository, where they are present.
enum SharedCorpus {
    static let folder: URL? = {
        let named = ProcessInfo.processInfo.environment["COREDATA_CORPUS"].map { URL(fileURLWithPath: $0) }
        let beside = URL(fileURLWithPath: FileManager.default.currentDirectoryPath).appendingPathComponent("../shared")
        let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let upward = (1...8).map { level in (0..<level).reduce(source) { url, _ in url.deletingLastPathComponent() } }
            .map { $0.appendingPathComponent("shared") }
        return ([named, beside].compactMap { $0 } + upward)
            .first { FileManager.default.fileExists(atPath: $0.appendingPathComponent("corpus/models").path) }?
            .appendingPathComponent("corpus/models")
    }()

    /// Every model file or folder that holds versions.
    static func models() -> [URL] {
        guard let folder, let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else { return [] }
        var found: [URL] = []
        for case let url as URL in walk where ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) {
            found.append(url)
            walk.skipDescendants()
        }
        return found.sorted { $0.path < $1.path }
    }
}
