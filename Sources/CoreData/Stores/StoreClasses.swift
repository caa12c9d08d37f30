import CoreDataSchema

/// The store classes programs registered, by store type.
enum StoreClasses {
    private static let classes = LockedValue<[String: NSPersistentStore.Type]>([:])

    static func register(_ storeClass: NSPersistentStore.Type?, type: String) { classes.withLock { $0[type] = storeClass } }

    static func storeClass(ofType type: String) -> NSPersistentStore.Type? { classes.withLock { $0[type] } }

    /// The type a class was registered as; its name when it was not.
    static func type(of storeClass: NSPersistentStore.Type) -> String {
        classes.withLock { $0.first { $0.value == storeClass }?.key } ?? "\(storeClass)"
    }

    static var all: [String: NSPersistentStore.Type] { classes.withLock { $0 } }
}

extension NSPersistentStoreCoordinator {
    static func register(_ storeClass: AnyClass?, ofType storeType: String) {
        guard let storeClass else { return StoreClasses.register(nil, type: storeType) }
        guard let store = storeClass as? NSPersistentStore.Type, storeClass is NSIncrementalStore.Type || storeClass is NSAtomicStore.Type else {
            raise(.invalidArgument, "The class \(storeClass) cannot be a store: only subclasses of NSIncrementalStore and NSAtomicStore can be "
                + "registered.")
        }
        guard ![NSSQLiteStoreType, NSInMemoryStoreType, NSBinaryStoreType, NSXMLStoreType].contains(storeType) else {
            raise(.invalidArgument, "The store type “\(storeType)” is this library’s own and cannot be registered anew.")
        }
        StoreClasses.register(store, type: storeType)
    }

    /// As `registerStoreClass(_:forStoreType:)`, with the newer type.
    public class func registerStoreClass(_ storeClass: AnyClass?, type: NSPersistentStore.StoreType) {
        registerStoreClass(storeClass, forStoreType: type.rawValue)
    }
}
