import CoreData

/// A store opened through Core Data, and one context.
final class Engine {
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext

    init(store url: URL, model: NSManagedObjectModel, options: [AnyHashable: Any]? = nil) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        context = Engine.context(of: coordinator)
    }

    func makeContext() -> NSManagedObjectContext { Engine.context(of: coordinator) }

    private static func context(of coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    func close() throws {
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    func fetch<Object: NSManagedObject>(_ type: Object.Type = Object.self, prefetching paths: [String] = []) throws -> [Object] {
        try context.performAndWait {
            let request = NSFetchRequest<Object>(entityName: "\(type)")
            if !paths.isEmpty { request.relationshipKeyPathsForPrefetching = paths }
            return try context.fetch(request)
        }
    }

    func insert<Object: RecordValues>(_ rows: ArraySlice<Sample>, as type: Object.Type) throws {
        try context.performAndWait {
            for row in rows { Object(context: context).fill(row) }
            try context.save()
        }
    }

    func delete(_ objects: [NSManagedObject]) throws {
        try context.performAndWait {
            for object in objects { context.delete(object) }
            try context.save()
        }
    }
}
