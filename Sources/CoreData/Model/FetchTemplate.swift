import CoreDataPredicate
import CoreDataSchema
import Foundation

/// A fetch request kept in a model: as its file declares it, turned into a request when asked for, or as set in code.
///
/// Unchecked Sendable: the request is made once under a lock, and nothing changes it after its model is frozen.
package final class FetchTemplate: @unchecked Sendable {
    private let lock = NSLock()
    private var made: NSFetchRequest<NSFetchRequestResult>?
    private let declared: FetchTemplateSchema?
    /// Where the entity of a declared template is looked up.
    private weak var model: NSManagedObjectModel?

    init(_ request: NSFetchRequest<NSFetchRequestResult>) {
        made = request
        declared = nil
    }

    init(_ schema: FetchTemplateSchema, model: NSManagedObjectModel?) {
        declared = schema
        self.model = model
    }

    /// The request; one object for the template's life.
    package var request: NSFetchRequest<NSFetchRequestResult> {
        lock.withLock {
            if let made { return made }
            let request = NSFetchRequest<NSFetchRequestResult>(settings: settings())
            made = request
            return request
        }
    }

    /// The same template for a copy of the model.
    func copy(in model: NSManagedObjectModel?) -> FetchTemplate {
        if let declared { return FetchTemplate(declared, model: model) }
        let copy = NSFetchRequest<NSFetchRequestResult>(settings: request.settings.copy())
        // An entity of the original model would be foreign to the copy: keep its name.
        if let name = copy.settings.entityName { copy.settings.rename(name) }
        return FetchTemplate(copy)
    }

    private func settings() -> FetchSettings {
        guard let declared else { return FetchSettings() }
        let settings = FetchSettings(entityName: declared.entityName)
        if let entity = model?.entitiesByName[declared.entityName] { settings.entity = entity }
        settings.predicate = declared.predicateFormat.map { PredicateSource(format: $0).predicate }
        if !declared.sortKeys.isEmpty { settings.sortDescriptors = declared.sortKeys.map(ModelPredicates.sortDescriptor) }
        settings.resultType = NSFetchRequestResultType(rawValue: UInt(clamping: declared.resultType))
        settings.fetchLimit = declared.fetchLimit
        settings.fetchBatchSize = declared.fetchBatchSize
        settings.includesSubentities = declared.includesSubentities
        settings.includesPropertyValues = declared.includesPropertyValues
        settings.includesPendingChanges = declared.includesPendingChanges
        settings.returnsObjectsAsFaults = declared.returnsObjectsAsFaults
        settings.returnsDistinctResults = declared.returnsDistinctResults
        return settings
    }

    /// The template as a value; nil when it names no entity.
    package func schema(name: String) -> FetchTemplateSchema? {
        if let declared { return declared }
        let settings = request.settings
        guard let entityName = settings.entityName, !entityName.isEmpty else { return nil }
        var schema = FetchTemplateSchema(name: name, entityName: entityName)
        schema.predicateFormat = settings.predicate.map { PredicateSource($0).format }
        schema.sortKeys = (settings.sortDescriptors ?? []).compactMap(ModelPredicates.sortKey)
        schema.resultType = Int(settings.resultType.rawValue)
        schema.fetchLimit = settings.fetchLimit
        schema.fetchBatchSize = settings.fetchBatchSize
        schema.includesSubentities = settings.includesSubentities
        schema.includesPropertyValues = settings.includesPropertyValues
        schema.includesPendingChanges = settings.includesPendingChanges
        schema.returnsObjectsAsFaults = settings.returnsObjectsAsFaults
        schema.returnsDistinctResults = settings.returnsDistinctResults
        return schema
    }
}
