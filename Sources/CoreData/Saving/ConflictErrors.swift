import CoreDataSchema
import CoreDataStorage

/// Conflicts as Apple's errors.
enum ConflictErrors {
    static func merge(_ conflicts: [NSMergeConflict]) -> NSError {
        error(NSManagedObjectMergeError, conflicts, objects: conflicts.map(\.sourceObject),
              text: "Could not merge changes: " + conflicts.map(\.description).joined(separator: "; ")
                + ". Fetch or refresh the objects and save again, or set a merge policy on the context.")
    }

    static func constraint(_ conflicts: [NSConstraintConflict]) -> NSError {
        error(NSManagedObjectConstraintMergeError, conflicts, objects: conflicts.flatMap(\.conflictingObjects),
              text: "Values that must be unique are taken: " + conflicts.map(\.description).joined(separator: "; ")
                + ". Change them, or set a merge policy on the context.")
    }

    private static func error(_ code: Int, _ conflicts: [NSObject], objects: [NSManagedObject], text: String) -> NSError {
        NSError(domain: NSCocoaErrorDomain, code: code, userInfo: [
            NSPersistentStoreSaveConflictsErrorKey: conflicts,
            NSInsertedObjectsKey: objects.filter(\.isInserted).map(\.objectID),
            NSUpdatedObjectsKey: objects.filter { !$0.isInserted }.map(\.objectID),
            NSLocalizedDescriptionKey: text,
        ])
    }

    /// Attributes, and to-ones as object IDs (ME13).
    static func snapshot(_ row: RowBlock, of object: NSManagedObject) -> [String: Any] {
        snapshot(of: object) { row.value($0) }
    }

    static func snapshot(_ object: NSManagedObject) -> [String: Any] { snapshot(of: object) { object.value(at: $0) } }

    private static func snapshot(of object: NSManagedObject, _ value: (Int) -> AttributeValue) -> [String: Any] {
        var result: [String: Any] = [:]
        for property in object.runtime.resolved.properties where property.isStored {
            switch value(property.slot) {
            case .reference(let key):
                result[property.name] = object.managedObjectContext?.makeObjectID(for: key) ?? NSNull()
            case let other:
                result[property.name] = ValueBridging.object(from: other, of: property, in: object) ?? NSNull()
            }
        }
        return result
    }
}
