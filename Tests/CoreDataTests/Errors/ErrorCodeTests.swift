import CoreData
import Testing

@Suite("Error codes and keys")
struct ErrorCodeTests {
    @Test("VA01: Validation codes are Apple's, the too-large before the too-small", arguments: [
        (NSManagedObjectValidationError, CocoaError.managedObjectValidation, 1550),
        (NSManagedObjectConstraintValidationError, CocoaError.managedObjectConstraintValidation, 1551),
        (NSValidationMultipleErrorsError, CocoaError.validationMultipleErrors, 1560),
        (NSValidationMissingMandatoryPropertyError, CocoaError.validationMissingMandatoryProperty, 1570),
        (NSValidationRelationshipLacksMinimumCountError, CocoaError.validationRelationshipLacksMinimumCount, 1580),
        (NSValidationRelationshipExceedsMaximumCountError, CocoaError.validationRelationshipExceedsMaximumCount, 1590),
        (NSValidationRelationshipDeniedDeleteError, CocoaError.validationRelationshipDeniedDelete, 1600),
        (NSValidationNumberTooLargeError, CocoaError.validationNumberTooLarge, 1610),
        (NSValidationNumberTooSmallError, CocoaError.validationNumberTooSmall, 1620),
        (NSValidationDateTooLateError, CocoaError.validationDateTooLate, 1630),
        (NSValidationDateTooSoonError, CocoaError.validationDateTooSoon, 1640),
        (NSValidationInvalidDateError, CocoaError.validationInvalidDate, 1650),
        (NSValidationStringTooLongError, CocoaError.validationStringTooLong, 1660),
        (NSValidationStringTooShortError, CocoaError.validationStringTooShort, 1670),
        (NSValidationStringPatternMatchingError, CocoaError.validationStringPatternMatching, 1680),
    ] as [(Int, CocoaError.Code, Int)])
    func validation(constant: Int, code: CocoaError.Code, number: Int) {
        #expect(constant == number && code.rawValue == number)
    }

    @Test("The other codes are Apple's", arguments: [
        (CocoaError.managedObjectContextLocking, 132000), (CocoaError.persistentStoreCoordinatorLocking, 132010),
        (CocoaError.managedObjectReferentialIntegrity, 133000), (CocoaError.managedObjectExternalRelationship, 133010),
        (CocoaError.managedObjectMerge, 133020), (CocoaError.managedObjectConstraintMerge, 133021),
        (CocoaError.persistentStoreInvalidType, 134000), (CocoaError.persistentStoreTypeMismatch, 134010),
        (CocoaError.persistentStoreIncompatibleSchema, 134020), (CocoaError.persistentStoreSave, 134030),
        (CocoaError.persistentStoreIncompleteSave, 134040), (CocoaError.persistentStoreSaveConflicts, 134050),
        (CocoaError.coreData, 134060), (CocoaError.persistentStoreOperation, 134070), (CocoaError.persistentStoreOpen, 134080),
        (CocoaError.persistentStoreTimeout, 134090), (CocoaError.persistentStoreUnsupportedRequestType, 134091),
        (CocoaError.persistentStoreIncompatibleVersionHash, 134100), (CocoaError.migration, 134110),
        (CocoaError.migrationConstraintViolation, 134111), (CocoaError.migrationCancelled, 134120),
        (CocoaError.migrationMissingSourceModel, 134130), (CocoaError.migrationMissingMappingModel, 134140),
        (CocoaError.migrationManagerSourceStore, 134150), (CocoaError.migrationManagerDestinationStore, 134160),
        (CocoaError.entityMigrationPolicy, 134170), (CocoaError.sqlite, 134180), (CocoaError.inferredMappingModel, 134190),
        (CocoaError.externalRecordImport, 134200), (CocoaError.persistentHistoryTokenExpired, 134301),
    ] as [(CocoaError.Code, Int)])
    func others(code: CocoaError.Code, number: Int) {
        #expect(code.rawValue == number)
    }

    @Test("VA02: Keys of the user info are Apple's texts")
    func keys() {
        #expect(NSValidationObjectErrorKey == "NSValidationErrorObject")
        #expect(NSValidationKeyErrorKey == "NSValidationErrorKey")
        #expect(NSValidationValueErrorKey == "NSValidationErrorValue")
        #expect(NSValidationPredicateErrorKey == "NSValidationErrorPredicate")
        #expect(NSDetailedErrorsKey == "NSDetailedErrors")
        #expect(NSPersistentStoreSaveConflictsErrorKey == "conflictList")
    }

    @Test("An error is caught by code and its parts are read by name")
    func catching() {
        let inner = NSError(domain: NSCocoaErrorDomain, code: NSValidationMissingMandatoryPropertyError)
        let error = NSError(domain: NSCocoaErrorDomain, code: NSValidationMultipleErrorsError, userInfo: [
            NSValidationKeyErrorKey: "name", NSDetailedErrorsKey: [inner],
        ])
        do {
            throw error
        } catch CocoaError.managedObjectMerge {
            Issue.record("another code matched")
        } catch let error as CocoaError where error.code == .validationMultipleErrors {
            #expect(error.validationKey == "name" && error.detailedErrors?.count == 1 && error.validationObject == nil)
        } catch {
            Issue.record("not a CocoaError: \(error)")
        }
    }

    @Test("Change keys and notification names are Apple's texts")
    func notifications() {
        #expect(NSInsertedObjectsKey == "inserted" && NSRefreshedObjectsKey == "refreshed" && NSInvalidatedAllObjectsKey == "invalidatedAll")
        #expect(NSManagedObjectContext.NotificationKey.deletedObjectIDs.rawValue == NSDeletedObjectIDsKey)
        #expect(Notification.Name.NSManagedObjectContextDidSave.rawValue == "NSManagingContextDidSaveChangesNotification")
        #expect(NSManagedObjectContext.didSaveObjectsNotification == .NSManagedObjectContextDidSave)
    }
}
