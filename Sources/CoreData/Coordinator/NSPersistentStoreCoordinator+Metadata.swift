import CoreDataStorage

extension NSPersistentStoreCoordinator {
    static func readMetadata(ofType storeType: String, at url: URL, _ options: [AnyHashable: Any]?) throws -> [String: Any] {
        try ErrorTranslation.translating {
            if let storeClass = StoreClasses.storeClass(ofType: storeType) { return try storeClass.metadataForPersistentStore(with: url) }
            return MetadataBridging.dictionary(try StoreRequest(type: storeType, url: url, options: options ?? [:]).files().readMetadata(url))
        }
    }

    /// As `metadataForPersistentStore(ofType:at:options:)`, with the newer type.
    public class func metadataForPersistentStore(
        type: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: type.rawValue, at: url, options: options)
    }

    static func writeMetadata(
        _ metadata: [String: Any]?, ofType storeType: String, at url: URL, _ options: [AnyHashable: Any]?
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

    /// As `setMetadata(_:forPersistentStoreOfType:at:options:)`, with the newer type.
    public class func setMetadata(
        _ metadata: [String: Any]?, type: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws {
        try setMetadata(metadata, forPersistentStoreOfType: type.rawValue, at: url, options: options)
    }

    func move(_ store: NSPersistentStore, to url: URL) -> Bool {
        guard store.persistentStoreCoordinator === self else { return false }
        do { try store.move(to: url) } catch { return false }
        return true
    }
}
