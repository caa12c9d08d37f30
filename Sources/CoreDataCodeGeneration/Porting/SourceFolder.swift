import Foundation

/// The Swift sources and models below a folder, or one file.
package struct SourceFolder: Sendable {
    package let root: URL
    /// Relative to the root, sorted.
    package private(set) var sources: [String] = []
    package private(set) var models: [URL] = []

    /// Folders of tools, which hold copies of other people's sources.
    private static let foreign: Set<String> = ["Pods", "Carthage", "node_modules", "DerivedData"]

    /// nil when nothing is there.
    package init?(_ url: URL) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else { return nil }
        guard isFolder.boolValue else {
            root = url.deletingLastPathComponent()
            sources = [url.lastPathComponent]
            return
        }
        root = url
        visit("")
        sources.sort()
        models.sort { $0.path < $1.path }
    }

    private mutating func visit(_ path: String) {
        let folder = path.isEmpty ? root : root.appendingPathComponent(path)
        let entries = (try? FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.isDirectoryKey, .isSymbolicLinkKey])) ?? []
        for entry in entries {
            let name = entry.lastPathComponent, values = try? entry.resourceValues(forKeys: [.isDirectoryKey, .isSymbolicLinkKey])
            guard !name.hasPrefix("."), values?.isSymbolicLink != true else { continue }
            let own = path.isEmpty ? name : path + "/" + name
            if ["xcdatamodeld", "xcdatamodel"].contains(entry.pathExtension) {
                models.append(entry)
            } else if values?.isDirectory == true {
                if !Self.foreign.contains(name) { visit(own) }
            } else if entry.pathExtension == "swift" {
                sources.append(own)
            }
        }
    }
}
