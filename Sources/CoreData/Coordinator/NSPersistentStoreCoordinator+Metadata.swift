import CoreDataStorage

extension NSPersistentStoreCoordinator {
    public func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

    /// Changes the metadata the next save of any context writes (SM02). A value that is not of a property list fails that save (134060).
    public func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) { store.metadata = metadata }

    /// The metadata of a store file, without opening it and without its model. Throws 134000 for a type nobody knows.
    public class func metadataForPersistentStore(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try ErrorTranslation.translating {
            if let storeClass = StoreClasses.storeClass(ofType: storeType) { return try storeClass.metadataForPersistentStore(with: url) }
            return MetadataBridging.dictionary(try StoreRequest(type: storeType, url: url, options: options ?? [:]).files().readMetadata(url))
        }
    }

    public class func metadataForPersistentStore(
        type: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: type.rawValue, at: url, options: options)
    }

    /// Writes a store file's metadata at once (SM03). What the library keeps itself (version hashes and their like) stays unless named;
    /// everything else is replaced. Throws 134060, naming the key, for a value that is not of a property list.
    public class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws {
        try ErrorTranslation.translating {
            if let storeClass = StoreClasses.storeClass(ofType: storeType) {
                return try storeClass.setMetadata(metadata, forPersistentStoreAt: url)
            }
            let files = try StoreRequest(type: storeType, url: url, options: options ?? [:]).files()
            let current = try files.readMetadata(url)
            let new = MetadataBridging.metadata(metadata ?? [:], type: storeType, identifier: current.identifier)
            try files.writeMetadata(new.keepingFrameworkValues(of: current), to: url)
        }
    }

    public class func setMetadata(
        _ metadata: [String: Any]?, type: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws {
        try setMetadata(metadata, forPersistentStoreOfType: type.rawValue, at: url, options: options)
    }

    /// Says where a store is from now on; false when that cannot be.
    ///
    /// An atomic store is written there with the next save. A SQLite store goes on with the file that is at the place, which must be
    /// a store of the same model and layout: a copy. Objects in contexts stay as they are until they are refreshed.
    public func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
        guard store.persistentStoreCoordinator === self else { return false }
        do { try store.move(to: url) } catch { return false }
        return true
    }
}
