import Foundation

// Core Data's error codes in `NSCocoaErrorDomain`, under Apple's names. `CocoaError.Code` has them without prefix.

/// A validation predicate failed that names no code of its own; the error's text is the predicate's warning.
public let NSManagedObjectValidationError = 1550
/// A uniqueness constraint was violated in memory.
public let NSManagedObjectConstraintValidationError = 1551
/// Several validations failed: `NSDetailedErrorsKey` lists them.
public let NSValidationMultipleErrorsError = 1560
/// A required property is nil.
public let NSValidationMissingMandatoryPropertyError = 1570
/// A relationship has fewer objects than its minimum count.
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// A relationship has more objects than its maximum count.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// An object cannot be deleted while a relationship with the deny rule is not empty.
public let NSValidationRelationshipDeniedDeleteError = 1600
/// A number is above its maximum.
public let NSValidationNumberTooLargeError = 1610
/// A number is below its minimum.
public let NSValidationNumberTooSmallError = 1620
/// A date is after its maximum.
public let NSValidationDateTooLateError = 1630
/// A date is before its minimum.
public let NSValidationDateTooSoonError = 1640
/// A date is not a date.
public let NSValidationInvalidDateError = 1650
/// A text is longer than its maximum.
public let NSValidationStringTooLongError = 1660
/// A text is shorter than its minimum.
public let NSValidationStringTooShortError = 1670
/// A text does not match its pattern.
public let NSValidationStringPatternMatchingError = 1680
/// A URI attribute's value is not a URI.
public let NSValidationInvalidURIError = 1690

/// A context's lock could not be taken.
public let NSManagedObjectContextLockingError = 132000
/// A coordinator's lock could not be taken.
public let NSPersistentStoreCoordinatorLockingError = 132010

/// The row an object or fault stands for is not in the store.
public let NSManagedObjectReferentialIntegrityError = 133000
/// A relationship leads to a row of another store.
public let NSManagedObjectExternalRelationshipError = 133010
/// A save met rows that another context or process changed, and the merge policy does not resolve that.
public let NSManagedObjectMergeError = 133020
/// A save met rows with the same unique values, and the merge policy does not resolve that.
public let NSManagedObjectConstraintMergeError = 133021

/// No store class is registered for the type asked for.
public let NSPersistentStoreInvalidTypeError = 134000
/// The file is a store of another type than the one asked for.
public let NSPersistentStoreTypeMismatchError = 134010
/// The store's schema is damaged or not what the model says.
public let NSPersistentStoreIncompatibleSchemaError = 134020
/// The store could not be saved.
public let NSPersistentStoreSaveError = 134030
/// One of several stores could not be saved.
public let NSPersistentStoreIncompleteSaveError = 134040
/// A save met conflicts: `NSPersistentStoreSaveConflictsErrorKey` lists them.
public let NSPersistentStoreSaveConflictsError = 134050
/// A general failure, such as a request that names an unknown entity.
public let NSCoreDataError = 134060
/// An operation on the store failed.
public let NSPersistentStoreOperationError = 134070
/// The store could not be opened.
public let NSPersistentStoreOpenError = 134080
/// The store stayed locked longer than the timeout.
public let NSPersistentStoreTimeoutError = 134090
/// The store does not understand the request.
public let NSPersistentStoreUnsupportedRequestTypeError = 134091
/// The store was made with another version of the model.
public let NSPersistentStoreIncompatibleVersionHashError = 134100
/// A migration failed.
public let NSMigrationError = 134110
/// Migrated rows violate a constraint of the new model.
public let NSMigrationConstraintViolationError = 134111
/// A migration was cancelled.
public let NSMigrationCancelledError = 134120
/// No model was found that the store was made with.
public let NSMigrationMissingSourceModelError = 134130
/// No mapping model leads from the store's model to the new one.
public let NSMigrationMissingMappingModelError = 134140
/// A migration could not read its source store.
public let NSMigrationManagerSourceStoreError = 134150
/// A migration could not write its destination store.
public let NSMigrationManagerDestinationStoreError = 134160
/// A migration policy failed.
public let NSEntityMigrationPolicyError = 134170
/// SQLite refused a statement: `NSSQLiteErrorDomain` in the user info has its result code.
public let NSSQLiteError = 134180
/// No mapping model could be inferred from the two models.
public let NSInferredMappingModelError = 134190
/// An external record could not be imported.
public let NSExternalRecordImportError = 134200
/// The history that a token points to is no longer kept.
public let NSPersistentHistoryTokenExpiredError = 134301
/// The model that a reference names was not found.
public let NSManagedObjectModelReferenceNotFoundError = 134504
/// A staged migration needs another version of the framework.
public let NSStagedMigrationFrameworkVersionMismatchError = 134505
/// A staged migration leads backward.
public let NSStagedMigrationBackwardMigrationError = 134506
