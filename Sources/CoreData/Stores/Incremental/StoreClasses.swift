import CoreDataSchema

/// The store classes programs registered, by store type.
enum StoreClasses {
    private static let classes = LockedValue<[String: NSIncrementalStore.Type]>([:])

    static func register(_ storeClass: NSIncrementalStore.Type?, type: String) { classes.withLock { $0[type] = storeClass } }

    static func storeClass(ofType type: String) -> NSIncrementalStore.Type? { classes.withLock { $0[type] } }

    /// The type a class was registered as; its name when it was not.
    static func type(of storeClass: NSPersistentStore.Type) -> String {
        classes.withLock { $0.first { $0.value == storeClass }?.key } ?? "\(storeClass)"
    }

    static var all: [String: NSIncrementalStore.Type] { classes.withLock { $0 } }
}

extension NSPersistentStoreCoordinator {
    /// Makes a subclass of `NSIncrementalStore` available as a store type; nil takes the type back.
    public class func registerStoreClass(_ storeClass: AnyClass?, forStoreType storeType: String) {
        guard let storeClass else { return StoreClasses.register(nil, type: storeType) }
        guard let incremental = storeClass as? NSIncrementalStore.Type else {
            raise(.invalidArgument, "The class \(storeClass) cannot be a store: only subclasses of NSIncrementalStore can be registered.")
        }
        guard storeType != NSSQLiteStoreType, storeType != NSInMemoryStoreType else {
            raise(.invalidArgument, "The store type “\(storeType)” is this library’s own and cannot be registered anew.")
        }
        StoreClasses.register(incremental, type: storeType)
    }

    /// As above, with the newer type.
    public class func registerStoreClass(_ storeClass: AnyClass?, type: NSPersistentStore.StoreType) {
        registerStoreClass(storeClass, forStoreType: type.rawValue)
    }

    /// The classes of the registered store types (at Apple's, in `NSValue`s).
    public class var registeredStoreTypes: [String: AnyClass] { StoreClasses.all }
}
