import Foundation

extension Notification.Name {
    /// Before a context saves; the object is the context.
    public static let NSManagedObjectContextWillSave = Notification.Name("NSManagingContextWillSaveChangesNotification")
    /// After a context saved; the user info has the inserted, updated and deleted objects.
    public static let NSManagedObjectContextDidSave = Notification.Name("NSManagingContextDidSaveChangesNotification")
    /// After a context processed pending changes; the user info has the objects by kind of change.
    public static let NSManagedObjectContextObjectsDidChange = Notification.Name("NSObjectsChangedInManagingContextNotification")
    /// After a context saved; the user info has object IDs by kind of change.
    public static let NSManagedObjectContextDidSaveObjectIDs = ObjectIDNotifications.wanted()
    /// After a context merged another's save; the user info has object IDs by kind of change.
    public static let NSManagedObjectContextDidMergeChangesObjectIDs = ObjectIDNotifications.mergesWanted()
    /// Before a coordinator's stores change.
    public static let NSPersistentStoreCoordinatorStoresWillChange = Notification.Name(
        "NSPersistentStoreCoordinatorStoresWillChangeNotification")
    /// After a coordinator's stores changed; the user info has the added, removed or renumbered stores.
    public static let NSPersistentStoreCoordinatorStoresDidChange = Notification.Name(
        "NSPersistentStoreCoordinatorStoresDidChangeNotification")
    /// Before a coordinator removes a store.
    public static let NSPersistentStoreCoordinatorWillRemoveStore = Notification.Name(
        "NSPersistentStoreCoordinatorWillRemoveStoreNotification")
    /// After any process wrote to a store that was opened with
    /// `NSPersistentStoreRemoteChangeNotificationPostOptionKey`.
    public static let NSPersistentStoreRemoteChange = Notification.Name("NSPersistentStoreRemoteChangeNotification")
}

/// Inserted objects, a `Set<NSManagedObject>`.
public let NSInsertedObjectsKey = "inserted"
/// Updated objects, a `Set<NSManagedObject>`.
public let NSUpdatedObjectsKey = "updated"
/// Deleted objects, a `Set<NSManagedObject>`.
public let NSDeletedObjectsKey = "deleted"
/// Objects refreshed without being changed here, a `Set<NSManagedObject>`.
public let NSRefreshedObjectsKey = "refreshed"
/// Invalidated objects, a `Set<NSManagedObject>`.
public let NSInvalidatedObjectsKey = "invalidated"
/// Present when all objects of the context were invalidated.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"
/// IDs of inserted objects, a `Set<NSManagedObjectID>`.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// IDs of updated objects, a `Set<NSManagedObjectID>`.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// IDs of deleted objects, a `Set<NSManagedObjectID>`.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
/// IDs of refreshed objects, a `Set<NSManagedObjectID>`.
public let NSRefreshedObjectIDsKey = "refreshed_objectIDs"
/// IDs of invalidated objects, a `Set<NSManagedObjectID>`.
public let NSInvalidatedObjectIDsKey = "invalidated_objectIDs"
/// The query generation a change belongs to.
public let NSManagedObjectContextQueryGenerationKey = "newQueryGeneration"

/// Stores added to a coordinator.
public let NSAddedPersistentStoresKey = "added"
/// Stores removed from a coordinator.
public let NSRemovedPersistentStoresKey = "removed"
/// Stores whose UUID changed: the old and the new one.
public let NSUUIDChangedPersistentStoresKey = "changed"
/// The history token of a remote change.
public let NSPersistentHistoryTokenKey = "historyToken"
/// The URL of the store of a remote change.
public let NSPersistentStoreURLKey = "storeURL"
