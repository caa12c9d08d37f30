import CoreDataStorage

/// Stores' files as a whole: removed, replaced, moved.
extension NSPersistentStoreCoordinator {
    func destroyFiles(of request: StoreRequest, at url: URL) throws {
        try ErrorTranslation.translating {
            let files = try request.files()
            try closeStore(at: url)
            try files.destroy(url, isForced: request.flag(NSPersistentStoreForceDestroyOption))
        }
    }

    /// As `destroyPersistentStore(at:ofType:options:)`, with the newer type.
    public func destroyPersistentStore(at url: URL, type: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil) throws {
        try destroyPersistentStore(at: url, ofType: type.rawValue, options: options)
    }

    func replaceFiles(of request: StoreRequest, at destinationURL: URL, from sourceURL: URL) throws {
        try ErrorTranslation.translating {
            let files = try request.files()
            try files.checkSource(sourceURL)
            try closeStore(at: destinationURL)
            try files.replace(destinationURL, with: sourceURL, isForced: request.flag(NSPersistentStoreForceDestroyOption))
        }
    }

    /// As `replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)`, with the newer type.
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
