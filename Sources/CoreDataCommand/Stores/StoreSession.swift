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
    /// Whether the store's own metadata says that it was made with the model.
    let modelIsProven: Bool
    /// Of a model made of the tables: what became of the one the store keeps.
    var keptObstacle: String?
    /// What the model needs and the store lacks, where that is tolerated.
    var missing: [String] = []
    /// Of a binary or XML store: the SQLite store that stands for it.
    var copy: AtomicCopy?

    /// `takesAtomic`: whether it may be a binary or XML store.
    static func reading(_ path: String, model: String?, takesAtomic: Bool = false) throws -> StoreSession {
        try open(path, model: model, readOnly, takesAtomic: takesAtomic)
    }

    private static var readOnly: SQLiteStoreOptions {
        var options = SQLiteStoreOptions()
        options.isReadOnly = true
        options.leavesNoTrace = true
        return options
    }

    /// For reading what can be read of a store some of whose tables and columns are gone.
    static func rescuing(_ path: String, model: String?) throws -> StoreSession {
        var options = readOnly
        options.toleratesMissing = true
        options.omitsMissing = true
        return try open(path, model: model, options, takesAtomic: true)
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
        return try open(path, model: model, options, takesAtomic: true)
    }

    private static func open(
        _ path: String, model: String?, _ options: SQLiteStoreOptions, takesAtomic: Bool = false
    ) throws -> StoreSession {
        let url = try StoreFile.existing(path, takesAtomic: takesAtomic)
        if takesAtomic, let source = try AtomicCopy.Source(url) { return try openCopy(source, path, model, options) }
        var options = options
        let schema: ModelSchema, origin: String
        var isExact = true, isProven = true, obstacle: String?
        if let model {
            let input = try ModelInput.fitting(model, store: url)
            (schema, origin) = (input.schema, "\(model), version “\(input.version)”")
            options.versionHashes = input.recordedHashes
            (isExact, obstacle) = (input.isExact, input.keptObstacle)
        } else {
            let stored = try StoredModel(url, evenIfTablesMissing: true)
            (schema, origin) = (stored.schema, stored.source == .modelCache ? "the model the store keeps" : "the store’s tables")
            options.versionHashes = stored.versionHashes
            isExact = stored.source == .modelCache
            (isProven, obstacle) = (stored.isOfVersionHashes, stored.keptObstacle)
            // What the store says of itself needs no comparison; a store made for one configuration has fewer entities.
            options.ignoresVersionHashes = true
        }
        let resolved = try ResolvedModel(schema)
        let configuration = try configuration(of: schema, for: url)
        let missing = options.omitsMissing ? try StoreContents.missing(for: resolved, in: url) : []
        let store = try SQLiteRowStore.open(url, model: resolved, configuration: configuration, options: options)
        return StoreSession(
            url: url, model: resolved, store: store, modelOrigin: origin, modelIsExact: isExact, modelIsProven: isExact && isProven,
            keptObstacle: obstacle, missing: missing)
    }

    private static func openCopy(
        _ source: AtomicCopy.Source, _ path: String, _ model: String?, _ options: SQLiteStoreOptions
    ) throws -> StoreSession {
        guard let model else {
            throw CommandFailure(.unusable, "“\(path)” is \(source.kind) of Core Data’s, which keeps no model: name the model with --model.")
        }
        let input = try ModelInput.fitting(model, hashes: source.versionHashes)
        let copy = try AtomicCopy(source, input.schema)
        do {
            var options = options
            options.versionHashes = input.recordedHashes
            let resolved = try ResolvedModel(input.schema)
            let store = try SQLiteRowStore.open(copy.url, model: resolved, configuration: nil, options: options)
            return StoreSession(
                url: copy.url, model: resolved, store: store, modelOrigin: "\(model), version “\(input.version)”", modelIsExact: input.isExact,
                modelIsProven: input.isExact, keptObstacle: input.keptObstacle, copy: copy)
        } catch {
            copy.remove()
            throw error
        }
    }

    func close() {
        try? store.close()
        copy?.remove()
    }

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
        model.entities.filter { store.schema.table(of: $0.index) != nil }.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }
}
