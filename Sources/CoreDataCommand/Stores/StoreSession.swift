import CoreData
import CoreDataSQLStorage
import CoreDataSchema
import CoreDataStorage
import Foundation

/// A store opened with a model: the one named on the command line, or the one the store carries.
///
/// Invariant: opened for reading it leaves no trace on the disk.
struct StoreSession {
    let url: URL
    let model: ResolvedModel
    let store: SQLiteRowStore
    /// Where the model came from, for people.
    let modelOrigin: String
    /// False for a model made of the store's tables, which says less than the one the store was made with.
    let modelIsExact: Bool

    static func reading(_ path: String, model: String?) throws -> StoreSession { try open(path, model: model, readOnly) }

    private static var readOnly: SQLiteStoreOptions {
        var options = SQLiteStoreOptions()
        options.isReadOnly = true
        options.leavesNoTrace = true
        return options
    }

    /// For looking for damage: a store with some of its tables and columns gone is opened too.
    static func checking(_ path: String, model: String?) throws -> StoreSession {
        var options = readOnly
        options.toleratesMissing = true
        return try open(path, model: model, options)
    }

    /// For putting right what `checking` found.
    static func repairing(_ path: String, model: String?) throws -> StoreSession {
        var options = SQLiteStoreOptions()
        options.toleratesMissing = true
        return try open(path, model: model, options)
    }

    /// For an import: temporary tables may grow large, and stay out of memory.
    static func writing(_ path: String, model: String?) throws -> StoreSession {
        var options = SQLiteStoreOptions()
        options.pragmas["temp_store"] = "FILE"
        return try open(path, model: model, options)
    }

    private static func open(_ path: String, model: String?, _ options: SQLiteStoreOptions) throws -> StoreSession {
        let url = try StoreFile.existing(path)
        var options = options
        let schema: ModelSchema, origin: String
        var isExact = true
        if let model {
            let input = try ModelInput.fitting(model, store: url)
            (schema, origin) = (input.schema, "\(model), version “\(input.version)”")
            options.versionHashes = input.recordedHashes
            isExact = input.isExact
        } else {
            let stored = try StoredModel(url, evenIfTablesMissing: options.toleratesMissing)
            (schema, origin) = (stored.schema, stored.source == .modelCache ? "the model the store keeps" : "the store’s tables")
            options.versionHashes = stored.versionHashes
            isExact = stored.source == .modelCache
            // What the store says of itself needs no comparison; a store made for one configuration has fewer entities.
            options.ignoresVersionHashes = true
        }
        let resolved = try ResolvedModel(schema)
        let configuration = try configuration(of: schema, for: url)
        let store = try SQLiteRowStore.open(url, model: resolved, configuration: configuration, options: options)
        return StoreSession(url: url, model: resolved, store: store, modelOrigin: origin, modelIsExact: isExact)
    }

    func close() { try? store.close() }

    /// The configuration a store was made for; nil for the whole model.
    private static func configuration(of schema: ModelSchema, for url: URL) throws -> String? {
        let stored = try StoreFiles.readMetadata(url).values["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
        let names = Set(schema.entities.map(\.name))
        guard !stored.isEmpty, Set(stored.keys).isStrictSubset(of: names) else { return nil }
        return schema.configurations.first { Set($0.entityNames) == Set(stored.keys) }?.name
    }

    func entity(_ name: String) throws -> ResolvedEntity {
        let entity = try EntityName.find(name, in: model)
        guard store.schema.holds(entity.index) else {
            throw CommandFailure(.usage, "The store does not hold the entity “\(name)”: it was made for a configuration without it.")
        }
        return entity
    }

    /// The entities the store holds, by name.
    var entities: [ResolvedEntity] {
        model.entities.filter { store.schema.holds($0.index) }.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}
