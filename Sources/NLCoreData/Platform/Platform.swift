/// What Apple's Core Data and ours offer under different names. The only place with `#if`.
enum Platform {
    #if canImport(Darwin)
    static func predicate(_ format: String, _ arguments: [Any?]) throws -> NSPredicate {
        NSPredicate(format: format, argumentArray: arguments.map { $0 ?? NSNull() })
    }

    static func predicate<Object: NSManagedObject>(_ predicate: Predicate<Object>) throws -> NSPredicate { NSPredicate(predicate) }

    static func sortDescriptor<Object: NSManagedObject>(_ descriptor: SortDescriptor<Object>) throws -> NSSortDescriptor {
        NSSortDescriptor(descriptor)
    }

    static func model(at url: URL) throws -> NSManagedObjectModel {
        guard let model = NSManagedObjectModel(contentsOf: url) else {
            throw NLCoreDataError.modelUnreadable(path: url.path, reason: "it is not a compiled model")
        }
        return model
    }

    static func coordinator(_ model: NSManagedObjectModel) throws -> NSPersistentStoreCoordinator {
        NSPersistentStoreCoordinator(managedObjectModel: model)
    }

    /// Whether main waits for the block the caller is in. Not to be learned on Apple's platforms.
    static var isInsideMain: Bool { false }

    static func leaveToFirstThread(_ context: NSManagedObjectContext) {}

    /// The original's place: the library folder.
    static var dataFolder: URL {
        FileManager.default.urls(for: .libraryDirectory, in: .userDomainMask).last ?? NSPersistentContainer.defaultDirectoryURL()
    }
    #else
    static func predicate(_ format: String, _ arguments: [Any?]) throws -> NSPredicate {
        try NSPredicate(validating: format, arguments: arguments)
    }

    static func predicate<Object: NSManagedObject>(_ predicate: Predicate<Object>) throws -> NSPredicate {
        try NSPredicate(validating: predicate)
    }

    static func sortDescriptor<Object: NSManagedObject>(_ descriptor: SortDescriptor<Object>) throws -> NSSortDescriptor {
        try NSSortDescriptor(validating: descriptor)
    }

    static func model(at url: URL) throws -> NSManagedObjectModel { try NSManagedObjectModel(reading: url) }

    static func coordinator(_ model: NSManagedObjectModel) throws -> NSPersistentStoreCoordinator {
        try NSPersistentStoreCoordinator(validating: model)
    }

    /// Whether main waits for the block the caller is in.
    static var isInsideMain: Bool { NSManagedObjectContext._isOnMain }

    /// A confined context made for another thread is not the maker's.
    static func leaveToFirstThread(_ context: NSManagedObjectContext) { context._leaveToFirstThread() }

    /// There is no library folder: the program's own data folder.
    static var dataFolder: URL { NSPersistentContainer.defaultDirectoryURL() }
    #endif
}

#if !canImport(Darwin)
extension Thread {
    /// The main thread, under the name it has on Apple's platforms.
    public static var main: Thread { mainThread }
}
#endif
