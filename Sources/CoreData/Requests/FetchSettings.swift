import CoreDataSchema
import CoreDataStorage
import Foundation

/// Everything a fetch request says, without the type of its results: what contexts, controllers and models work with.
///
/// Invariant: a request that was given an entity's name has it looked up in the model of whoever executes it, so that
/// one request serves several models; a request that was given an entity keeps it.
package final class FetchSettings {
    private enum Subject {
        case none
        case name(String, resolved: NSEntityDescription?)
        case entity(NSEntityDescription)
    }

    private var subject = Subject.none
    package var predicate: NSPredicate?
    package var sortDescriptors: [NSSortDescriptor]?
    package var fetchLimit = 0
    package var fetchOffset = 0
    package var fetchBatchSize = 0
    package var resultType = NSFetchRequestResultType.managedObjectResultType
    package var includesSubentities = true
    package var includesPropertyValues = true
    package var includesPendingChanges = true
    package var returnsObjectsAsFaults = true
    package var returnsDistinctResults = false
    package var shouldRefreshRefetchedObjects = false
    package var relationshipKeyPathsForPrefetching: [String]?
    package var propertiesToFetch: [Any]?
    package var propertiesToGroupBy: [Any]?
    package var havingPredicate: NSPredicate?

    package init() {}

    package convenience init(entityName: String) {
        self.init()
        subject = .name(entityName, resolved: nil)
    }

    /// Forgets an entity in favour of its name.
    func rename(_ name: String) { subject = .name(name, resolved: nil) }

    package var entityName: String? {
        switch subject {
        case .none: nil
        case .name(let name, _): name
        case .entity(let entity): entity.name
        }
    }

    /// The entity: as it was set, or as it was found when the request was last executed; nil before that.
    package var entity: NSEntityDescription? {
        get {
            switch subject {
            case .none: nil
            case .name(_, let resolved): resolved
            case .entity(let entity): entity
            }
        }
        set { subject = newValue.map(Subject.entity) ?? .none }
    }

    /// The entity to fetch from in a model. Throws a request error that names the entity when the model has none such.
    package func resolveEntity(in model: NSManagedObjectModel) throws -> NSEntityDescription {
        if case .entity(let entity) = subject, entity.owningModel === model { return entity }
        guard let name = entityName else { throw FetchRequestError.noEntity }
        guard let found = model.entitiesByName[name] else {
            throw FetchRequestError.unknownEntity(name, known: model.entities.compactMap(\.name).sorted())
        }
        if case .name = subject { subject = .name(name, resolved: found) }
        return found
    }

    package func copy() -> FetchSettings {
        let copy = FetchSettings()
        copy.subject = subject
        copy.predicate = predicate
        copy.sortDescriptors = sortDescriptors
        copy.fetchLimit = fetchLimit
        copy.fetchOffset = fetchOffset
        copy.fetchBatchSize = fetchBatchSize
        copy.resultType = resultType
        copy.includesSubentities = includesSubentities
        copy.includesPropertyValues = includesPropertyValues
        copy.includesPendingChanges = includesPendingChanges
        copy.returnsObjectsAsFaults = returnsObjectsAsFaults
        copy.returnsDistinctResults = returnsDistinctResults
        copy.shouldRefreshRefetchedObjects = shouldRefreshRefetchedObjects
        copy.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching
        copy.propertiesToFetch = propertiesToFetch
        copy.propertiesToGroupBy = propertiesToGroupBy
        copy.havingPredicate = havingPredicate
        return copy
    }
}

/// Why a fetch request cannot be executed.
package enum FetchRequestError: DescribedError, Equatable {
    case noEntity
    case unknownEntity(String, known: [String])

    package var description: String {
        switch self {
        case .noEntity:
            "The fetch request names no entity. Make it with NSFetchRequest(entityName:) or set its entity."
        case .unknownEntity(let name, let known):
            "The model has no entity “\(name)”, which the fetch request names. "
                + (known.isEmpty ? "The model has no entities at all." : NearestName.advice(name, among: known))
        }
    }
}
