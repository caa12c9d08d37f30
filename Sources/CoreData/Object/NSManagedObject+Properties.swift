import CoreDataSchema
import CoreDataStorage

extension NSManagedObject {
    public final var isFault: Bool { state.contains(.fault) }
    public final var isInserted: Bool {
        checkQueue()
        return state.contains(.inserted)
    }

    public final var isUpdated: Bool {
        checkQueue()
        return state.contains(.updated) && state.isDisjoint(with: [.inserted, .deleted])
    }

    /// true from `delete(_:)` until the save that carries it out (LC11).
    public final var isDeleted: Bool {
        checkQueue()
        return state.contains(.deleted)
    }

    public final var hasChanges: Bool { isInserted || isDeleted || isUpdated }

    /// Whether a save would write something: transient changes and edits back to the stored value do not count.
    public final var hasPersistentChangedValues: Bool {
        checkQueue()
        return changedSlots().contains { !runtime.resolved.properties[$0].isTransient }
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
