import CoreDataSQLStorage
import CoreDataSchema
import CoreDataStorage

extension NSPersistentStoreCoordinator {
    /// Opens or creates a store and adds it.
    ///
    /// `url` may be nil for a store in memory; `/dev/null` makes a SQLite store in memory. Throws 134100 for a store of
    /// another model (with both hash lists), 259/256-family errors for files that are not stores; nothing on disk changes then.
    @discardableResult
    public func addPersistentStore(
        ofType type: String, configurationName: String?, at url: URL?, options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        let request = StoreRequest(type: type, configuration: configurationName, url: url, options: options ?? [:])
        let store = try ErrorTranslation.translating { try StoreOpening.open(request, for: self) }
        attach(store)
        return store
    }

    /// As above, with the newer type.
    @discardableResult
    public func addPersistentStore(
        type: NSPersistentStore.StoreType, configuration: String? = nil, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try addPersistentStore(ofType: type.rawValue, configurationName: configuration, at: url, options: options)
    }

    /// Adds the store a description describes; the completion runs on the calling thread, or later when the description
    /// asks for that.
    public func addPersistentStore(
        with description: NSPersistentStoreDescription, completionHandler: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        guard description.shouldAddStoreAsynchronously else { return add(description, completionHandler) }
        enqueue { [self] in add(description, completionHandler) }
    }

    private func add(_ description: NSPersistentStoreDescription, _ completionHandler: (NSPersistentStoreDescription, (any Error)?) -> Void) {
        let failure = failure { try addPersistentStore(
            ofType: description.type, configurationName: description.configuration, at: description.url, options: description.options)
        }
        completionHandler(description, failure)
    }

    // Apart from `add`: the optimiser of Swift 6.3.1 crashes on the completion called from both arms of a do statement.
    private func failure(of body: () throws -> NSPersistentStore) -> (any Error)? {
        do {
            _ = try body()
            return nil
        } catch { return error }
    }

    /// Closes a store and takes it off; objects of it become inaccessible when touched (SM08).
    public func remove(_ store: NSPersistentStore) throws {
        guard store.persistentStoreCoordinator === self else {
            throw ErrorTranslation.error(StoreError.invalidRequest("The store is not one of this coordinator’s."))
        }
        detach(store)
        try ErrorTranslation.translating { try store.rowStore.close() }
    }

    // MARK: Files

    /// Removes a store's file with its siblings and external data; a store of this coordinator is closed and taken off first.
    ///
    /// A file that is no database is left alone (259), unless `NSPersistentStoreForceDestroyOption` is given.
    public func destroyPersistentStore(at url: URL, ofType type: String, options: [AnyHashable: Any]? = nil) throws {
        if type == NSInMemoryStoreType { return }
        if let open = persistentStore(for: url) { try remove(open) }
        let isForced = StoreRequest(type: type, configuration: nil, url: url, options: options ?? [:]).flag(NSPersistentStoreForceDestroyOption)
        try ErrorTranslation.translating { try StoreFiles.destroy(url, isForced: isForced) }
    }

    public func destroyPersistentStore(at url: URL, type: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil) throws {
        try destroyPersistentStore(at: url, ofType: type.rawValue, options: options)
    }

    /// Puts a copy of the source store in the destination's place, WAL and external data included, in one step.
    ///
    /// A destination that is no database is left alone (259), unless `NSPersistentStoreForceDestroyOption` is among its options.
    public func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
        sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
    ) throws {
        if let open = persistentStore(for: destinationURL) { try remove(open) }
        let isForced = StoreRequest(type: storeType, configuration: nil, url: destinationURL, options: destinationOptions ?? [:])
            .flag(NSPersistentStoreForceDestroyOption)
        try ErrorTranslation.translating { try StoreFiles.replace(destinationURL, with: sourceURL, isForced: isForced) }
    }

    // MARK: Metadata

    public func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

    /// Changes the metadata the next save of any context writes (SM02).
    public func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) { store.metadata = metadata }

    /// The metadata of a store file, without opening it and without its model.
    public class func metadataForPersistentStore(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try ErrorTranslation.translating { MetadataBridging.dictionary(try StoreFiles.readMetadata(url)) }
    }

    public class func metadataForPersistentStore(
        type: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: type.rawValue, at: url, options: options)
    }

    /// Writes a store file's metadata at once (SM03).
    public class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws {
        try ErrorTranslation.translating {
            let current = try StoreFiles.readMetadata(url)
            try StoreFiles.writeMetadata(
                MetadataBridging.metadata(metadata ?? [:], type: storeType, identifier: current.identifier), to: url)
        }
    }
}

extension NSPersistentStore {
    /// The kind of a store.
    public struct StoreType: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
        public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
        public static let binary = StoreType(rawValue: NSBinaryStoreType)
        public static let xml = StoreType(rawValue: NSXMLStoreType)
    }
}
