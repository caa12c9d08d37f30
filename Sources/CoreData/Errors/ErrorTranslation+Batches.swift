import CoreDataStorage

extension ErrorTranslation {
    /// Why a batch request was refused: entity, key and value also in the user info.
    static func batch(_ error: BatchError) -> NSError {
        func make(_ code: Int, entity: String, key: String?) -> NSError {
            var details: [String: Any] = [entityKey: entity]
            details[NSValidationKeyErrorKey] = key
            return cocoa(code, error.description, details, underlying: error)
        }
        return switch error {
        case .unknownKey(let entity, let key, _, _), .unwritable(let entity, let key, _): make(NSCoreDataError, entity: entity, key: key)
        case .wrongType(let entity, let key, _, _, _), .outOfRange(let entity, let key, _):
            make(NSManagedObjectValidationError, entity: entity, key: key)
        case .missingValue(let entity, let key, _): make(NSValidationMissingMandatoryPropertyError, entity: entity, key: key)
        case .notUnique(let entity, let keys, _, _):
            make(NSManagedObjectConstraintMergeError, entity: entity, key: keys.count == 1 ? keys[0] : nil)
        case .mandatoryInverse(let entity, let relationship, _): make(NSPersistentStoreSaveConflictsError, entity: entity, key: relationship)
        }
    }

    /// Of an error of a batch request: the entity's name.
    package static let entityKey = "entity"
}
