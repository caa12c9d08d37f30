import CoreDataSchema
import Synchronization

/// The running form of a frozen model: one `EntityRuntime` an entity.
///
/// Unchecked Sendable: immutable after `init`; class binding happens under `lock`.
package final class ModelRuntime: @unchecked Sendable {
    package let model: NSManagedObjectModel
    package let resolved: ResolvedModel
    package private(set) var entities: [EntityRuntime] = []
    private let lock = Mutex(())

    init(model: NSManagedObjectModel, resolved: ResolvedModel) throws {
        self.model = model
        self.resolved = resolved
        for entity in resolved.entities {
            entities.append(try EntityRuntime(entity: model.entity(at: entity.index), resolved: entity, model: self, in: resolved))
        }
        for runtime in entities { runtime.bind(runtime.entity.managedObjectClass()) }
    }

    package func runtime(named name: String) -> EntityRuntime? { resolved.indexByName[name].map { entities[$0] } }

    /// The entity whose objects are of this class, learning the class when the model only knew its name.
    package func runtime(for cls: NSManagedObject.Type) -> EntityRuntime? {
        guard let entity = model.entity(for: cls), let index = entity.resolvedEntity?.index else { return nil }
        let runtime = entities[index]
        lock.withLock { _ in
            if runtime.objectClass == NSManagedObject.self, cls != NSManagedObject.self { runtime.bind(cls) }
        }
        return runtime
    }
}
