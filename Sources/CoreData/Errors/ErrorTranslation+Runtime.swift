import CoreDataSchema

/// Errors that the object graph itself finds.
extension ErrorTranslation {
    /// Runs the body, translating whatever it throws.
    package static func translating<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw ErrorTranslation.error(error) }
    }

    /// 133000: no such object.
    static func missingObject(_ objectID: NSManagedObjectID) -> NSError {
        cocoa(NSManagedObjectReferentialIntegrityError, "There is no object with the ID "
            + "\(objectID.uriRepresentation().absoluteString): it was deleted, or never saved.",
              [NSAffectedObjectsErrorKey: [objectID]])
    }

    static func noStores() -> NSError {
        cocoa(NSCoreDataError, "This NSPersistentStoreCoordinator has no persistent stores. It cannot perform a save or fetch "
            + "operation: add a store first, for example with loadPersistentStores.")
    }

    /// 134030: the store of these objects was removed from the coordinator.
    static func storeGone(_ store: String, _ objects: [NSManagedObject]) -> NSError {
        let names = Set(objects.map(\.runtime.name)).sorted().joined(separator: ", ")
        return cocoa(NSPersistentStoreSaveError, "The store \(store) was removed from the coordinator, so that changes of its objects "
            + "(\(names)) cannot be saved. Roll them back, or add the store again and fetch them anew.",
                     [NSAffectedObjectsErrorKey: objects])
    }

    /// 133010: a reference that no store can keep.
    static func crossStore(_ object: NSManagedObject, _ slot: Int) -> NSError {
        let name = object.runtime.resolved.properties[slot].name
        return cocoa(NSManagedObjectExternalRelationshipError, "The relationship “\(object.runtime.name).\(name)” leads to an object "
            + "of another store. Relationships cannot cross stores: assign both objects to one store.",
                     [NSAffectedObjectsErrorKey: [object], NSValidationKeyErrorKey: name, NSValidationObjectErrorKey: object])
    }

    /// 4864: a transformable whose bytes cannot be read.
    static func unreadable(_ object: NSManagedObject, _ property: ResolvedProperty, _ error: NSError) -> NSError {
        cocoa(CocoaError.Code.coderReadCorrupt.rawValue, "The transformable attribute “\(object.runtime.name).\(property.name)” of "
            + "\(object.objectID.uriRepresentation().absoluteString) cannot be read: \(error.localizedDescription). The store keeps its data "
            + "as they are until it is set.",
              [NSAffectedObjectsErrorKey: [object], NSValidationKeyErrorKey: property.name], underlying: error)
    }

    static func endlessWillSave(_ objects: [NSManagedObject]) -> NSError {
        let names = Set(objects.map(\.runtime.name)).sorted().joined(separator: ", ")
        return cocoa(NSCoreDataError, "willSave of \(names) changes its object every time it is called, so the save cannot come to "
            + "an end (\(SavePipeline.passLimit) passes). Change a property there only when its value differs.",
                     [NSAffectedObjectsErrorKey: objects])
    }

    /// 132001, which Apple's errors have without a name.
    static func recursiveSave(_ context: NSManagedObjectContext) -> NSError {
        cocoa(NSManagedObjectContextLockingError + 1, "The context\(context.name.map { " “\($0)”" } ?? "") is being saved already: a hook or an observer "
            + "of this save calls save() again. Change objects there; the save at work takes the changes along.", [:])
    }

    static func abstractInstance(_ object: NSManagedObject) -> NSError {
        cocoa(NSManagedObjectValidationError, "The entity “\(object.runtime.name)” is abstract: only objects of its subentities can be "
            + "saved.", [NSValidationObjectErrorKey: object])
    }
}
