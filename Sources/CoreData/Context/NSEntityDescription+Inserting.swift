extension NSEntityDescription {
    /// A new object of the entity of that name, inserted into the context (on its queue). An entity that the context's
    /// model does not have stops the program, as Apple's exception does.
    @discardableResult
    public class func insertNewObject(forEntityName entityName: String, into context: NSManagedObjectContext) -> NSManagedObject {
        let runtime = context.requireRuntime()
        guard let entity = runtime.runtime(named: entityName) else {
            raise(.invalidArgument, "The model has no entity named “\(entityName)”. Its entities are: "
                + runtime.resolved.entities.map(\.name).joined(separator: ", ") + ".")
        }
        return entity.objectClass.init(entity: entity.entity, insertInto: context)
    }
}
