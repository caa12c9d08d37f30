import CoreDataStorage

extension NSManagedObjectContext {
    func run(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        checkQueue()
        if let fetch = request.asynchronousFetch, let settings = request.fetchSettings {
            guard concurrencyType != .confinementConcurrencyType else {
                throw ErrorTranslation.error(StoreError.unsupported(
                    "A confined context cannot execute an NSAsynchronousFetchRequest: it has no queue. Use a context with a private or the "
                    + "main queue, or fetch(_:)."))
            }
            return run(fetch, settings, in: request.affectedStores)
        }
        if request is NSSaveChangesRequest {
            try save()
            return NSPersistentStoreResult()
        }
        guard let coordinator = persistentStoreCoordinator else { throw ErrorTranslation.noStores() }
        if let result = try coordinator.executeBatch(request, for: self) { return result }
        throw ErrorTranslation.error(StoreError.unsupported(
            "\(type(of: request)) cannot be executed. Plain fetches belong into fetch(_:)."))
    }

    private func run(
        _ fetch: any AsynchronousFetch, _ settings: FetchSettings, in stores: [NSPersistentStore]?
    ) -> NSPersistentStoreResult {
        // A child of the caller's current progress, as at Apple's; nil without one.
        let progress = Progress.current().map { _ in Progress(totalUnitCount: Int64(max(1, fetch.estimatedResultCount))) }
        let watch = FetchWatch { rows in
            if let progress { progress.completedUnitCount = min(Int64(rows), progress.totalUnitCount - 1) }
        }
        progress?.cancellationHandler = { watch.cancel() }
        let result = fetch.makeResult(in: self, progress: progress) { watch.cancel() }
        enqueue { [self] in
            if progress?.isCancelled == true { watch.cancel() }
            let outcome = Result {
                try watch.check()
                let found = try results(of: settings, in: stores, watch: watch)
                try watch.check()
                return found
            }
            // Whoever is told of the result finds the progress done.
            if let progress { progress.completedUnitCount = progress.totalUnitCount }
            fetch.finish(result, with: outcome)
        }
        return result
    }
}
