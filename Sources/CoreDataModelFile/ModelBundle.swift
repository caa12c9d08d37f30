import CoreDataSchema
import Foundation

/// The files of a model on disk.
///
/// Invariant: `files` is sorted by name and has an entry named `currentVersionName`.
struct ModelBundle {
    let files: [(name: String, file: URL)]
    var currentVersionName: String
    let isCompiled: Bool
    var warnings: [ModelFileError] = []
    var recordedHashes: [String: [String: [UInt8]]] = [:]
    var recordedChecksums: [String: String] = [:]
    /// By version and entity, as `.omo` files say: to be believed where they agree with what can be computed.
    var optimisedHashes: [String: [String: [UInt8]]] = [:]
    /// What is wrong with the mark of the current version, when another was asked for.
    var markMistake: ModelFileError?

    /// `other`: the version to take for the current one when the mark of that is broken; the last one when it is not there.
    init(_ url: URL, unmarked other: String? = nil) throws(ModelFileError) {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else {
            throw ModelFileError(
                .missing, path: url.path, reason: "There is no model here.",
                advice: "Check the path; the model must be an .xcdatamodeld, .xcdatamodel, .momd or .mom.")
        }
        switch (url.pathExtension, isDirectory.boolValue) {
        case ("xcdatamodeld", true): self = try Self(versioned: url, unmarked: other)
        case ("momd", true): self = try Self(compiled: url)
        case ("xcdatamodel", true):
            let name = url.deletingPathExtension().lastPathComponent
            self.init([(name, try Self.contents(of: url))], current: name, isCompiled: false)
        case ("mom", false), ("omo", false):
            let name = url.deletingPathExtension().lastPathComponent, model = url.deletingPathExtension().appendingPathExtension("mom")
            // The optimised form says what the .mom beside it says.
            let isBeside = FileManager.default.fileExists(atPath: model.path)
            self.init([(name, isBeside ? model : url)], current: name, isCompiled: true)
            adoptOptimisedHashes()
        case (_, false):
            self.init([(Self.versionName(ofContents: url), url)], current: Self.versionName(ofContents: url), isCompiled: false)
        case (_, true):
            throw ModelFileError(
                .notAModel, path: url.path, reason: "This folder is no model.",
                advice: "A model's folder is named .xcdatamodeld, .xcdatamodel or .momd.")
        }
    }

    init(_ files: [(name: String, file: URL)], current: String, isCompiled: Bool) {
        self.files = files.sorted { ModelResolution.precedes($0.name, $1.name) }
        self.currentVersionName = current
        self.isCompiled = isCompiled
    }

    private init(versioned url: URL, unmarked other: String?) throws(ModelFileError) {
        let folders = try Self.list(url).filter { $0.pathExtension == "xcdatamodel" }
        let names = folders.map { $0.deletingPathExtension().lastPathComponent }.sorted(by: ModelResolution.precedes)
        guard let only = names.first else {
            throw ModelFileError(
                .notAModel, path: url.path, reason: "This model has no version in it.", advice: "It must hold at least one .xcdatamodel.")
        }
        var current = only
        var warning: ModelFileError?, mistake: ModelFileError?
        do throws(ModelFileError) {
            (current, warning) = try Self.currentVersion(of: url, names)
        } catch {
            guard let other, let last = names.last else { throw error }
            (current, mistake) = (names.contains(other) ? other : last, error)
        }
        var files: [(name: String, file: URL)] = []
        for folder in folders {
            let name = folder.deletingPathExtension().lastPathComponent
            // An old version in Xcode 3's format must not keep the current one from being read.
            if name != current, Self.isObsolete(folder) { continue }
            files.append((name, try Self.contents(of: folder)))
        }
        self.init(files, current: current, isCompiled: false)
        warnings = warning.map { [$0] } ?? []
        markMistake = mistake
    }

    /// The version a bundle says is current, with a warning when it says so by its name only.
    private static func currentVersion(of url: URL, _ names: [String]) throws(ModelFileError) -> (String, ModelFileError?) {
        if let marked = try Self.markedVersion(of: url) {
            guard names.contains(marked) else {
                throw ModelFileError(
                    .noCurrentVersion, path: url.appendingPathComponent(".xccurrentversion").path,
                    reason: "The current version is said to be “\(marked)”, which is not there.",
                    advice: "It should name one of: \(names.joined(separator: ", ")).")
            }
            return (marked, nil)
        }
        if names.count == 1 { return (names[0], nil) }
        let unmarked = ModelFileError(
            .noCurrentVersion, path: url.path,
            reason: "The model has several versions (\(names.joined(separator: ", "))) and no .xccurrentversion to say which is current.",
            advice: "Restore that hidden file, or choose a current version in Xcode.")
        // The version a bundle starts out with bears its name; Xcode writes the mark only when another is chosen.
        let original = url.deletingPathExtension().lastPathComponent
        guard names.contains(original) else { throw unmarked }
        return (original, unmarked)
    }

    private init(compiled url: URL) throws(ModelFileError) {
        let files = try Self.list(url).filter { $0.pathExtension == "mom" }.map { ($0.deletingPathExtension().lastPathComponent, $0) }
        let names = files.map(\.0).sorted(by: ModelResolution.precedes)
        let info = url.appendingPathComponent("VersionInfo.plist")
        let version = try CompiledVersionInfo(at: info)
        let fallback = names.count == 1 ? names.first : names.first { $0 == url.deletingPathExtension().lastPathComponent }
        guard let current = version?.currentVersionName ?? fallback, names.contains(current) else {
            throw ModelFileError(
                names.isEmpty ? .notAModel : .noCurrentVersion, path: url.path,
                reason: names.isEmpty ? "This compiled model has no version in it."
                    : "Which version of the compiled model is current cannot be told; it has: \(names.joined(separator: ", ")).",
                advice: "Compile the model again.")
        }
        self.init(files, current: current, isCompiled: true)
        recordedHashes = version?.hashes ?? [:]
        recordedChecksums = version?.checksums ?? [:]
        adoptOptimisedHashes()
    }

    /// Hashes of versions for which there is no list, from the optimised form beside the model.
    private mutating func adoptOptimisedHashes() {
        for (name, file) in files where recordedHashes[name] == nil {
            let beside = file.deletingPathExtension().appendingPathExtension("omo")
            guard let data = FileManager.default.contents(atPath: beside.path), let optimised = OptimisedModelHashes(data) else { continue }
            optimisedHashes[name] = optimised.hashes
        }
    }

    private static func markedVersion(of url: URL) throws(ModelFileError) -> String? {
        let file = url.appendingPathComponent(".xccurrentversion")
        guard let data = FileManager.default.contents(atPath: file.path) else { return nil }
        let plist = try? PropertyListSerialization.propertyList(from: data, format: nil)
        guard let table = plist as? [String: Any] else {
            throw ModelFileError(
                .malformed, path: file.path, reason: "This is not a property list.", advice: "Restore it from version control.")
        }
        // Xcode leaves the key out while there is one version.
        guard let name = table["_XCCurrentVersionName"] as? String else { return nil }
        return name.hasSuffix(".xcdatamodel") ? String(name.dropLast(".xcdatamodel".count)) : name
    }

    private static func isObsolete(_ folder: URL) -> Bool {
        let manager = FileManager.default
        return !manager.fileExists(atPath: folder.appendingPathComponent("contents").path)
            && manager.fileExists(atPath: folder.appendingPathComponent("elements").path)
    }

    private static func contents(of folder: URL) throws(ModelFileError) -> URL {
        let file = folder.appendingPathComponent("contents")
        if FileManager.default.fileExists(atPath: file.path) { return file }
        if isObsolete(folder) {
            throw ModelFileError(
                .obsoleteFormat, path: folder.path,
                reason: "This model is in the “elements” format of Xcode 3, which Apple's tools no longer read either.",
                advice: "Open it in Xcode, let it convert the model and save it: that writes a “contents” file.")
        }
        throw ModelFileError(
            .missing, path: folder.path, reason: "This model version has no “contents” file in it.",
            advice: "Restore it from version control.")
    }

    static func list(_ url: URL) throws(ModelFileError) -> [URL] {
        do {
            return try FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
        } catch {
            throw ModelFileError(
                .unreadable, path: url.path, reason: "The folder cannot be read: \((error as NSError).localizedDescription)",
                advice: "Check its permissions.")
        }
    }

    /// `…/V.xcdatamodel/contents` is version V; any other file goes by its own name.
    private static func versionName(ofContents url: URL) -> String {
        let folder = url.deletingLastPathComponent()
        let named = url.lastPathComponent == "contents" && folder.pathExtension == "xcdatamodel" ? folder : url
        return named.deletingPathExtension().lastPathComponent
    }
}
