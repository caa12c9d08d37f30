import CoreDataSchema

/// The context on whose behalf a coordinator is being asked: stores of the program's own are handed it.
enum AskingContext {
    @TaskLocal static var current: NSManagedObjectContext?
}

extension NSManagedObjectContext {
    /// Tells the program's own stores which of their objects this context uses, from now on.
    func followRegistry(for coordinator: NSPersistentStoreCoordinator) {
        guard registry != nil, registry?.follower == nil else { return }
        let tell = { [weak coordinator] (keys: [RowKey], isRegistered: Bool) in
            guard let coordinator else { return }
            for (number, keys) in Dictionary(grouping: keys.filter { !$0.isTemporary }, by: \.store) {
                guard let store = coordinator.store(number: number) as? NSIncrementalStore else { continue }
                let ids = keys.map(store.rows.objectID)
                if isRegistered {
                    store.managedObjectContextDidRegisterObjects(with: ids)
                } else {
                    store.managedObjectContextDidUnregisterObjects(with: ids)
                }
            }
        }
        tell(registry?.objects.map(\.key) ?? [], true)
        registry?.follower = tell
    }

    /// Gives new objects of the program's own stores the names they keep: such a store is handed objects to save, not values.
    func nameNewObjects(of batch: SaveBatch, in coordinator: NSPersistentStoreCoordinator) throws {
        try obtainPermanentIDs(for: batch.inserted.filter { object in
            guard object.key.isTemporary else { return false }
            return try coordinator.storeForInsertion(of: object).namesItsObjects
        })
    }
}

extension NSPersistentStoreCoordinator {
    /// Runs a call of a context's; costs nothing where no store of the program's own is attached.
    @inline(__always)
    func asked<Result>(by context: NSManagedObjectContext, _ body: () throws -> Result) rethrows -> Result {
        guard hasIncrementalStores else { return try body() }
        context.followRegistry(for: self)
        return try AskingContext.$current.withValue(context, operation: body)
    }
}
