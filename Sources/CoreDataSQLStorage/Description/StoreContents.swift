import CoreDataSchema
import CoreDataStorage
import Foundation
import SQLiteDriver

/// What a store's file says about itself, without its model.
package struct StoreContents: Sendable {
    package let metadata: StoreMetadata
    /// The compiled model the store keeps (`Z_MODELCACHE`), inflated; nil without one, or when it is damaged.
    package let modelArchive: Data?
    /// Whether it keeps anything in the place of a model.
    package let hasModelArchive: Bool
    /// Whether the file has the tables of persistent history.
    package let hasHistory: Bool

    /// Hashes of the model the store was made with, by entity.
    package var versionHashes: [String: [UInt8]] { StoreMetadataFile.storedHashes(metadata) }

    /// Reads a store that need not be open; leaves no trace on disk.
    package static func read(_ url: URL) throws -> StoreContents {
        try StoreProbe.withStore(url.path) { connection, metadata in
            let layout = try ExistingLayout(connection), content = modelContent(connection, layout)
            return StoreContents(
                metadata: metadata, modelArchive: content.flatMap { $0.isEmpty ? nil : RawDeflate.inflate($0) }, hasModelArchive: content != nil,
                hasHistory: layout.hasHistory)
        }
    }

    /// A model made of the tables alone: see `SchemaRecovery`.
    package static func recoverModel(_ url: URL) throws -> ModelSchema {
        try StoreProbe.withStore(url.path) { connection, metadata in
            try SchemaRecovery.model(connection, identifiers: metadata.values["NSStoreModelVersionIdentifiers"] as? [String] ?? [])
        }
    }

    /// What a model needs that the store's tables have not: tables and columns by name. Empty when the model fits.
    package static func missing(for model: ResolvedModel, in url: URL) throws -> [String] {
        try StoreProbe.withStore(url.path) { connection, _ in
            let numbers = try StoredEntity.numbers(
                for: model, planned: StoreSchemaBuilder.numbers(model: model, configuration: nil), connection)
            let absent = model.entities.filter { numbers[$0.index] == 0 }
            // A store made for a configuration holds its entities only.
            guard absent.isEmpty || isConfiguration(numbers, of: model) else { return absent.map { "entity \($0.name)" } }
            return SchemaFitting.fit(try StoreSchemaBuilder.build(model: model, numbers: numbers), to: try ExistingLayout(connection)).missing
        }
    }

    private static func isConfiguration(_ numbers: [Int64], of model: ResolvedModel) -> Bool {
        model.schema.configurations.contains { configuration in
            guard let planned = try? StoreSchemaBuilder.numbers(model: model, configuration: configuration.name) else { return false }
            return zip(planned, numbers).allSatisfy { ($0 > 0) == ($1 > 0) }
        }
    }

    private static func modelContent(_ connection: SQLiteConnection, _ layout: ExistingLayout) -> Data? {
        guard layout.columns(of: "Z_MODELCACHE")?.contains("Z_CONTENT") == true else { return nil }
        return try? connection.withStatement("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1") { row in
            try row.step() ? Data(row.blob(0) ?? []) : nil
        }
    }
}
