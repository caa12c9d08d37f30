import CoreDataSchema
import CoreDataStorage

/// The running form of a frozen model: one `EntityRuntime` an entity.
///
/// Unchecked Sendable: immutable after `init`; class binding happens under `lock`.
package final class ModelRuntime: @unchecked Sendable {
    package let model: NSManagedObjectModel
    package let resolved: ResolvedModel
    package private(set) var entities: [EntityRuntime] = []
    /// Shapes of the requests made so far.
    let shapes: RequestShapes
    private let lock = LockedValue(())

    init(model: NSManagedObjectModel, resolved: ResolvedModel) throws {
        self.model = model
        self.resolved = resolved
        shapes = RequestShapes(entities: resolved.entities.count)
        for entity in resolved.entities {
            entities.append(try EntityRuntime(entity: model.entity(at: entity.index), resolved: entity, in: resolved))
        }
        bindClasses()
        ModelRegistry.add(model)
    }

    package func runtime(named name: String) -> EntityRuntime? { resolved.indexByName[name].map { entities[$0] } }

    /// The entity whose objects are of this class, learning the class (and its module) when the model only knew its name.
    package func runtime(for cls: NSManagedObject.Type) -> EntityRuntime? {
        guard let entity = model.entity(for: cls), let index = entity.resolvedEntity?.index else { return nil }
        let runtime = entities[index]
        if runtime.objectClass == NSManagedObject.self, cls != NSManagedObject.self {
            model.register(cls)
            lock.withLock { _ in
                runtime.bind(cls)
                bindClasses()
            }
        }
        return runtime
    }

    private func bindClasses() {
        for runtime in entities where runtime.objectClass == NSManagedObject.self {
            let found = runtime.entity.managedObjectClass()
            if found != NSManagedObject.self { runtime.bind(found) }
        }
    }
}

extension NSManagedObjectModel {
    /// The running form, made once and kept as long as somebody (a coordinator, an object) holds it. Freezes the model.
    package func runtime() throws -> ModelRuntime {
        let resolved = try resolved()
        return try runtimeCache.withLock { cache in
            if let known = cache.runtime { return known }
            let made = try ModelRuntime(model: self, resolved: resolved)
            cache.runtime = made
            return made
        }
    }
}

/// Holds a model's running form weakly.
package struct RuntimeCache: Sendable {
    package weak var runtime: ModelRuntime?
}

/// Models in use, so that a class can be asked for its entity without a context.
package enum ModelRegistry {
    private struct Entry: Sendable { weak var model: NSManagedObjectModel? }
    private static let entries = LockedValue<[Entry]>([])

    static func add(_ model: NSManagedObjectModel) {
        entries.withLock { entries in
            entries.removeAll { $0.model == nil || $0.model === model }
            entries.append(Entry(model: model))
        }
    }

    /// The entity of a class in the model that was taken into use last.
    static func entity(for cls: NSManagedObject.Type) -> NSEntityDescription? {
        let models = entries.withLock { $0.compactMap(\.model) }
        return models.reversed().lazy.compactMap { $0.entity(for: cls) }.first
    }
}
