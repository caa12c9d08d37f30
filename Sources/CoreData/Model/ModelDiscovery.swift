import Foundation

/// Finds models on disk.
package enum ModelDiscovery {
    /// What a model can be, the compiled forms first.
    private static let extensions = ["momd", "mom", "xcdatamodeld", "xcdatamodel"]

    /// The file of a model by name: in `bundle` or else the main bundle, and then in the resource bundles beside the
    /// executable. nil when there is none.
    package static func url(forModelNamed name: String, bundle: Bundle?) -> URL? {
        let folders = roots(of: bundle ?? .main) + resourceFolders()
        for folder in folders {
            for fileExtension in extensions {
                let url = folder.appendingPathComponent("\(name).\(fileExtension)")
                if FileManager.default.fileExists(atPath: url.path) { return url }
            }
        }
        let nested = (bundle.map { roots(of: $0) } ?? []) + resourceFolders()
        return nested.lazy.flatMap { models(below: $0) }.first { $0.deletingPathExtension().lastPathComponent == name }
    }

    /// Every model of some bundles; nil is the main bundle and, when that has none, the resource bundles beside the
    /// executable. Of one name in one folder, the compiled form.
    static func models(in bundles: [Bundle]?) -> [URL] {
        if let bundles { return unique(bundles.flatMap { roots(of: $0) }.flatMap { models(below: $0) }) }
        let main = unique(roots(of: .main).flatMap { models(directlyIn: $0) })
        return main.isEmpty ? unique(resourceFolders().flatMap { models(below: $0) }) : main
    }

    /// `<Package>_<Target>.resources` and `.bundle` folders beside the executable or the test bundle.
    package static func resourceFolders() -> [URL] {
        var folders: [URL] = []
        for place in executableFolders() {
            let contents = (try? FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil)) ?? []
            folders += contents.filter { ["resources", "bundle"].contains($0.pathExtension) }
                .sorted { $0.lastPathComponent < $1.lastPathComponent }
        }
        let executable = Bundle.main.executableURL?.lastPathComponent ?? ProcessInfo.processInfo.processName
        return ordered(unique(folders), for: executable)
    }

    /// The bundle of the program's own target before those of others built beside it, which may have a model of the same name.
    package static func ordered(_ folders: [URL], for executable: String) -> [URL] {
        func isOwn(_ folder: URL) -> Bool { folder.deletingPathExtension().lastPathComponent.hasSuffix("_\(executable)") }
        return folders.filter(isOwn) + folders.filter { !isOwn($0) }
    }

    private static func executableFolders() -> [URL] {
        let arguments = CommandLine.arguments
        let executables = [Bundle.main.executableURL, arguments.first.map { URL(fileURLWithPath: $0) }].compactMap { $0 }
            + arguments.dropFirst().filter { $0.hasSuffix(".xctest") }.map { URL(fileURLWithPath: $0) }
        let real = executables.map { $0.resolvingSymlinksInPath() }
        return unique((executables + real).map { $0.deletingLastPathComponent() } + [Bundle.main.bundleURL])
    }

    private static func roots(of bundle: Bundle) -> [URL] {
        unique([bundle.resourceURL, bundle.bundleURL].compactMap { $0 })
    }

    private static func models(directlyIn folder: URL) -> [URL] {
        let contents = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return preferred(contents)
    }

    /// In the folder and folders inside it, but not inside models.
    private static func models(below folder: URL) -> [URL] {
        guard let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else { return [] }
        var found: [URL] = []
        for case let url as URL in walk where extensions.contains(url.pathExtension) {
            found.append(url)
            walk.skipDescendants()
        }
        return preferred(found)
    }

    private static func preferred(_ urls: [URL]) -> [URL] {
        var best: [String: URL] = [:]
        for url in urls {
            guard let rank = extensions.firstIndex(of: url.pathExtension) else { continue }
            let key = url.deletingPathExtension().path
            if let known = best[key], let other = extensions.firstIndex(of: known.pathExtension), other <= rank { continue }
            best[key] = url
        }
        return best.values.sorted { $0.path < $1.path }
    }

    private static func unique(_ urls: [URL]) -> [URL] {
        var seen: Set<String> = []
        return urls.filter { seen.insert($0.standardizedFileURL.path).inserted }
    }
}
