import CoreDataStorage

extension NSPersistentStoreCoordinator {
    func run(_ request: NSPersistentStoreRequest, for context: NSManagedObjectContext) throws -> Any {
        if let result = try executeBatch(request, for: context) { return result }
        if request.asynchronousFetch == nil, let settings = request.fetchSettings {
            return try context.results(of: settings, in: request.affectedStores)
        }
        let result = try context.execute(request)
        return request is NSSaveChangesRequest ? [Any]() : result
    }
}
