import Foundation
import PackagePlugin

/// Finds models and what is in them.
enum Models {
    /// The models that files and folders are, hold or belong to: each once, outermost only (the versions inside an
    /// .xcdatamodeld are no models of their own), in the order of their paths.
    static func among(_ urls: [URL]) -> [URL] {
        var seen: Set<String> = []
        return urls.flatMap { url in enclosing(url).map { [$0] } ?? inside(url) }
            .filter { seen.insert($0.standardizedFileURL.path).inserted }
            .sorted { $0.path < $1.path }
    }

    private static func isModel(_ url: URL) -> Bool { ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) }

    /// The outermost model that a path leads into.
    private static func enclosing(_ url: URL) -> URL? {
        var model: URL?, current = url.standardizedFileURL
        while current.pathComponents.count > 1 {
            if isModel(current) { model = current }
            current.deleteLastPathComponent()
        }
        return model
    }

    private static func inside(_ folder: URL) -> [URL] {
        guard isFolder(folder) else { return [] }
        let entries = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: [.isDirectoryKey])) ?? []
        return entries.flatMap { isModel($0) ? [$0] : $0.lastPathComponent.hasPrefix(".") ? [] : inside($0) }
    }

    /// Every file of a model. A version that is added is noticed because the plugin then runs again.
    static func inputs(of model: URL) -> [URL] {
        let all = FileManager.default.enumerator(at: model, includingPropertiesForKeys: [.isDirectoryKey])?.compactMap { $0 as? URL } ?? []
        return all.filter { !isFolder($0) }.sorted { $0.path < $1.path }
    }

    /// `Shop.codegen.json` beside `Shop.xcdatamodeld`, or `coredata.codegen.json` in the target's folder, for all its models.
    static func configuration(of model: URL, in target: any SourceModuleTarget) -> URL? {
        let own = model.deletingPathExtension().appendingPathExtension("codegen.json")
        return [own, target.directoryURL.appending(path: "coredata.codegen.json")].first { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// Whether an entity of the model leaves its class to the target, or does not say how it comes about.
    static func dependsOnSources(_ model: URL) -> Bool {
        inputs(of: model).contains { file in
            guard file.lastPathComponent == "contents", let data = FileManager.default.contents(atPath: file.path) else { return false }
            let entities = String(decoding: data, as: UTF8.self).components(separatedBy: "<entity ").dropFirst()
            return entities.contains { !$0.prefix { $0 != ">" }.contains("codeGenerationType=\"class\"") }
        }
    }

    /// What to do about a model that no resource rule covers.
    static func undeclared(_ model: URL, in target: any SourceModuleTarget) -> String {
        let base = target.directoryURL.standardizedFileURL.path + "/", path = model.standardizedFileURL.path
        let relative = path.hasPrefix(base) ? String(path.dropFirst(base.count)) : model.lastPathComponent
        return """
            \(model.path): The model is in the folder of the target “\(target.name)” but is not one of its resources, so the program \
            would not find it. Declare it in Package.swift: resources: [.copy("\(relative)")]
            """
    }

    private static func isFolder(_ url: URL) -> Bool {
        (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
    }
}
