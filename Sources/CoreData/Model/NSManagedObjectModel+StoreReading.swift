import CoreDataModelFile
import CoreDataSQLStorage
import CoreDataSchema
import Foundation

extension NSManagedObjectModel {
    /// The model a SQLite store was made with, as its file tells: a store can so be opened whose model is lost.
    ///
    /// Stores since iOS 9 and macOS 10.11 keep their compiled model, and of those nothing is missing; derived attributes and the like
    /// included. Older ones, and those whose copy is damaged or out of date, get a model made of the tables: everything is optional,
    /// names are in lower case, subentities' properties belong to the root entity, whole numbers are 64 bits wide, blobs are
    /// binary, keys whose destination nothing tells are whole numbers, and the many side of one-to-many relationships is missing.
    /// `isConfiguration(withName:compatibleWithStoreMetadata:)` holds for the store in either case, unless it was made for a
    /// configuration: then for that one. The file is not changed and no store is opened.
    ///
    /// Throws an error in `NSCocoaErrorDomain`: 260 or 256 when no file can be read there, 259 when it is no Core Data store.
    public convenience init(contentsOfStore url: URL) throws {
        self.init(stored: try ErrorTranslation.translating { try StoredModel(url) })
    }

    package convenience init(stored: StoredModel) {
        self.init(schema: stored.schema)
        origin = ModelOrigin(
            url: stored.url, versionName: "", schema: stored.schema, recordedHashes: stored.versionHashes, recordedChecksum: nil)
    }
}

/// The model a store's file tells of.
package struct StoredModel: Sendable {
    package enum Source: Sendable { case modelCache, tables }

    package let url: URL
    package let schema: ModelSchema
    package let source: Source
    /// Of the store's metadata, for the entities of the model.
    package let versionHashes: [String: [UInt8]]
    /// Whether the store's metadata names the model by its hashes.
    package let isOfVersionHashes: Bool
    /// What the kept model needs and the store's tables lack.
    package let missing: [String]
    /// Why the kept model is not used; nil when it is, or when there is none.
    package let keptObstacle: String?

    /// With `evenIfTablesMissing` a kept model whose version hashes are the store's counts although tables it needs are gone.
    package init(_ url: URL, evenIfTablesMissing: Bool = false) throws {
        let contents = try StoreContents.read(url)
        let kept = Kept(contents, url)
        self.url = url
        missing = kept.missing
        if let schema = kept.schema, kept.missing.isEmpty || evenIfTablesMissing && kept.isOfHashes {
            (self.schema, source, isOfVersionHashes, keptObstacle) = (schema, .modelCache, kept.isOfHashes, nil)
        } else {
            (schema, source, isOfVersionHashes) = (try StoreContents.recoverModel(url), .tables, false)
            keptObstacle = !contents.hasModelArchive ? nil : kept.schema == nil ? "is damaged"
                : kept.isOfHashes ? "needs what the tables lack: \(kept.missing.joined(separator: ", "))" : "is another than that of the tables"
        }
        let names = Set(schema.entities.map(\.name))
        versionHashes = contents.versionHashes.filter { names.contains($0.key) }
    }

    /// The model cache, if it can be read: a store may have been migrated without it.
    private struct Kept {
        var schema: ModelSchema?
        var missing: [String] = []
        var isOfHashes = false

        init(_ contents: StoreContents, _ url: URL) {
            guard let archive = contents.modelArchive, let schema = try? ArchivedModelReader(archive, path: url.path).schema,
                  !schema.entities.isEmpty, let model = try? ResolvedModel(schema),
                  let missing = try? StoreContents.missing(for: model, in: url) else { return }
            self.schema = schema
            self.missing = missing
            isOfHashes = Kept.isOf(contents.versionHashes, schema)
        }

        private static func isOf(_ stored: [String: [UInt8]], _ schema: ModelSchema) -> Bool {
            guard let computed = try? VersionHash.entityHashes(of: schema) else { return false }
            let unknown = Set(VersionHash.uncomputable(in: schema))
            return !stored.isEmpty && stored.allSatisfy { unknown.contains($0.key) ? computed[$0.key] != nil : computed[$0.key] == $0.value }
        }
    }
}
