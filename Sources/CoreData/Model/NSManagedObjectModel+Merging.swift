import CoreDataSchema
import Foundation

extension NSManagedObjectModel {
    /// The models in some bundles as one; nil bundles are the main bundle and, when that has none, the resource bundles
    /// beside the executable. nil when no model is found, one cannot be read, or they contradict one another.
    public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
        let urls = ModelDiscovery.models(in: bundles)
        guard !urls.isEmpty, let models = try? urls.map({ try NSManagedObjectModel(reading: $0) }) else { return nil }
        return try? merging(models)
    }

    /// The version of the models in some bundles that a store was made with; nil when there is none.
    public class func mergedModel(from bundles: [Bundle]?, forStoreMetadata metadata: [String: Any]) -> NSManagedObjectModel? {
        let files = ModelDiscovery.models(in: bundles).compactMap { try? versions(at: $0) }
        return compatible(files.map { file in file.sorted { $0.key < $1.key }.map(\.value) }, with: metadata)
    }

    /// Several models as one. An entity may be in more than one of them when it is declared alike. nil when they contradict
    /// one another.
    public convenience init?(byMerging models: [NSManagedObjectModel]?) {
        guard let models, let merged = try? Self.merging(models), let schema = try? merged.schema() else { return nil }
        self.init(schema: schema)
        localizationDictionary = merged.localizationDictionary
    }

    /// Those of several models that a store was made with, as one; nil when there are none.
    public convenience init?(byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]) {
        guard let found = Self.compatible([models], with: metadata), let schema = try? found.schema() else { return nil }
        self.init(schema: schema)
        origin = found.origin
    }

    /// Several models as one, in copies. Throws `ModelDescriptionError` naming what two of them declare in different ways.
    package static func merging(_ models: [NSManagedObjectModel]) throws -> NSManagedObjectModel {
        if models.count == 1, let copy = models[0].copy() as? NSManagedObjectModel { return copy }
        var schema = ModelSchema()
        var entities: [NSEntityDescription] = []
        for model in models {
            let declared = try model.schema()
            for (entity, description) in zip(declared.entities, model.entities) {
                if let known = schema.entity(named: entity.name) {
                    guard known == entity else { throw ModelDescriptionError.conflictingEntities(name: entity.name) }
                } else {
                    schema.entities.append(entity)
                    entities.append(description)
                }
            }
            for configuration in declared.configurations {
                if let index = schema.configurations.firstIndex(where: { $0.name == configuration.name }) {
                    let known = schema.configurations[index].entityNames
                    schema.configurations[index].entityNames += configuration.entityNames.filter { !known.contains($0) }
                } else {
                    schema.configurations.append(configuration)
                }
            }
        }
        let merged = NSManagedObjectModel()
        merged.entities = ModelCopying.copies(of: entities)
        merged.adopt(subsets: schema.configurations.map { ($0.name, $0.entityNames) })
        merged.fetchTemplates = try mergedTemplates(models, into: merged)
        merged.versionIdentifiers = models.reduce(into: []) { $0.formUnion($1.versionIdentifiers) }
        let texts = models.compactMap(\.localizationDictionary)
        if !texts.isEmpty { merged.localizationDictionary = texts.reduce(into: [:]) { $0.merge($1) { first, _ in first } } }
        return merged
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

    /// One model that fits the metadata, or one from each list (the versions of a file) that fit it together.
    private static func compatible(
        _ lists: [[NSManagedObjectModel]], with metadata: [String: Any]
    ) -> NSManagedObjectModel? {
        if let whole = lists.joined().first(where: { $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) }) {
            return whole
        }
        guard let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else { return nil }
        let parts = lists.joined().filter { model in
            let hashes = model.entityVersionHashesByName
            return !hashes.isEmpty && hashes.allSatisfy { stored[$0.key] == $0.value }
        }
        guard !parts.isEmpty, let merged = try? merging(parts),
              merged.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) else { return nil }
        return merged
    }
}
