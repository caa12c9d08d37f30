import CoreDataSchema
import Foundation

/// Reads models from disk: `.xcdatamodeld`, `.xcdatamodel`, a bare `contents`, `.momd` and `.mom`.
package enum ModelFile {
    /// All versions. Every one must parse; the current one's references are checked too, those of others by `resolved(_:)`.
    package static func read(at url: URL) throws(ModelFileError) -> ModelFileContents {
        try read(ModelBundle(url)) { _ in true }
    }

    /// Only the current version: what a program that opens its store needs.
    package static func readCurrent(at url: URL) throws(ModelFileError) -> ModelFileContents {
        let bundle = try ModelBundle(url)
        return try read(bundle) { $0 == bundle.currentVersionName }
    }

    /// One version, whatever is wrong with the others and with the mark of the current one.
    package static func read(at url: URL, version: String) throws(ModelFileError) -> ModelFileContents {
        var bundle = try ModelBundle(url, unmarked: version)
        guard bundle.files.contains(where: { $0.name == version }) else {
            throw ModelFileError(
                .noCurrentVersion, path: url.path, reason: "The model has no version “\(version)”.",
                advice: "Its versions are: \(bundle.files.map(\.name).joined(separator: ", ")).")
        }
        bundle.currentVersionName = version
        return try read(bundle) { $0 == version }
    }

    /// A version in Xcode's XML form that does not come from a file; `name` stands for it in errors.
    package static func read(contents data: Data, name: String) throws(ModelFileError) -> ModelSchema {
        let reader = try XMLModelReader(data, path: name)
        _ = try reader.source.resolve(reader.schema)
        return reader.schema
    }

    /// The names of a model's versions, and of the current one; nil where that cannot be told.
    package static func versions(at url: URL) throws(ModelFileError) -> (names: [String], current: String?) {
        let bundle = try ModelBundle(url, unmarked: "")
        return (bundle.files.map(\.name), bundle.markMistake == nil ? bundle.currentVersionName : nil)
    }

    private static func read(_ bundle: ModelBundle, where isWanted: (String) -> Bool) throws(ModelFileError) -> ModelFileContents {
        var contents = ModelFileContents(versions: [:], currentVersionName: bundle.currentVersionName)
        contents.warnings = bundle.warnings
        contents.recordedHashes = bundle.recordedHashes
        contents.recordedChecksums = bundle.recordedChecksums
        for (name, file) in bundle.files where isWanted(name) {
            let data = try load(file)
            if bundle.isCompiled {
                let reader = try ArchivedModelReader(data, path: file.path)
                contents.versions[name] = reader.schema
                if let hashes = bundle.optimisedHashes[name], agrees(hashes, with: reader.schema) { contents.recordedHashes[name] = hashes }
                contents.sources[name] = ModelSource(path: file.path)
                contents.warnings += reader.warnings
            } else {
                let reader = try XMLModelReader(data, path: file.path)
                contents.versions[name] = reader.schema
                contents.sources[name] = reader.source
                contents.warnings += reader.warnings
            }
        }
        _ = try contents.resolved(bundle.currentVersionName)
        return contents
    }

    /// Whether hashes are those of a model, as far as that can be computed: a file beside it may be of another day.
    private static func agrees(_ hashes: [String: [UInt8]], with schema: ModelSchema) -> Bool {
        guard let computed = try? VersionHash.entityHashes(of: schema), Set(hashes.keys) == Set(computed.keys) else { return false }
        let unknown = Set(VersionHash.uncomputable(in: schema))
        return computed.allSatisfy { unknown.contains($0.key) || hashes[$0.key] == $0.value }
    }

    static func load(_ file: URL) throws(ModelFileError) -> Data {
        do {
            return try Data(contentsOf: file)
        } catch {
            throw ModelFileError(
                .unreadable, path: file.path, reason: "The file cannot be read: \((error as NSError).localizedDescription)",
                advice: "Check its permissions.")
        }
    }
}
