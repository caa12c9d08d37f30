import CoreDataStorage

extension NSPersistentStoreCoordinator {
    /// Executes a request for a context, on whose queue the caller is.
    ///
    /// A fetch gives an array, a save an empty array, a batch request its `NSPersistentStoreResult`, an asynchronous fetch the
    /// result that fills later. Throws 134091 for other requests.
    public func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
        if let result = try executeBatch(request, for: context) { return result }
        if request.asynchronousFetch == nil, let settings = request.fetchSettings {
            return try context.results(of: settings, in: request.affectedStores)
        }
        let result = try context.execute(request)
        return request is NSSaveChangesRequest ? [Any]() : result
    }
}
