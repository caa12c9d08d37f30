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
