import Foundation

// Names of store types, of options a store is opened with, and of keys in a store's metadata. The texts are Apple's,
// which for options are mostly, not always, the names themselves.

/// A SQLite file, in Apple's format.
public let NSSQLiteStoreType = "SQLite"
/// A binary file that is read whole.
public let NSBinaryStoreType = "Binary"
/// Rows in memory that end with the store.
public let NSInMemoryStoreType = "InMemory"
/// An XML file; macOS only at Apple.
public let NSXMLStoreType = "XML"

/// Metadata: the store's type.
public let NSStoreTypeKey = "NSStoreType"
/// Metadata: the store's UUID, as text.
public let NSStoreUUIDKey = "NSStoreUUID"
/// Metadata: entity name to version hash (`Data`) of the model the store was made with.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// Metadata: the version identifiers of the model the store was made with.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
/// Metadata: the systems the store can be used with.
public let NSPersistentStoreOSCompatibility = "NSPersistentStoreOSCompatibility"

/// Option: open for reading only (a Boolean).
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// Option: seconds to wait for a locked store (a number).
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// Option: SQLite pragmas, name to value.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// Option: run ANALYZE when the store is added (a Boolean).
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// Option: run VACUUM when the store is added (a Boolean).
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// Option: do not compare version hashes (a Boolean).
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
/// Option: migrate when the store was made with another version of the model (a Boolean).
public let NSMigratePersistentStoresAutomaticallyOption = "NSMigratePersistentStoresAutomaticallyOption"
/// Option: infer the mapping model of a migration (a Boolean).
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// Option: put off what a lightweight migration can do later (a Boolean).
public let NSPersistentStoreDeferredLightweightMigrationOptionKey = "NSPersistentStoreDeferredLightweightMigrationOptionKey"
/// Option: the manager of a staged migration.
public let NSPersistentStoreStagedMigrationManagerOptionKey = "NSPersistentStoreStagedMigrationManagerOptionKey"
/// Option: destroy a store even when it is in use (a Boolean).
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"
/// Option: the number of connections a store may open for reading.
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSize"
/// Option: keep persistent history (a Boolean, or a dictionary).
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// Option: post `NSPersistentStoreRemoteChange` after each write (a Boolean).
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey = "NSPersistentStoreRemoteChangeNotificationOptionKey"
/// Option: check an XML store before it is read (a Boolean). This library always does: what cannot be is refused with its line.
public let NSValidateXMLStoreOption = "NSValidateXMLStoreOption"
/// Option: classes a binary store may decode besides the usual.
public let NSBinaryStoreSecureDecodingClasses = "NSBinaryStoreSecureDecodingClasses"
/// Option: let a binary store decode without secure coding (a Boolean).
public let NSBinaryStoreInsecureDecodingCompatibilityOption = "NSBinaryStoreInsecureDecodingCompatibilityOption"
/// Option: the file protection class at Apple; Linux has no such thing, so that a store ignores it.
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"
