import Foundation

/// What a batch insert gives.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
    /// Whether it succeeded.
    case statusOnly = 0
    /// The IDs of the rows.
    case objectIDs
    /// The number of rows.
    case count
}

/// Adds many rows to a store without making objects of them.
open class NSBatchInsertRequest: NSPersistentStoreRequest {
    package let subject: RequestSubject
    /// The rows, property name to value; nil when a handler gives them.
    open var objectsToInsert: [[String: Any]]?
    /// Fills one row after another, until it answers true; nil when it is not used.
    open var dictionaryHandler: ((NSMutableDictionary) -> Bool)?
    /// Fills one row after another through an object, until it answers true; nil when it is not used.
    open var managedObjectHandler: ((NSManagedObject) -> Bool)?
    /// What to give. Default whether it succeeded.
    open var resultType: NSBatchInsertRequestResultType = .statusOnly

    private init(_ subject: RequestSubject) {
        self.subject = subject
        super.init()
    }

    /// Rows given whole.
    public convenience init(entityName: String, objects dictionaries: [[String: Any]]) {
        self.init(.name(entityName))
        objectsToInsert = dictionaries
    }

    /// Rows given whole.
    public convenience init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
        self.init(.entity(entity))
        objectsToInsert = dictionaries
    }

    /// Rows filled one by one: the handler answers true when there are no more.
    public convenience init(entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool) {
        self.init(.name(entityName))
        dictionaryHandler = handler
    }

    /// Rows filled one by one: the handler answers true when there are no more.
    public convenience init(entity: NSEntityDescription, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool) {
        self.init(.entity(entity))
        dictionaryHandler = handler
    }

    /// Rows filled one by one through an object: the handler answers true when there are no more.
    public convenience init(entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool) {
        self.init(.name(entityName))
        managedObjectHandler = handler
    }

    /// Rows filled one by one through an object: the handler answers true when there are no more.
    public convenience init(entity: NSEntityDescription, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool) {
        self.init(.entity(entity))
        managedObjectHandler = handler
    }

    /// The name of the entity to add rows of.
    open var entityName: String { subject.name }
    /// The entity, when the request was made with one.
    open var entity: NSEntityDescription? { subject.entity }

    open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSBatchInsertRequest(subject)
        copy.objectsToInsert = objectsToInsert
        copy.dictionaryHandler = dictionaryHandler
        copy.managedObjectHandler = managedObjectHandler
        copy.resultType = resultType
        copy.affectedStores = affectedStores
        return copy
    }
}

/// The result of a batch insert.
open class NSBatchInsertResult: NSPersistentStoreResult {
    /// As `resultType` says: a Boolean (`NSNumber`), `[NSManagedObjectID]`, or a count (`NSNumber`).
    open private(set) var result: Any?
    open private(set) var resultType: NSBatchInsertRequestResultType

    /// A result without one, for subclasses that make it up.
    public override init() {
        resultType = .statusOnly
        super.init()
    }

    package init(result: Any?, resultType: NSBatchInsertRequestResultType) {
        self.result = result
        self.resultType = resultType
        super.init()
    }
}
