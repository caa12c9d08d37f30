import Foundation

/// What a batch delete gives.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
    /// Whether it succeeded.
    case resultTypeStatusOnly = 0
    /// The IDs of the rows.
    case resultTypeObjectIDs
    /// The number of rows.
    case resultTypeCount
}

/// Deletes many rows of a store without making objects of them.
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
    /// Which rows, as a copy of what the request was made with.
    open private(set) var fetchRequest: NSFetchRequest<NSFetchRequestResult>
    /// The rows by ID; nil when the request was made with a fetch.
    package let objectIDs: [NSManagedObjectID]?
    /// What to give. Default whether it succeeded.
    open var resultType: NSBatchDeleteRequestResultType = .resultTypeStatusOnly

    /// Deletes what a fetch would find.
    public init(fetchRequest fetch: NSFetchRequest<NSFetchRequestResult>) {
        fetchRequest = NSFetchRequest(settings: fetch.settings.copy())
        fetchRequest.affectedStores = fetch.affectedStores
        objectIDs = nil
        super.init()
    }

    /// Deletes what a fetch of any result type would find.
    public convenience init<Result>(fetchRequest fetch: NSFetchRequest<Result>) { self.init(fetchRequest: fetch.erased) }

    /// Deletes the rows of permanent IDs, which must be of one entity or of entities with a common ancestor.
    public init(objectIDs objects: [NSManagedObjectID]) {
        fetchRequest = NSFetchRequest()
        fetchRequest.entity = objects.first.map { RootEntity.common(of: objects.map(\.entity)) ?? $0.entity }
        objectIDs = objects
        super.init()
    }

    private init(copying other: NSBatchDeleteRequest) {
        fetchRequest = NSFetchRequest(settings: other.fetchRequest.settings.copy())
        fetchRequest.affectedStores = other.fetchRequest.affectedStores
        objectIDs = other.objectIDs
        resultType = other.resultType
        super.init()
        affectedStores = other.affectedStores
    }

    open override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

    open override func copy(with zone: NSZone? = nil) -> Any { NSBatchDeleteRequest(copying: self) }
}

private enum RootEntity {
    /// The nearest entity that all of them are kinds of; nil when there is none.
    static func common(of entities: [NSEntityDescription]) -> NSEntityDescription? {
        guard let first = entities.first else { return nil }
        return sequence(first: first) { $0.superentity }.first { candidate in
            entities.allSatisfy { $0.isKindOf(entity: candidate) }
        }
    }
}

/// The result of a batch delete.
open class NSBatchDeleteResult: NSPersistentStoreResult {
    /// As `resultType` says: a Boolean (`NSNumber`), `[NSManagedObjectID]`, or a count (`NSNumber`).
    open private(set) var result: Any?
    open private(set) var resultType: NSBatchDeleteRequestResultType

    /// A result without one, for subclasses that make it up.
    public override init() {
        resultType = .resultTypeStatusOnly
        super.init()
    }

    package init(result: Any?, resultType: NSBatchDeleteRequestResultType) {
        self.result = result
        self.resultType = resultType
        super.init()
    }
}
