import CoreDataStorage

extension NSPersistentStoreCoordinator {
    func move(
        _ store: NSPersistentStore, to storeURL: URL, _ options: [AnyHashable: Any]?, type storeType: String
    ) throws -> NSPersistentStore {
        try ErrorTranslation.translating { () throws -> NSPersistentStore in
            guard store.persistentStoreCoordinator === self else {
                throw StoreError.invalidRequest("The store is not one of this coordinator’s.")
            }
            let configuration = store.configurationName == "PF_DEFAULT_CONFIGURATION_NAME" ? nil : store.configurationName
            let request = StoreRequest(
                type: storeType, configuration: configuration, url: storeURL, options: options ?? [:], number: store.rowStore.number)
            let new = try StoreMove(coordinator: self, store: store, request: request).run()
            exchange(store, for: new)
            return new
        }
    }

    /// As `migratePersistentStore(_:to:options:withType:)`, with the newer type.
    @discardableResult
    public func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil, type: NSPersistentStore.StoreType
    ) throws -> NSPersistentStore {
        try migratePersistentStore(store, to: storeURL, options: options, withType: type.rawValue)
    }

    private func exchange(_ old: NSPersistentStore, for new: NSPersistentStore) {
        substitute(new, for: old)
        // Closing cannot lose anything: all of it is in the new store.
        try? old.rowStore.close()
        for context in contexts.all { context.goOn(withStore: new.rowStore.number) }
        NotificationCenter.default.post(name: .NSPersistentStoreCoordinatorStoresDidChange, object: self, userInfo: [
            NSAddedPersistentStoresKey: [new], NSRemovedPersistentStoresKey: [old], NSUUIDChangedPersistentStoresKey: [old, new],
        ])
    }
}

extension NSManagedObjectContext {
    /// Has objects of a store, whose number another store has taken over, name that one and read their rows again.
    fileprivate func goOn(withStore number: Int32) {
        let work = { [self] in
            for object in registry?.objects ?? [] where object.key.store == number {
                object.rename(to: object.key)
                refreshQuietly(object, mergeChanges: object.hasChanges)
            }
            for child in children.all { child.goOn(withStore: number) }
        }
        // Whoever waits for this thread on the main queue must not be waited for.
        if case .main = executor.kind, !executor.isCurrent { return perform { [self] in goOn(withStore: number) } }
        performAndWait(work)
    }
}
