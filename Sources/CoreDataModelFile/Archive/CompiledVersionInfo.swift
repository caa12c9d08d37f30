import Foundation

/// `VersionInfo.plist` of a `.momd`.
struct CompiledVersionInfo {
    var currentVersionName: String?
    /// By version and entity.
    var hashes: [String: [String: [UInt8]]] = [:]
    var checksums: [String: String] = [:]

    /// nil when there is no such file.
    init?(at url: URL) throws(ModelFileError) {
        guard let data = FileManager.default.contents(atPath: url.path) else { return nil }
        let list = try? PropertyListSerialization.propertyList(from: data, format: nil)
        guard let table = list as? [String: Any] else {
            throw ModelFileError(.malformed, path: url.path, reason: "This is not a property list.", advice: "Compile the model again.")
        }
        currentVersionName = table["NSManagedObjectModel_CurrentVersionName"] as? String
        for (version, entities) in table["NSManagedObjectModel_VersionHashes"] as? [String: Any] ?? [:] {
            hashes[version] = (entities as? [String: Data])?.mapValues { Array($0) }
        }
        for (version, checksum) in table["NSManagedObjectModel_VersionChecksums"] as? [String: Any] ?? [:] {
            checksums[version] = checksum as? String
        }
    }
}
