import CoreDataSchema
import CoreDataStorage

extension NSManagedObject {
    /// As `isFault`, which a class may override.
    final var isUnfired: Bool { state.contains(.fault) }

    /// Number of the store the object is or will be in; 0 while none was chosen.
    package final var storeNumber: Int32 { key.isTemporary ? assignedStore : key.store }

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
