import Foundation

// The same codes where code is matched on the error type: `catch CocoaError.managedObjectMerge`.
extension CocoaError {
    /// A validation predicate failed that names no code of its own; the error's text is the predicate's warning.
    public static var managedObjectValidation: CocoaError.Code { .managedObjectValidation }
    /// A uniqueness constraint was violated in memory.
    public static var managedObjectConstraintValidation: CocoaError.Code { .managedObjectConstraintValidation }
    /// Several validations failed: `NSDetailedErrorsKey` lists them.
    public static var validationMultipleErrors: CocoaError.Code { .validationMultipleErrors }
    /// A required property is nil.
    public static var validationMissingMandatoryProperty: CocoaError.Code { .validationMissingMandatoryProperty }
    /// A relationship has fewer objects than its minimum count.
    public static var validationRelationshipLacksMinimumCount: CocoaError.Code { .validationRelationshipLacksMinimumCount }
    /// A relationship has more objects than its maximum count.
    public static var validationRelationshipExceedsMaximumCount: CocoaError.Code { .validationRelationshipExceedsMaximumCount }
    /// An object cannot be deleted while a relationship with the deny rule is not empty.
    public static var validationRelationshipDeniedDelete: CocoaError.Code { .validationRelationshipDeniedDelete }
    /// A number is above its maximum.
    public static var validationNumberTooLarge: CocoaError.Code { .validationNumberTooLarge }
    /// A number is below its minimum.
    public static var validationNumberTooSmall: CocoaError.Code { .validationNumberTooSmall }
    /// A date is after its maximum.
    public static var validationDateTooLate: CocoaError.Code { .validationDateTooLate }
    /// A date is before its minimum.
    public static var validationDateTooSoon: CocoaError.Code { .validationDateTooSoon }
    /// A date is not a date.
    public static var validationInvalidDate: CocoaError.Code { .validationInvalidDate }
    /// A text is longer than its maximum.
    public static var validationStringTooLong: CocoaError.Code { .validationStringTooLong }
    /// A text is shorter than its minimum.
    public static var validationStringTooShort: CocoaError.Code { .validationStringTooShort }
    /// A text does not match its pattern.
    public static var validationStringPatternMatching: CocoaError.Code { .validationStringPatternMatching }
    /// A URI attribute's value is not a URI.
    public static var validationInvalidURI: CocoaError.Code { .validationInvalidURI }
    /// A context's lock could not be taken.
    public static var managedObjectContextLocking: CocoaError.Code { .managedObjectContextLocking }
    /// A coordinator's lock could not be taken.
    public static var persistentStoreCoordinatorLocking: CocoaError.Code { .persistentStoreCoordinatorLocking }
    /// The row an object or fault stands for is not in the store.
    public static var managedObjectReferentialIntegrity: CocoaError.Code { .managedObjectReferentialIntegrity }
    /// A relationship leads to a row of another store.
    public static var managedObjectExternalRelationship: CocoaError.Code { .managedObjectExternalRelationship }
    /// A save met rows that another context or process changed, and the merge policy does not resolve that.
    public static var managedObjectMerge: CocoaError.Code { .managedObjectMerge }
    /// A save met rows with the same unique values, and the merge policy does not resolve that.
    public static var managedObjectConstraintMerge: CocoaError.Code { .managedObjectConstraintMerge }
    /// No store class is registered for the type asked for.
    public static var persistentStoreInvalidType: CocoaError.Code { .persistentStoreInvalidType }
    /// The file is a store of another type than the one asked for.
    public static var persistentStoreTypeMismatch: CocoaError.Code { .persistentStoreTypeMismatch }
    /// The store's schema is damaged or not what the model says.
    public static var persistentStoreIncompatibleSchema: CocoaError.Code { .persistentStoreIncompatibleSchema }
    /// The store could not be saved.
    public static var persistentStoreSave: CocoaError.Code { .persistentStoreSave }
    /// One of several stores could not be saved.
    public static var persistentStoreIncompleteSave: CocoaError.Code { .persistentStoreIncompleteSave }
    /// A save met conflicts: `NSPersistentStoreSaveConflictsErrorKey` lists them.
    public static var persistentStoreSaveConflicts: CocoaError.Code { .persistentStoreSaveConflicts }
    /// A general failure, such as a request that names an unknown entity.
    public static var coreData: CocoaError.Code { .coreData }
    /// An operation on the store failed.
    public static var persistentStoreOperation: CocoaError.Code { .persistentStoreOperation }
    /// The store could not be opened.
    public static var persistentStoreOpen: CocoaError.Code { .persistentStoreOpen }
    /// The store stayed locked longer than the timeout.
    public static var persistentStoreTimeout: CocoaError.Code { .persistentStoreTimeout }
    /// The store does not understand the request.
    public static var persistentStoreUnsupportedRequestType: CocoaError.Code { .persistentStoreUnsupportedRequestType }
    /// The store was made with another version of the model.
    public static var persistentStoreIncompatibleVersionHash: CocoaError.Code { .persistentStoreIncompatibleVersionHash }
    /// A migration failed.
    public static var migration: CocoaError.Code { .migration }
    /// Migrated rows violate a constraint of the new model.
    public static var migrationConstraintViolation: CocoaError.Code { .migrationConstraintViolation }
    /// A migration was cancelled.
    public static var migrationCancelled: CocoaError.Code { .migrationCancelled }
    /// No model was found that the store was made with.
    public static var migrationMissingSourceModel: CocoaError.Code { .migrationMissingSourceModel }
    /// No mapping model leads from the store's model to the new one.
    public static var migrationMissingMappingModel: CocoaError.Code { .migrationMissingMappingModel }
    /// A migration could not read its source store.
    public static var migrationManagerSourceStore: CocoaError.Code { .migrationManagerSourceStore }
    /// A migration could not write its destination store.
    public static var migrationManagerDestinationStore: CocoaError.Code { .migrationManagerDestinationStore }
    /// A migration policy failed.
    public static var entityMigrationPolicy: CocoaError.Code { .entityMigrationPolicy }
    /// SQLite refused a statement: `NSSQLiteErrorDomain` in the user info has its result code.
    public static var sqlite: CocoaError.Code { .sqlite }
    /// No mapping model could be inferred from the two models.
    public static var inferredMappingModel: CocoaError.Code { .inferredMappingModel }
    /// An external record could not be imported.
    public static var externalRecordImport: CocoaError.Code { .externalRecordImport }
    /// The history that a token points to is no longer kept.
    public static var persistentHistoryTokenExpired: CocoaError.Code { .persistentHistoryTokenExpired }
    /// The model that a reference names was not found.
    public static var managedObjectModelReferenceNotFound: CocoaError.Code { .managedObjectModelReferenceNotFound }
    /// A staged migration needs another version of the framework.
    public static var stagedMigrationFrameworkVersionMismatch: CocoaError.Code { .stagedMigrationFrameworkVersionMismatch }
    /// A staged migration leads backward.
    public static var stagedMigrationBackwardMigration: CocoaError.Code { .stagedMigrationBackwardMigration }
}
