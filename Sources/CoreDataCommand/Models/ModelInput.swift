import CoreDataModelFile
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

    static let operand = OperandSpec("MODEL", "the model: .xcdatamodeld, .xcdatamodel, its “contents”, .momd or .mom")
    static let versionOption = OptionSpec("version", value: "NAME", "this version of the model instead of the current one")

    /// Without a version the current one, and then the others need not be readable.
    static func load(_ path: String, version: String? = nil) throws -> ModelInput {
        let url = URL(fileURLWithPath: path).standardizedFileURL
        let contents = version == nil ? try ModelFile.readCurrent(at: url) : try ModelFile.read(at: url)
        let name = version ?? contents.currentVersionName
        guard let schema = contents.versions[name] else {
            let advice = NearestName.advice(name, among: contents.versionNames)
            throw CommandFailure(.unusable, "The model “\(path)” has no version “\(name)”. \(advice)")
        }
        return ModelInput(
            url: url, version: name, versionNames: contents.versionNames, currentVersion: contents.currentVersionName, schema: schema,
            source: contents.sources[name], recordedHashes: contents.recordedHashes[name] ?? [:], warnings: contents.warnings)
    }

    func resolved() throws -> ResolvedModel { try (source ?? ModelSource(path: url.path)).resolve(schema) }

    /// Entity to hash, those that Apple's compiler wrote down before computed ones.
    func hashes() throws -> [String: [UInt8]] {
        try VersionHash.entityHashes(of: schema).merging(recordedHashes) { _, recorded in recorded }
    }

    /// Entities whose hash is neither written down nor known how to compute.
    var unknownHashes: [String] { VersionHash.uncomputable(in: schema).filter { recordedHashes[$0] == nil } }
}
