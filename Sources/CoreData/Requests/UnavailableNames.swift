import CoreDataPredicate
import Foundation

// Apple's names that this version does not have: code that uses them is told why, and what to do instead.

// MARK: CloudKit and Spotlight, which exist on Apple's platforms alone

@available(*, unavailable, message: "CloudKit exists on Apple's platforms alone: use NSPersistentContainer.")
open class NSPersistentCloudKitContainer: NSPersistentContainer, @unchecked Sendable {}

@available(*, unavailable, message: "CloudKit exists on Apple's platforms alone: leave a description's CloudKit options out.")
open class NSPersistentCloudKitContainerOptions: NSObject {}

@available(*, unavailable, message: "Spotlight exists on Apple's platforms alone.")
open class NSCoreDataCoreSpotlightDelegate: NSObject {}

extension NSPersistentStoreDescription {
    @available(*, unavailable, message: "CloudKit exists on Apple's platforms alone: leave its options out.")
    public var cloudKitContainerOptions: Any? {
        get { raise(.generic, "unavailable") }
        set { raise(.generic, "unavailable") }
    }
}

// MARK: iCloud's document store, which Apple removed

@available(*, unavailable, message: "Apple removed iCloud's ubiquitous stores: leave the option out.")
public var NSPersistentStoreUbiquitousContentNameKey: String { raise(.generic, "unavailable") }
@available(*, unavailable, message: "Apple removed iCloud's ubiquitous stores: leave the option out.")
public var NSPersistentStoreUbiquitousContentURLKey: String { raise(.generic, "unavailable") }
@available(*, unavailable, message: "Apple removed iCloud's ubiquitous stores: leave the option out.")
public var NSPersistentStoreUbiquitousPeerTokenOption: String { raise(.generic, "unavailable") }
@available(*, unavailable, message: "Apple removed iCloud's ubiquitous stores: leave the option out.")
public var NSPersistentStoreUbiquitousContainerIdentifierKey: String { raise(.generic, "unavailable") }
@available(*, unavailable, message: "Apple removed iCloud's ubiquitous stores: leave the option out.")
public var NSPersistentStoreRemoveUbiquitousMetadataOption: String { raise(.generic, "unavailable") }
@available(*, unavailable, message: "Apple removed iCloud's ubiquitous stores: leave the option out.")
public var NSPersistentStoreRebuildFromUbiquitousContentOption: String { raise(.generic, "unavailable") }
@available(*, unavailable, message: "Apple removed iCloud's ubiquitous stores.")
public var NSPersistentStoreUbiquitousTransitionTypeKey: String { raise(.generic, "unavailable") }

extension Notification.Name {
    @available(*, unavailable, message: "Apple removed iCloud's ubiquitous stores: nobody posts this notification.")
    public static var NSPersistentStoreDidImportUbiquitousContentChanges: Notification.Name { raise(.generic, "unavailable") }
}

// MARK: Query generations

@available(*, unavailable, message: "Query generations do not exist in this version: every fetch sees what was last saved.")
open class NSQueryGenerationToken: NSObject {}

extension NSManagedObjectContext {
    @available(*, unavailable, message: "Query generations do not exist in this version: every fetch sees what was last saved.")
    public var queryGenerationToken: Any? { raise(.generic, "unavailable") }
}

// MARK: Migration and persistent history, which a later version brings

@available(*, unavailable, message: "Migration does not exist in this version: a store of another model version is refused (134100).")
open class NSMigrationManager: NSObject {}
@available(*, unavailable, message: "Migration does not exist in this version: a store of another model version is refused (134100).")
open class NSMappingModel: NSObject {}
@available(*, unavailable, message: "Migration does not exist in this version: a store of another model version is refused (134100).")
open class NSEntityMapping: NSObject {}
@available(*, unavailable, message: "Migration does not exist in this version: a store of another model version is refused (134100).")
open class NSPropertyMapping: NSObject {}
@available(*, unavailable, message: "Migration does not exist in this version: a store of another model version is refused (134100).")
open class NSEntityMigrationPolicy: NSObject {}
@available(*, unavailable, message: "Migration does not exist in this version: a store of another model version is refused (134100).")
open class NSStagedMigrationManager: NSObject {}
@available(*, unavailable, message: "Persistent history does not exist in this version: merge the notifications of saves instead.")
open class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {}
@available(*, unavailable, message: "Persistent history does not exist in this version: merge the notifications of saves instead.")
open class NSPersistentHistoryToken: NSObject {}
@available(*, unavailable, message: "Persistent history does not exist in this version: merge the notifications of saves instead.")
open class NSPersistentHistoryTransaction: NSObject {}
@available(*, unavailable, message: "Persistent history does not exist in this version: merge the notifications of saves instead.")
open class NSPersistentHistoryChange: NSObject {}
@available(*, unavailable, message: "Persistent history does not exist in this version: merge the notifications of saves instead.")
open class NSPersistentHistoryResult: NSPersistentStoreResult {}
