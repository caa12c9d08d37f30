import Foundation

// Keys of the `userInfo` of Core Data's errors. The texts are Apple's.

/// The errors behind `NSValidationMultipleErrorsError`: an array of `NSError`.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The managed object that failed validation.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// The name of the property that failed validation.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The predicate that failed.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// The value that failed; absent when it is nil.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
/// The stores an error is about.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
/// The objects an error is about.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// The conflicts of a failed save: an array of `NSMergeConflict` or `NSConstraintConflict`.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"
/// SQLite's result code, as a number.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"

extension CocoaError {
    private func detail<Value>(_ key: String) -> Value? { userInfo[key] as? Value }

    /// The errors behind a multiple validation error.
    public var detailedErrors: [any Error]? { detail(NSDetailedErrorsKey) }
    /// The object that failed validation.
    public var validationObject: Any? { userInfo[NSValidationObjectErrorKey] }
    /// The name of the property that failed validation.
    public var validationKey: String? { detail(NSValidationKeyErrorKey) }
    /// The predicate that failed.
    public var validationPredicate: NSPredicate? { detail(NSValidationPredicateErrorKey) }
    /// The value that failed; nil when the value was nil.
    public var validationValue: Any? { userInfo[NSValidationValueErrorKey] }
    /// The stores the error is about.
    public var affectedStores: [AnyObject]? { detail(NSAffectedStoresErrorKey) }
    /// The objects the error is about.
    public var affectedObjects: [AnyObject]? { detail(NSAffectedObjectsErrorKey) }
}
