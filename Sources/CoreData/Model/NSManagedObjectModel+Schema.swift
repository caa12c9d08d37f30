import CoreDataSchema
import CoreDataStorage
import Foundation

/// Where a model was read from, and what its file says.
package struct ModelOrigin: Sendable {
    package var url: URL
    package var versionName: String
    package var schema: ModelSchema
    /// Hashes that Apple's compiler wrote beside the model.
    package var recordedHashes: [String: [UInt8]]
    package var recordedChecksum: String?
}

extension NSManagedObjectModel {
    /// A model as its file or another source declares it.
    package convenience init(schema: ModelSchema) {
        self.init()
        entities = ModelBuilding.entities(of: schema, owner: self)
        adopt(subsets: schema.configurations.map { ($0.name, $0.entityNames) })
        fetchTemplates = Dictionary(schema.fetchTemplates.map { ($0.name, FetchTemplate($0, model: self)) }) { first, _ in first }
        versionIdentifiers = Set(schema.versionIdentifiers.map { AnyHashable($0) })
    }

    /// The model as a value. Throws `ModelDescriptionError` when a description built in code is not sound.
    package func schema() throws -> ModelSchema {
        let composites = CompositeCollector(origin?.schema.composites ?? [])
        var schema = ModelSchema()
        // A nameless entity also breaks every link to it: report the cause, not what follows from it.
        if entities.contains(where: { ($0.name ?? "").isEmpty }) { throw ModelDescriptionError.unnamedEntity }
        schema.entities = try entities.map { try $0.schema(composites: composites) }
        schema.composites = composites.composites
        schema.configurations = configurations.map { name in
            ConfigurationSchema(
                name: name, entityNames: (entities(forConfigurationName: name) ?? []).compactMap(\.name))
        }
        schema.fetchTemplates = try orderedTemplates().map { name, template in
            guard let template = template.schema(name: name) else { throw ModelDescriptionError.noEntityInTemplate(name) }
            return template
        }
        schema.versionIdentifiers = orderedIdentifiers()
        return schema
    }

    /// File order first, then by name.
    private func orderedTemplates() -> [(String, FetchTemplate)] {
        let declared = (origin?.schema.fetchTemplates ?? []).map(\.name)
        let templates = fetchTemplates
        let names = declared.filter { templates[$0] != nil } + templates.keys.filter { !declared.contains($0) }.sorted()
        return names.compactMap { name in templates[name].map { (name, $0) } }
    }

    private func orderedIdentifiers() -> [String] {
        let texts = Set(versionIdentifiers.compactMap { $0.base as? String })
        let declared = (origin?.schema.versionIdentifiers ?? []).filter(texts.contains)
        return declared + texts.subtracting(declared).sorted()
    }

    func checksum() -> String {
        guard let hashes = try? versionHashes() else { return "" }
        if let origin, let checksum = origin.recordedChecksum, (try? schema()) == origin.schema { return checksum }
        return VersionHash.checksum(hashes.mapValues { Array($0) })
    }

    /// Entity name to version hash. For a compiled model that was not changed, those its compiler wrote beside it.
    package func versionHashes() throws -> [String: Data] {
        try hashes {
            let schema = try isFrozen ? resolved().schema : schema()
            var hashes = try VersionHash.entityHashes(of: schema)
            if let origin, !origin.recordedHashes.isEmpty, schema == origin.schema {
                hashes.merge(origin.recordedHashes) { _, recorded in recorded }
            }
            hashes.merge(learnedHashes) { _, learned in learned }
            return hashes.mapValues { Data($0) }
        }
    }

    /// Keeps a store's hashes of entities whose hash only Apple's framework can compute; the store has opened with this model.
    func learnHashes(of metadata: StoreMetadata) {
        guard let frozen = try? resolved(), let stored = metadata.values[NSStoreModelVersionHashesKey] as? [String: Data] else { return }
        let uncomputable = VersionHash.uncomputable(in: frozen.schema).filter { stored[$0] != nil }
        guard !uncomputable.isEmpty else { return }
        adoptHashes(stored.filter { uncomputable.contains($0.key) }.mapValues { Array($0) })
    }

    func fits(_ configuration: String?, _ metadata: [String: Any]) -> Bool {
        guard let entities = entities(forConfigurationName: configuration),
              let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data], let hashes = try? versionHashes()
        else { return false }
        let names = Set(entities.compactMap(\.name))
        return hashes.filter { names.contains($0.key) } == stored
    }
}
