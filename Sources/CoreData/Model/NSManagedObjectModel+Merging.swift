import CoreDataSchema
import Foundation

extension NSManagedObjectModel {
    static func merged(_ bundles: [Bundle]?) -> NSManagedObjectModel? {
        let urls = ModelDiscovery.models(in: bundles)
        guard !urls.isEmpty, let models = try? urls.map({ try NSManagedObjectModel(reading: $0) }) else { return nil }
        return try? merging(models)
    }

    static func merged(_ bundles: [Bundle]?, for metadata: [String: Any]) -> NSManagedObjectModel? {
        let files = ModelDiscovery.models(in: bundles).compactMap { try? versions(at: $0) }
        let parts = parts(of: files.map { file in file.sorted { $0.key < $1.key }.map(\.value) }, for: metadata)
        return parts.flatMap { try? merging($0) }
    }

    /// Several models as one. An entity may be in more than one of them when it is declared alike. nil when they contradict
    /// one another.
    public convenience init?(byMerging models: [NSManagedObjectModel]?) {
        guard let models else { return nil }
        self.init()
        do { try merge(models) } catch { return nil }
    }

    /// Those of several models that a store was made with, as one; nil when there are none.
    public convenience init?(byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]) {
        guard let parts = Self.parts(of: [models], for: metadata) else { return nil }
        self.init()
        do { try merge(parts) } catch { return nil }
    }

    /// Several models as one, in copies. Throws `ModelDescriptionError` naming what two of them declare in different ways.
    package static func merging(_ models: [NSManagedObjectModel]) throws -> NSManagedObjectModel {
        let merged = NSManagedObjectModel()
        try merged.merge(models)
        return merged
    }

    /// Fills an empty model with copies of what others hold.
    private func merge(_ models: [NSManagedObjectModel]) throws {
        var union = ModelSchema()
        var originals: [NSEntityDescription] = []
        for model in models {
            let declared = try model.schema()
            for (entity, description) in zip(declared.entities, model.entities) {
                if let known = union.entity(named: entity.name) {
                    guard known == entity else { throw ModelDescriptionError.conflictingEntities(name: entity.name) }
                } else {
                    union.entities.append(entity)
                    originals.append(description)
                }
            }
            for configuration in declared.configurations {
                if let index = union.configurations.firstIndex(where: { $0.name == configuration.name }) {
                    let known = union.configurations[index].entityNames
                    union.configurations[index].entityNames += configuration.entityNames.filter { !known.contains($0) }
                } else {
                    union.configurations.append(configuration)
                }
            }
        }
        let texts = models.compactMap(\.localizationDictionary)
        entities = ModelCopying.copies(of: originals)
        adopt(subsets: union.configurations.map { ($0.name, $0.entityNames) })
        fetchTemplates = try Self.mergedTemplates(models, into: self)
        versionIdentifiers = models.reduce(into: []) { $0.formUnion($1.versionIdentifiers) }
        if !texts.isEmpty { localizationDictionary = texts.reduce(into: [:]) { $0.merge($1) { first, _ in first } } }
        if models.count == 1 { origin = models[0].origin }
    }

    private static func mergedTemplates(
        _ models: [NSManagedObjectModel], into merged: NSManagedObjectModel
    ) throws -> [String: FetchTemplate] {
        var templates: [String: FetchTemplate] = [:]
        for (name, template) in models.flatMap({ Array($0.fetchTemplates) }) {
            guard let known = templates[name] else {
                templates[name] = template.copy(in: merged)
                continue
            }
            guard known.schema(name: name) == template.schema(name: name) else {
                throw ModelDescriptionError.conflictingTemplates(name: name)
            }
        }
        return templates
    }

    /// One model that fits the metadata, or several that fit it together; nil when there are none.
    private static func parts(of lists: [[NSManagedObjectModel]], for metadata: [String: Any]) -> [NSManagedObjectModel]? {
        if let whole = lists.joined().first(where: { $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) }) {
            return [whole]
        }
        guard let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else { return nil }
        let parts = lists.joined().filter { model in
            let hashes = model.entityVersionHashesByName
            return !hashes.isEmpty && hashes.allSatisfy { stored[$0.key] == $0.value }
        }
        guard !parts.isEmpty, let merged = try? merging(parts),
              merged.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) else { return nil }
        return parts
    }
}
