import Foundation

/// Which class stands for which entity, for one model: found by name when first asked for, or learnt from a class that
/// is used.
///
/// Invariant: a class that was registered wins over one that was found by name. Nothing here is shared between models, so
/// two models may name one class, and two classes of one name may serve two models.
///
/// Unchecked Sendable: everything mutable is under the lock.
package final class EntityClassTable: @unchecked Sendable {
    private let lock = NSRecursiveLock()
    /// By entity; false marks a guess that a registered class may replace.
    private var classes: [ObjectIdentifier: (type: NSManagedObject.Type, isRegistered: Bool)] = [:]
    /// Classes that were registered: doing it again costs one look-up.
    private var registered: Set<ObjectIdentifier> = []
    /// By class; nil is "no entity".
    private var entities: [ObjectIdentifier: NSEntityDescription?] = [:]
    /// Modules of classes already bound, oldest first.
    private var modules: [String] = []

    init() {}

    /// The class of an entity's objects; the nearest ancestor's, and last `NSManagedObject`, when its own is not to be found.
    func managedObjectClass(for entity: NSEntityDescription, in model: NSManagedObjectModel?) -> NSManagedObject.Type {
        lock.withLock {
            if let known = classes[ObjectIdentifier(entity)] { return known.type }
            let found = lookUp(entity, in: model)
            let type = found ?? entity.superentity.map { managedObjectClass(for: $0, in: model) } ?? NSManagedObject.self
            classes[ObjectIdentifier(entity)] = (type, false)
            if let found { learn(found) }
            return type
        }
    }

    /// The entity a class stands for in a model, or the nearest superclass does; nil when there is none.
    func entity(for type: AnyClass, in model: NSManagedObjectModel) -> NSEntityDescription? {
        lock.withLock {
            if let known = entities[ObjectIdentifier(type)] { return known }
            let ancestry = sequence(first: type) { _getSuperclass($0) }.prefix { $0 != NSManagedObject.self }
            let found = ancestry.lazy.compactMap { self.bestEntity(for: $0, in: model) }.first
            entities[ObjectIdentifier(type)] = .some(found)
            return found
        }
    }

    /// Notes that a class is used with a model: the entity that names it gets it, and its module is tried for others.
    func register(_ type: NSManagedObject.Type, in model: NSManagedObjectModel) {
        lock.withLock {
            guard registered.insert(ObjectIdentifier(type)).inserted else { return }
            learn(type)
            guard type != NSManagedObject.self, let entity = entity(for: type, in: model),
                  ClassName(type).last == entity.classNameParts.last ?? entity.name else { return }
            if classes[ObjectIdentifier(entity)]?.isRegistered != true { classes[ObjectIdentifier(entity)] = (type, true) }
        }
    }

    /// Drops everything that depends on names, after the model was changed.
    func forget() {
        lock.withLock {
            classes = [:]
            entities = [:]
            registered = []
        }
    }

    private func learn(_ type: NSManagedObject.Type) {
        let module = ClassName(type).module
        guard type != NSManagedObject.self, !modules.contains(module) else { return }
        modules.append(module)
        // Entities whose class was not found may be found in the new module.
        classes = classes.filter { $0.value.isRegistered }
    }

    private func lookUp(_ entity: NSEntityDescription, in model: NSManagedObjectModel?) -> NSManagedObject.Type? {
        let parts = entity.classNameParts
        guard let last = parts.last else { return nil }
        if parts.count > 1, let type = ClassLookup.type(parts) { return type }
        for module in ModuleCandidates.resourceTargets(of: model?.origin?.url) + modules + ModuleCandidates.ambient {
            if let type = ClassLookup.type([module, last]) { return type }
        }
        return nil
    }

    /// Entities that name the class, the one that is also called like it first, then by name.
    private func bestEntity(for type: AnyClass, in model: NSManagedObjectModel) -> NSEntityDescription? {
        let name = ClassName(type)
        let all = model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
        if let bound = all.first(where: { classes[ObjectIdentifier($0)].map { $0.isRegistered && $0.type == type } ?? false }) {
            return bound
        }
        let naming = all.filter { entity in
            guard let last = entity.classNameParts.last else { return entity.name == name.last }
            return last == name.last
        }
        // Where two modules have a class of one name, the entity that says which module.
        let exact = naming.filter { $0.classNameParts.count > 1 && $0.classNameParts.first == name.module }
        let candidates = exact.isEmpty ? naming : exact
        return candidates.first { $0.name == name.last } ?? candidates.first
    }
}

extension NSEntityDescription {
    /// "Module.Outer.Class", ".Class" or "Class" in parts; empty when no class is named.
    fileprivate var classNameParts: [String] {
        (schemaClassName ?? "").split(separator: ".").map(String.init)
    }

    /// The class of the entity's objects.
    package func managedObjectClass() -> NSManagedObject.Type {
        guard let owningModel else { return EntityClassTable().managedObjectClass(for: self, in: nil) }
        return owningModel.classes.managedObjectClass(for: self, in: owningModel)
    }
}

extension NSManagedObjectModel {
    /// The entity a class stands for; a subclass of such a class counts too. nil when there is none. Asking also tells the
    /// model that the class is used with it, as `register(_:)` does.
    package func entity(for type: AnyClass) -> NSEntityDescription? {
        if let type = type as? NSManagedObject.Type { register(type) }
        return classes.entity(for: type, in: self)
    }

    /// Notes that a class is used with the model: the entity that names it gets it from now on, and its module is one in
    /// which classes of other entities are looked for.
    package func register(_ type: NSManagedObject.Type) { classes.register(type, in: self) }
}
