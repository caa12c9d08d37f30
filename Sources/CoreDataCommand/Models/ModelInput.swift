import CoreData
import CoreDataModelFile
import CoreDataSQLStorage
import CoreDataSchema
import CoreDataStorage
import Foundation

/// A model somebody named on the command line: one version of it, and where its parts stand.
struct ModelInput {
    let url: URL
    let version: String
    let versionNames: [String]
    let currentVersion: String
    let schema: ModelSchema
    let source: ModelSource?
    let recordedHashes: [String: [UInt8]]
    let warnings: [ModelFileError]
    /// False for a store that keeps no model: what its tables tell says less than the model it was made with.
    var isExact = true
    /// Of a model made of a store's tables: what became of the one the store keeps.
    var keptObstacle: String?
    /// Of a store's model: what its tables lack.
    var missing: [String] = []

    static let operand = OperandSpec("MODEL", "the model: .xcdatamodeld, .xcdatamodel, its “contents”, .momd, .mom, or a store that keeps it")
    static let versionOption = OptionSpec("version", value: "NAME", "this version of the model instead of the current one")

    /// Without a version the current one, and then the others need not be readable.
    static func load(_ path: String, version: String? = nil) throws -> ModelInput {
        let url = URL(fileURLWithPath: path).standardizedFileURL
        if isStore(url) { return try ofStore(url, path, version) }
        try refuseOther(url, path)
        let known = try ModelFile.versions(at: url)
        if let version, !known.names.contains(version) {
            throw CommandFailure(.unusable, "The model “\(path)” has no version “\(version)”. \(NearestName.advice(version, among: known.names))")
        }
        let contents = try version.map { try ModelFile.read(at: url, version: $0) } ?? ModelFile.readCurrent(at: url)
        return ModelInput(
            url: url, version: contents.currentVersionName, versionNames: known.names, currentVersion: known.current ?? contents.currentVersionName,
            schema: contents.current,
            source: contents.sources[contents.currentVersionName], recordedHashes: contents.recordedHashes[contents.currentVersionName] ?? [:], warnings: contents.warnings)
    }

    /// Whether a file begins as SQLite's do.
    static func isStore(_ url: URL) -> Bool {
        guard let file = try? FileHandle(forReadingFrom: url) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: 16)) == Data("SQLite format 3\0".utf8)
    }

    /// Says what a file is that is neither a model nor a store; models are folders, XML or property lists.
    static func refuseOther(_ url: URL, _ path: String) throws {
        var status = stat()
        guard stat(url.path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { return }
        guard status.st_mode & S_IFMT == S_IFREG else { throw CommandFailure(.unusable, "“\(path)” is no regular file, and so no model.") }
        guard status.st_size > 0 else { throw CommandFailure(.unusable, "“\(path)” is an empty file, and no model.") }
        guard let file = try? FileHandle(forReadingFrom: url) else { return }
        defer { try? file.close() }
        let head = Data((try file.read(upToCount: 256) ?? Data()).drop { [0xEF, 0xBB, 0xBF, 9, 10, 13, 32].contains($0) })
        let isMarked = head.first == UInt8(ascii: "<") || head.starts(with: Data("bplist".utf8)) || head.starts(with: [0xFE, 0xFF])
            || head.starts(with: [0xFF, 0xFE])
        guard isMarked else {
            throw CommandFailure(.unusable, "“\(path)” is neither a model nor a store: it begins as no XML, no compiled model and no SQLite database.")
        }
    }

    private static func ofStore(_ url: URL, _ path: String, _ version: String?) throws -> ModelInput {
        guard version == nil else { throw CommandFailure(.usage, "“\(path)” is a store, which keeps one version of its model only.") }
        let stored = try StoredModel(url, evenIfTablesMissing: true)
        let name = stored.schema.versionIdentifiers.first { !$0.isEmpty } ?? url.deletingPathExtension().lastPathComponent
        return ModelInput(
            url: url, version: name, versionNames: [name], currentVersion: name, schema: stored.schema, source: nil,
            recordedHashes: stored.versionHashes, warnings: [], isExact: stored.source == .modelCache, keptObstacle: stored.keptObstacle, missing: stored.missing)
    }

    /// The version of a model that a store was made with; the current one when none matches.
    static func fitting(_ path: String, store: URL) throws -> ModelInput {
        try fitting(path, hashes: StoreFiles.readMetadata(store).values["NSStoreModelVersionHashes"] as? [String: Data] ?? [:])
    }

    /// The same by the version hashes a store notes down.
    static func fitting(_ path: String, hashes: [String: Data]) throws -> ModelInput {
        let url = URL(fileURLWithPath: path).standardizedFileURL
        if isStore(url) { return try ofStore(url, path, nil) }
        try refuseOther(url, path)
        let contents = try ModelFile.read(at: url)
        let versions = [contents.currentVersionName] + contents.versionNames.filter { $0 != contents.currentVersionName }
        for name in versions {
            let input = try load(path, version: name)
            guard let known = try? input.hashes(), !hashes.isEmpty else { continue }
            if hashes.allSatisfy({ known[$0.key].map { Data($0) } == $0.value }) { return input }
        }
        return try load(path)
    }

    func resolved() throws -> ResolvedModel { try (source ?? ModelSource(path: url.path)).resolve(schema) }

    /// Entity to hash, those that Apple's compiler wrote down before computed ones.
    func hashes() throws -> [String: [UInt8]] {
        try VersionHash.entityHashes(of: schema).merging(recordedHashes) { _, recorded in recorded }
    }

    /// Entities whose hashes are not those a store notes down.
    func misfits(with metadata: StoreMetadata) throws -> [String] {
        let stored = metadata.values["NSStoreModelVersionHashes"] as? [String: Data] ?? [:], known = try hashes(), unknown = Set(unknownHashes)
        return stored.keys.sorted().compactMap { name in
            guard let hash = known[name] else { return "\(name) is not in the model" }
            return unknown.contains(name) || Data(hash) == stored[name] ? nil : "\(name) is another"
        }
    }

    /// Entities whose hash is neither written down nor known how to compute.
    var unknownHashes: [String] { VersionHash.uncomputable(in: schema).filter { recordedHashes[$0] == nil } }

    /// What `model validate` calls an error does not keep every model from being used, but should be known.
    func warnOfMistakes(_ console: Console) throws {
        guard source != nil, let problems = try? ModelFile.problems(at: url, version: version) else { return }
        let errors = problems.filter { $0.severity == .error }
        guard let first = errors.first else { return }
        try console.warn(first.description + (errors.count == 1 ? "" : " (and \(errors.count - 1) more: “coredata model validate” lists them)"))
    }
}
