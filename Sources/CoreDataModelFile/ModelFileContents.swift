import CoreDataSchema

/// What a model file holds.
///
/// Invariant: `versions` has `currentVersionName` as a key, and that version has been checked (`ResolvedModel` accepts it).
package struct ModelFileContents: Sendable {
    package var versions: [String: ModelSchema]
    package var currentVersionName: String
    /// Where each version's entities and properties stand in its file; empty for compiled models.
    package var sources: [String: ModelSource]
    /// What was read but cannot mean what its author thinks; the model is usable without it.
    package var warnings: [ModelFileError]
    /// Version hashes Apple's compiler wrote beside the model (`VersionInfo.plist`), by version and entity. Exact even for
    /// the entities `VersionHash.uncomputable(in:)` lists.
    package var recordedHashes: [String: [String: [UInt8]]]
    /// The checksums written there, by version.
    package var recordedChecksums: [String: String]

    package init(
        versions: [String: ModelSchema], currentVersionName: String, sources: [String: ModelSource] = [:],
        warnings: [ModelFileError] = [], recordedHashes: [String: [String: [UInt8]]] = [:],
        recordedChecksums: [String: String] = [:]
    ) {
        self.versions = versions
        self.currentVersionName = currentVersionName
        self.sources = sources
        self.warnings = warnings
        self.recordedHashes = recordedHashes
        self.recordedChecksums = recordedChecksums
    }

    package var current: ModelSchema { versions[currentVersionName] ?? ModelSchema() }
    package var versionNames: [String] { versions.keys.sorted(by: ModelResolution.precedes) }

    /// The checked form of a version; an error names the file and line that is at fault.
    package func resolved(_ version: String) throws(ModelFileError) -> ResolvedModel {
        guard let schema = versions[version] else {
            throw ModelFileError(
                .noCurrentVersion, path: sources[version]?.path ?? version, reason: "The model has no version “\(version)”.",
                advice: "Its versions are: \(versionNames.joined(separator: ", ")).")
        }
        return try (sources[version] ?? ModelSource(path: version)).resolve(schema)
    }
}
