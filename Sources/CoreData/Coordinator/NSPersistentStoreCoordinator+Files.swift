import CoreDataStorage

/// Stores' files as a whole: removed, replaced, moved.
extension NSPersistentStoreCoordinator {
    /// Removes a store's file with its siblings and external data; a store of this coordinator is closed and taken off first.
    ///
    /// A file that is no store of the type is left alone (259), one that another process has open too (134090), unless
    /// `NSPersistentStoreForceDestroyOption` is given. A folder that is not there is an error, a file that is not there is none (SM05).
    public func destroyPersistentStore(at url: URL, ofType type: String, options: [AnyHashable: Any]? = nil) throws {
        let request = StoreRequest(type: type, url: url, options: options ?? [:])
        try ErrorTranslation.translating {
            let files = try request.files()
            try closeStore(at: url)
            try files.destroy(url, isForced: request.flag(NSPersistentStoreForceDestroyOption))
        }
    }

    public func destroyPersistentStore(at url: URL, type: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil) throws {
        try destroyPersistentStore(at: url, ofType: type.rawValue, options: options)
    }

    /// Puts a copy of the source store in the destination's place, WAL and external data included, in one step: whoever ends the
    /// program meanwhile finds the old store or the new one, whole. The copy has the source's UUID.
    ///
    /// A store of this coordinator at the destination is closed and taken off first. Refused as in `destroyPersistentStore`.
    public func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
        sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
    ) throws {
        let request = StoreRequest(type: storeType, url: destinationURL, options: destinationOptions ?? [:])
        try ErrorTranslation.translating {
            let files = try request.files()
            try files.checkSource(sourceURL)
            try closeStore(at: destinationURL)
            try files.replace(destinationURL, with: sourceURL, isForced: request.flag(NSPersistentStoreForceDestroyOption))
        }
    }

    public func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
        sourceOptions: [AnyHashable: Any]? = nil, type: NSPersistentStore.StoreType
    ) throws {
        try replacePersistentStore(
            at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL, sourceOptions: sourceOptions,
            ofType: type.rawValue)
    }

    private func closeStore(at url: URL) throws {
        if let open = persistentStore(for: url) { try remove(open) }
    }
}
