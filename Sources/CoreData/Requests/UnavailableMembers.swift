/// Apple's members that this version does not have, so that code which uses them is told what to do instead.
extension NSManagedObjectContext {
    @available(*, unavailable, message: "Query generations do not exist in this version: every fetch sees what was last saved.")
    public func setQueryGenerationFrom(_ generation: Any?) throws {}

    @available(*, unavailable, message: "Conflicts are detected by save(), and reported or settled there by the merge policy.")
    public func detectConflicts(for object: NSManagedObject) {}
}

extension NSPersistentStoreCoordinator {
    @available(*, unavailable, message: "To move a store's file use replacePersistentStore(at:withPersistentStoreFrom:…). Migration to another type does not exist in this version.")
    @discardableResult
    public func migratePersistentStore(
        _ store: NSPersistentStore, to url: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
    ) throws -> NSPersistentStore { store }
}
