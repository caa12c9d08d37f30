import Foundation

/// The real models and stores that tests read in place, outside the package.
///
/// Invariant: nothing is copied or changed; `folder` is nil when there is no corpus here, and then tests say that they skip.
package enum Corpus {
    /// The folder that holds `corpus`: the environment's `COREDATA_CORPUS`, else `shared` beside the package.
    package static let folder: URL? = {
        let candidates = [ProcessInfo.processInfo.environment["COREDATA_CORPUS"], packageRoot.map { $0 + "/../shared" }]
        for case let path? in candidates where FileManager.default.fileExists(atPath: path + "/corpus") {
            return URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL
        }
        return nil
    }()

    package static var isPresent: Bool { folder != nil }

    /// The nearest folder above this file or the working directory that has both Package.swift and Sources.
    private static let packageRoot: String? = {
        for start in [#filePath, FileManager.default.currentDirectoryPath + "/x"] {
            var folder = URL(fileURLWithPath: start).resolvingSymlinksInPath().deletingLastPathComponent()
            while folder.path.count > 1 {
                let isRoot = ["Package.swift", "Sources"].allSatisfy {
                    FileManager.default.fileExists(atPath: folder.appendingPathComponent($0).path)
                }
                if isRoot { return folder.path }
                folder.deleteLastPathComponent()
            }
        }
        return nil
    }()

    /// A file or folder of `shared`; nil when it is not there.
    package static func url(_ path: String) -> URL? {
        guard let url = folder?.appendingPathComponent(path), FileManager.default.fileExists(atPath: url.path) else { return nil }
        return url
    }

    /// Files below a folder of `shared` whose names pass, in order; says aloud how many, or that it skips.
    package static func files(below path: String, _ passes: (URL) -> Bool) -> [URL] {
        guard let top = url(path), let walk = FileManager.default.enumerator(at: top, includingPropertiesForKeys: nil) else {
            skip(path)
            return []
        }
        let files = walk.compactMap { $0 as? URL }.filter(passes).sorted { $0.path < $1.path }
        say("\(path): \(files.count) files")
        return files
    }

    /// Files and folders below a folder of `shared` that end in an extension or bear the name itself, in order.
    package static func all(_ ending: String, under path: String) -> [URL] {
        files(below: path) { $0.lastPathComponent == ending || $0.pathExtension == ending }
    }

    /// The source models: bundles of versions, and versions that lie alone.
    package static func models() -> [URL] {
        let models = all("xcdatamodeld", under: "corpus/models")
        let alone = all("xcdatamodel", under: "corpus/models").filter { $0.deletingLastPathComponent().pathExtension != "xcdatamodeld" }
        return (models + alone).sorted { $0.path < $1.path }
    }

    /// Says how many cases of the corpus a test ran.
    package static func say(_ what: String) { print("corpus: \(what)") }

    /// Says that a test is skipped for want of the corpus.
    package static func skip(_ what: String) {
        print("corpus: SKIPPED \(what): no corpus beside the package and COREDATA_CORPUS is not set to its parent folder")
    }
}
