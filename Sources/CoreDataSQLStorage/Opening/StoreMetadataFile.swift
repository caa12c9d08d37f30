import CoreDataSchema
import CoreDataStorage
import Foundation
import SQLiteDriver

/// The one row of `Z_METADATA`: the store's UUID and a binary property list.
enum StoreMetadataFile {
    static let hashesKey = "NSStoreModelVersionHashes"

    /// What a new store starts with.
    static func initial(for schema: StoreSchema, known: [String: [UInt8]]) throws -> StoreMetadata {
        var values: [String: Any] = [
            "NSStoreType": "SQLite",
            // A framework version that writes digest and checksum (macOS 14); readers take it for information only.
            "NSPersistenceFrameworkVersion": 1348,
            "_NSAutoVacuumLevel": "2",
        ]
        try values.merge(versionValues(for: schema, known: known)) { $1 }
        return StoreMetadata(identifier: UUID().uuidString, type: "SQLite", values: values)
    }

    /// Hashes, digest, checksum and identifiers of the model.
    static func versionValues(for schema: StoreSchema, known: [String: [UInt8]]) throws -> [String: Any] {
        let hashes = try modelHashes(schema, known: known)
        let identifiers = schema.model.schema.versionIdentifiers
        return [
            hashesKey: hashes.mapValues { Data($0) },
            "NSStoreModelVersionHashesVersion": 3,
            "NSStoreModelVersionHashesDigest": VersionHash.digest(hashes),
            "NSStoreModelVersionChecksumKey": VersionHash.checksum(hashes),
            "NSStoreModelVersionIdentifiers": identifiers.isEmpty ? [""] : identifiers,
        ]
    }

    /// Hashes of the entities the store holds; known ones before computed ones.
    static func modelHashes(_ schema: StoreSchema, known: [String: [UInt8]]) throws -> [String: [UInt8]] {
        let areAllKnown = schema.model.entities.allSatisfy { known[$0.name] != nil }
        let all = areAllKnown ? known : try VersionHash.entityHashes(of: schema.model.schema).merging(known) { $1 }
        return all.filter { name, _ in schema.model.indexByName[name].map(schema.holds) ?? false }
    }

    static func read(_ connection: SQLiteConnection, path: String) throws -> StoreMetadata {
        let row = try connection.withStatement("SELECT Z_UUID, Z_PLIST FROM Z_METADATA LIMIT 1") { row in
            try row.step() ? (row.text(0), row.blob(1)) : nil
        }
        guard let (identifier, plist) = row, let identifier else {
            throw StoreError.notACoreDataStore(path: path, reason: "its Z_METADATA table is empty")
        }
        guard let plist, let list = try? PropertyListSerialization.propertyList(from: Data(plist), format: nil),
              let values = list as? [String: Any]
        else {
            throw StoreError.notACoreDataStore(path: path, reason: "its metadata is not a property list")
        }
        guard !identifier.isEmpty, !identifier.unicodeScalars.contains(where: { $0.value < 32 || $0.value == 127 || $0 == "\u{FFFD}" }) else {
            throw StoreError.notACoreDataStore(path: path, reason: "its metadata has no identifier (Z_UUID)")
        }
        return StoreMetadata(identifier: identifier, type: values["NSStoreType"] as? String ?? "SQLite", values: values)
    }

    /// Inside a transaction of the caller's.
    static func write(_ metadata: StoreMetadata, to connection: SQLiteConnection) throws {
        var values = metadata.values
        values["NSStoreUUID"] = nil
        values["NSStoreType"] = metadata.type
        try metadata.check()
        let plist = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
        try connection.withStatement("INSERT OR REPLACE INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)") { statement in
            try statement.bind(1, metadata.identifier)
            try plist.withUnsafeBytes { try statement.bindBlob(2, $0) }
            try statement.run()
        }
    }

    /// Hashes recorded in the metadata, by entity.
    static func storedHashes(_ metadata: StoreMetadata) -> [String: [UInt8]] {
        ((metadata.values[hashesKey] as? [String: Any]) ?? [:]).compactMapValues { ($0 as? Data).map { [UInt8]($0) } }
    }

    /// Throws when the store was made with another model; every entity must match, and there may be no other.
    static func check(_ metadata: StoreMetadata, against schema: StoreSchema, known: [String: [UInt8]], path: String) throws {
        let stored = storedHashes(metadata)
        let model = try modelHashes(schema, known: known)
        var differences: [String] = []
        for name in Set(stored.keys).union(model.keys).sorted() {
            switch (stored[name], model[name]) {
            case (nil, .some): differences.append("\(name): in the model, not in the store")
            case (.some, nil): differences.append("\(name): in the store, not in the model")
            case (.some(let old), .some(let new)) where old != new:
                differences.append("\(name): changed (\(hex(old)) in the store, \(hex(new)) in the model)")
            default: break
            }
        }
        if let version = metadata.values["NSStoreModelVersionHashesVersion"] as? Int, version > 3 {
            differences.append("the store's version hashes are of kind \(version); this program knows up to 3")
        }
        guard differences.isEmpty else {
            throw StoreError.incompatibleModel(path: path, differences: differences, storeHashes: stored, modelHashes: model)
        }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.prefix(8).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined() + "…"
    }
}
