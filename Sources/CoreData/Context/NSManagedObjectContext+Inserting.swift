extension NSManagedObjectContext {
    /// A new object of the entity of that name; one that the model does not have stops the program.
    func insertNew(_ entityName: String) -> NSManagedObject {
        let runtime = requireRuntime()
        guard let entity = runtime.runtime(named: entityName) else {
            raise(.invalidArgument, "The model has no entity named “\(entityName)”. Its entities are: "
                + runtime.resolved.entities.map(\.name).joined(separator: ", ") + ".")
        }
        return entity.objectClass.init(entity: entity.entity, insertInto: self)
    }
}
