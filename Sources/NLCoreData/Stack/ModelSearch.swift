/// Finds a model by name: compiled before source, the main bundle before the resource bundles beside the executable.
enum ModelSearch {
    private static let extensions = ["momd", "mom", "xcdatamodeld", "xcdatamodel"]

    /// Throws `NLCoreDataError.modelNotFound` with the places looked in.
    static func url(named name: String, in bundle: Bundle?) throws -> URL {
        let places = unique(bundle.map(folders) ?? folders(of: .main) + resourceBundles())
        for folder in places {
            if let url = file(named: name, in: folder) { return url }
        }
        for folder in places where folder != Bundle.main.bundleURL {
            if let url = nested(named: name, in: folder) { return url }
        }
        throw NLCoreDataError.modelNotFound(name: name, searched: places.map(\.path))
    }

    private static func file(named name: String, in folder: URL) -> URL? {
        extensions.lazy.map { folder.appendingPathComponent("\(name).\($0)") }.first { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// In folders of a bundle: resources may keep the folders they came from.
    private static func nested(named name: String, in bundle: URL) -> URL? {
        guard isBundle(bundle), let walk = FileManager.default.enumerator(at: bundle, includingPropertiesForKeys: nil) else { return nil }
        var best: (rank: Int, url: URL)?
        for case let url as URL in walk {
            guard let rank = extensions.firstIndex(of: url.pathExtension) else { continue }
            walk.skipDescendants()
            if url.deletingPathExtension().lastPathComponent == name, rank < best?.rank ?? .max { best = (rank, url) }
        }
        return best?.url
    }

    private static func folders(of bundle: Bundle) -> [URL] { [bundle.resourceURL, bundle.bundleURL].compactMap { $0 } }

    private static func isBundle(_ url: URL) -> Bool { ["resources", "bundle"].contains(url.pathExtension) }

    /// `<Package>_<Target>.resources` and `.bundle` folders beside the executable or the test bundle.
    private static func resourceBundles() -> [URL] {
        let arguments = CommandLine.arguments
        let executables = [Bundle.main.executableURL, arguments.first.map { URL(fileURLWithPath: $0) }].compactMap { $0 }
            + arguments.dropFirst().filter { $0.hasSuffix(".xctest") }.map { URL(fileURLWithPath: $0) }
        let places = unique((executables + executables.map { $0.resolvingSymlinksInPath() }).map { $0.deletingLastPathComponent() })
        return places.flatMap { place in
            let contents = (try? FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil)) ?? []
            return contents.filter(isBundle).sorted { $0.path < $1.path }
        }
    }

    private static func unique(_ urls: [URL]) -> [URL] {
        var seen: Set<String> = []
        return urls.filter { seen.insert($0.standardizedFileURL.path).inserted }
    }
}
