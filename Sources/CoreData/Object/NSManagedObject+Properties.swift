import CoreDataSchema
import CoreDataStorage

extension NSManagedObject {
    /// nil when detached, when the context is gone, or after a saved deletion (LC12).
    public final var managedObjectContext: NSManagedObjectContext? { anchor?.context }

    public final var entity: NSEntityDescription { runtime.entity }

    /// Temporary until the first save, then permanent; does not fire a fault.
    public final var objectID: NSManagedObjectID {
        if let cachedID, cachedID.key == key { return cachedID }
        let identifier = managedObjectContext?.makeObjectID(for: key, entity: runtime.entity) ?? lateID
        cachedID = identifier
        return identifier
    }

    private final var lateID: NSManagedObjectID {
        let former = anchor?.formerStore(number: key.store)
        return NSManagedObjectID(key: key, entity: runtime.entity, storeIdentifier: former?.identifier, store: former?.store)
    }

    /// Cuts the object off its context. A saved one keeps its ID, which others may still ask for: a merge, after its deletion.
    final func detach() {
        if !key.isTemporary { _ = objectID }
        anchor = nil
    }

    public final var isFault: Bool { state.contains(.fault) }
    public final var isInserted: Bool { state.contains(.inserted) }
    public final var isUpdated: Bool { state.contains(.updated) && state.isDisjoint(with: [.inserted, .deleted]) }
    /// true from `delete(_:)` until the save that carries it out (LC11).
    public final var isDeleted: Bool { state.contains(.deleted) }
    public final var hasChanges: Bool { isInserted || isDeleted || isUpdated }

    /// Whether a save would write something: transient changes and edits back to the stored value do not count.
    public final var hasPersistentChangedValues: Bool {
        changedSlots().contains { !runtime.resolved.properties[$0].isTransient }
    }

    /// Number of the store the object is or will be in; 0 while none was chosen.
    package final var storeNumber: Int32 { key.isTemporary ? assignedStore : key.store }

    /// 0 for a loaded object; not 0 for a fault.
    public final var faultingState: Int { isFault ? 1 : 0 }

    /// Whether the class's entity has a property of this name; without a loaded model, whether the class was generated with it.
    final class func isModeled(_ key: String) -> Bool {
        ModelRegistry.entity(for: self)?.propertiesByName[key] != nil || _propertyNames.contains(key)
    }
}

extension EntityRuntime {
    /// The runtime of an entity, freezing its model when it was not in use yet.
    static func of(_ entity: NSEntityDescription) -> EntityRuntime {
        if let runtime = entity.runtime { return runtime }
        do {
            guard let model = entity.owningModel else {
                raise(.invalidArgument, "The entity “\(entity.name ?? "")” belongs to no model. Put it into an "
                    + "NSManagedObjectModel before making objects of it.")
            }
            let runtime = try model.runtime()
            if let index = entity.resolvedEntity?.index { return runtime.entities[index] }
        } catch {
            raise(.invalidArgument, "The model of the entity “\(entity.name ?? "")” cannot be used: \(error)")
        }
        raise(.invalidArgument, "The entity “\(entity.name ?? "")” is not part of its model any more.")
    }
}
