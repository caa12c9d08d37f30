import CoreDataSchema
import CoreDataStorage

/// The version values of stores that are not SQLite's, which the same are.
extension StoreMetadata {
    /// What a new store of the entities starts with.
    static func initial(type: String, for model: NSManagedObjectModel, _ entities: Set<Int>) throws -> StoreMetadata {
        let resolved = try model.runtime().resolved
        let hashes = try model.versionHashes().filter { name, _ in resolved.indexByName[name].map(entities.contains) ?? false }
        let bytes = hashes.mapValues { Array($0) }
        let identifiers = resolved.schema.versionIdentifiers
        return StoreMetadata(identifier: UUID().uuidString, type: type, values: [
            NSStoreModelVersionHashesKey: hashes.mapValues { Data($0) },
            "NSPersistenceFrameworkVersion": 1348,
            "NSStoreModelVersionHashesVersion": 3,
            "NSStoreModelVersionHashesDigest": VersionHash.digest(bytes),
            "NSStoreModelVersionChecksumKey": VersionHash.checksum(bytes),
            NSStoreModelVersionIdentifiersKey: identifiers.isEmpty ? [""] : identifiers,
        ])
    }

    /// Throws 134100 when the store was made with another model. A file that names no hashes fits if its objects do.
    func check(against coordinator: NSPersistentStoreCoordinator, _ entities: Set<Int>, path: String) throws {
        guard let stored = values[NSStoreModelVersionHashesKey] as? [String: Data] else { return }
        let resolved = coordinator.runtime.resolved
        let model = try coordinator.managedObjectModel.versionHashes()
            .filter { name, _ in resolved.indexByName[name].map(entities.contains) ?? false }.mapValues { Data($0) }
        let differences = Set(stored.keys).union(model.keys).sorted().compactMap { name -> String? in
            switch (stored[name], model[name]) {
            case (nil, _): "\(name): in the model, not in the store"
            case (_, nil): "\(name): in the store, not in the model"
            case (let old, let new): old == new ? nil : "\(name): changed"
            }
        }
        guard differences.isEmpty else {
            throw StoreError.incompatibleModel(
                path: path, differences: differences, storeHashes: stored.mapValues { Array($0) }, modelHashes: model.mapValues { Array($0) })
        }
    }
}

extension StoreContent {
    static func empty(model: ResolvedModel, store: Int32, sharesKeys: Bool = true) -> StoreContent {
        var builder = StoreContentBuilder(model: model, store: store, sharesKeys: sharesKeys)
        return builder.finish()
    }
}
