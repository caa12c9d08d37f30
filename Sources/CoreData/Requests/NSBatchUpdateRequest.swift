import Foundation

/// What a batch update gives.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
    /// Whether it succeeded.
    case statusOnlyResultType = 0
    /// The IDs of the rows.
    case updatedObjectIDsResultType
    /// The number of rows.
    case updatedObjectsCountResultType
}

/// Changes many rows of a store without making objects of them.
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
    package let subject: RequestSubject
    /// Which rows; nil is all.
    open var predicate: NSPredicate?
    /// Whether rows of subentities are changed too. Default true.
    open var includesSubentities: Bool = true
    /// What to give. Default whether it succeeded.
    open var resultType: NSBatchUpdateRequestResultType = .statusOnlyResultType
    /// New values: a name or `NSPropertyDescription` to a constant or `NSExpression`.
    open var propertiesToUpdate: [AnyHashable: Any]?

    public init(entityName: String) {
        subject = .name(entityName)
        super.init()
    }

    public init(entity: NSEntityDescription) {
        subject = .entity(entity)
        super.init()
    }

    /// The name of the entity whose rows are changed.
    open var entityName: String { subject.name }

    /// The entity whose rows are changed; nil when the request was made with a name.
    open var entity: NSEntityDescription! { subject.entity }

    open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy: NSBatchUpdateRequest = switch subject {
        case .name(let name): NSBatchUpdateRequest(entityName: name)
        case .entity(let entity): NSBatchUpdateRequest(entity: entity)
        }
        copy.predicate = predicate
        copy.includesSubentities = includesSubentities
        copy.resultType = resultType
        copy.propertiesToUpdate = propertiesToUpdate
        copy.affectedStores = affectedStores
        return copy
    }
}

/// The result of a batch update.
open class NSBatchUpdateResult: NSPersistentStoreResult {
    /// As `resultType` says: a Boolean (`NSNumber`), `[NSManagedObjectID]`, or a count (`NSNumber`).
    open private(set) var result: Any?
    open private(set) var resultType: NSBatchUpdateRequestResultType

    /// A result without one, for subclasses that make it up.
    public override init() {
        resultType = .statusOnlyResultType
        super.init()
    }

    package init(result: Any?, resultType: NSBatchUpdateRequestResultType) {
        self.result = result
        self.resultType = resultType
        super.init()
    }
}
