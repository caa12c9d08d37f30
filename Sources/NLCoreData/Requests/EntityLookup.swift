/// Tells which entity a class stands for. Opt in when that is not the one the model names with the class.
///
/// A subclass may override `entityName` when it is declared in the class body as `class var`.
public protocol EntityNaming: NSManagedObject {
    /// The entity's name in the model.
    static var entityName: String { get }
}

/// From a class to its entity.
enum EntityLookup {
    /// By the name the class gives, else by the class the model gives its entities. Throws `unknownEntity`,
    /// `ambiguousEntity`, or why the context has no model.
    static func entity(of type: NSManagedObject.Type, in context: NSManagedObjectContext) throws -> NSEntityDescription {
        try context.throwStackFailure()
        guard let model = context.persistentStoreCoordinator?.managedObjectModel else {
            throw NLCoreDataError.unknownEntity(className: className(of: type), known: [])
        }
        return try entity(of: type, in: model)
    }

    static func entity(of type: NSManagedObject.Type, in model: NSManagedObjectModel) throws -> NSEntityDescription {
        let entities = model.entitiesByName
        let name = className(of: type)
        if let given = (type as? any EntityNaming.Type)?.entityName {
            if let entity = entities[given] { return entity }
            throw NLCoreDataError.unknownEntity(className: "\(name) (entity “\(given)”)", known: entities.keys.sorted())
        }
        if let entity = entities[name], isClass(of: entity, named: name) { return entity }
        let candidates = entities.values.filter { isClass(of: $0, named: name) }
        if let entity = candidates.first, candidates.count == 1 { return entity }
        if candidates.isEmpty { throw NLCoreDataError.unknownEntity(className: name, known: entities.keys.sorted()) }
        throw NLCoreDataError.ambiguousEntity(className: name, candidates: candidates.compactMap(\.name).sorted())
    }

    /// The entity's name where no context is known yet; without a usable model, the class's.
    static func name(of type: NSManagedObject.Type, in stack: NLCoreData) -> String {
        if let given = (type as? any EntityNaming.Type)?.entityName { return given }
        let model = try? stack.loadManagedObjectModel()
        return model.flatMap { try? entity(of: type, in: $0).name } ?? className(of: type)
    }

    static func className(of type: NSManagedObject.Type) -> String { String(describing: type) }

    /// The model's class name may have a module before it.
    private static func isClass(of entity: NSEntityDescription, named name: String) -> Bool {
        let full = entity.managedObjectClassName ?? ""
        return full == name || full.hasSuffix("." + name)
    }
}
