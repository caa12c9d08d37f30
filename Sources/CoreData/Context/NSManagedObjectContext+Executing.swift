import CoreDataStorage

extension NSManagedObjectContext {
    /// Executes a request that is more than a plain fetch.
    ///
    /// Asynchronous fetches run later on this context's queue and call their completion block there; save requests save.
    /// Anything else throws 134091: a plain fetch belongs into `fetch(_:)`, and batch requests do not exist in this version.
    @discardableResult
    public func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        checkQueue()
        if let fetch = request.asynchronousFetch, let settings = request.fetchSettings {
            return run(fetch, settings, in: request.affectedStores)
        }
        if request is NSSaveChangesRequest {
            try save()
            return NSPersistentStoreResult()
        }
        throw ErrorTranslation.error(StoreError.unsupported(
            "\(type(of: request)) cannot be executed. Plain fetches belong into fetch(_:). Batch requests do not exist in this version: "
                + "fetch the objects, change or delete them, and save."))
    }

    private func run(
        _ fetch: any AsynchronousFetch, _ settings: FetchSettings, in stores: [NSPersistentStore]?
    ) -> NSPersistentStoreResult {
        let progress = Progress.current().map { _ in Progress(totalUnitCount: 1) }
        let result = fetch.makeResult(in: self, progress: progress)
        perform { [self] in
            if progress?.isCancelled == true {
                return fetch.finish(result, with: .failure(CocoaError(.userCancelled)))
            }
            fetch.finish(result, with: Result { try results(of: settings, in: stores) })
            progress?.completedUnitCount = 1
        }
        return result
    }
}
