import Foundation

/// What a save asks of a store.
open class NSSaveChangesRequest: NSPersistentStoreRequest {
    /// Objects to add; nil is none.
    open private(set) var insertedObjects: Set<NSManagedObject>?
    /// Objects to update; nil is none.
    open private(set) var updatedObjects: Set<NSManagedObject>?
    /// Objects to delete; nil is none.
    open private(set) var deletedObjects: Set<NSManagedObject>?
    /// Objects whose rows must not have changed although they are not written; nil is none.
    open private(set) var lockedObjects: Set<NSManagedObject>?

    public init(
        inserted insertedObjects: Set<NSManagedObject>?, updated updatedObjects: Set<NSManagedObject>?,
        deleted deletedObjects: Set<NSManagedObject>?, locked lockedObjects: Set<NSManagedObject>?
    ) {
        self.insertedObjects = insertedObjects
        self.updatedObjects = updatedObjects
        self.deletedObjects = deletedObjects
        self.lockedObjects = lockedObjects
        super.init()
    }

    open override var requestType: NSPersistentStoreRequestType { .saveRequestType }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSSaveChangesRequest(
            inserted: insertedObjects, updated: updatedObjects, deleted: deletedObjects, locked: lockedObjects)
        copy.affectedStores = affectedStores
        return copy
    }
}
