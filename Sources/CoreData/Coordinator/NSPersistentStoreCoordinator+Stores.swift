import CoreDataSQLStorage
import CoreDataSchema
import CoreDataStorage

extension NSPersistentStoreCoordinator {
    func openStore(_ request: StoreRequest) throws -> NSPersistentStore {
        let store = try ErrorTranslation.translating { try StoreOpening.open(request, for: self) }
        attach(store)
        return store
    }

    /// As `addPersistentStore(ofType:configurationName:at:options:)`, with the newer type.
    @discardableResult
    public func addPersistentStore(
        type: NSPersistentStore.StoreType, configuration: String? = nil, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try addPersistentStore(ofType: type.rawValue, configurationName: configuration, at: url, options: options)
    }

    func addNowOrLater(
        _ description: NSPersistentStoreDescription, _ completionHandler: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
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

    func takeOff(_ store: NSPersistentStore) throws {
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
