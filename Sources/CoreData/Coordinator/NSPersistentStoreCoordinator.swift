import CoreDataSchema
import CoreDataStorage
import Synchronization

/// Stands between contexts and stores: one model, any number of stores that look like one.
///
/// Unchecked Sendable: the list of stores is guarded by `lock`; the stores serialise themselves.
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
    private let model: NSManagedObjectModel
    package let runtime: ModelRuntime
    private let lock = NSRecursiveLock()
    /// Held while a program's block runs: not `lock`, which would keep every context from the stores meanwhile.
    let blocks = NSRecursiveLock()
    private var stores: [NSPersistentStore] = []
    private var nextNumber: Int32 = 1
    /// Numbers of stores by the UUIDs they had before they were moved.
    private var formerIdentifiers: [String: Int32] = [:]
    /// Stores that were taken off, by number: errors name them.
    private var removed: [Int32: String] = [:]
    /// Whether a store of the program's own was ever attached.
    ///
    /// Unsafe: set under the lock before the first such store is in the list, and never cleared.
    nonisolated(unsafe) private(set) var hasIncrementalStores = false
    /// Contexts that sit directly on this coordinator.
    let contexts = WeakContexts()
    /// Moves when a context with children gives permanent keys to objects: the children have something to learn.
    let keyGeneration = Atomic<Int>(0)
    private let queue = DispatchQueue(label: "CoreData.coordinator")
    open var name: String?

    /// A coordinator without stores. The model is frozen by it (LC25); a model that contradicts itself stops the program:
    /// use `init(validating:)` to have it reported.
    public init(managedObjectModel model: NSManagedObjectModel) {
        self.model = model
        do { runtime = try ErrorTranslation.translating { try model.runtime() } } catch {
            raise(.invalidArgument, "The managed object model cannot be used: \(error.localizedDescription)")
        }
        super.init()
    }

    /// As `init(managedObjectModel:)`, throwing what is wrong with the model.
    public init(validating model: NSManagedObjectModel) throws {
        self.model = model
        runtime = try ErrorTranslation.translating { try model.runtime() }
        super.init()
    }

    deinit { for store in stores { try? store.rowStore.close() } }

    open var managedObjectModel: NSManagedObjectModel { model }
    open var persistentStores: [NSPersistentStore] { lock.withLock { stores } }

    open func persistentStore(for url: URL) -> NSPersistentStore? {
        persistentStores.first { $0.url?.standardizedFileURL == url.standardizedFileURL }
    }

    open func url(for store: NSPersistentStore) -> URL { store.url ?? URL(fileURLWithPath: "/dev/null") }

    /// The ID a URI names, when its store is attached and the model has its entity (ID05, ID06).
    open func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
        guard let parts = ObjectURI.parse(url), let entity = runtime.runtime(named: parts.entity) else { return nil }
        if case .temporary(let text) = parts.reference, let primaryKey = ObjectURI.temporaryKey(text) {
            let key = RowKey(primaryKey: primaryKey, entity: Int32(entity.index))
            return NSManagedObjectID(key: key, entity: entity.entity, storeIdentifier: nil, store: nil)
        }
        guard let identifier = parts.storeUUID, let store = store(identifier: identifier),
              let key = key(of: parts.reference, entity.index, in: store)
        else { return nil }
        return NSManagedObjectID(
            key: key, entity: entity.entity, storeIdentifier: identifier, store: store, referenceText: store.referenceText(of: key))
    }

    private func key(of reference: ObjectURI.Reference, _ entity: Int, in store: NSPersistentStore) -> RowKey? {
        switch reference {
        case .temporary: return nil
        case .text(let text): return store.key(forReferenceText: text, entity: entity)
        case .primaryKey(let number):
            return store.key(forReferenceText: String(number), entity: entity)
                ?? RowKey(primaryKey: number, entity: Int32(entity), store: store.rowStore.number)
        }
    }

    // MARK: Blocks

    /// Runs the block later, in order, alone among blocks given to this coordinator.
    open func perform(_ block: @escaping @Sendable () -> Void) { enqueue(block) }

    /// As `perform`, for blocks of ours that carry what is not Sendable over to the queue and leave it alone afterwards.
    func enqueue(_ block: @escaping () -> Void) {
        // The block crosses to the queue once and runs there alone.
        let box = UncheckedBox(block)
        queue.async { [self] in blocks.withLock { box.value() } }
    }

    /// Runs the block on the calling thread, alone among blocks given to this coordinator; re-entrant.
    open func performAndWait(_ block: () -> Void) { blocks.withLock(block) }

    // MARK: What subclasses may override, as at Apple's; the work is done in the files of each aspect

    /// Opens or creates a store and adds it.
    ///
    /// `url` may be nil for a store in memory; `/dev/null` makes a SQLite store in memory. Throws 134100 for a store of
    /// another model (with both hash lists), 259/256-family errors for files that are not stores; nothing on disk changes then.
    @discardableResult
    open func addPersistentStore(
        ofType type: String, configurationName: String?, at url: URL?, options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try openStore(StoreRequest(type: type, configuration: configurationName, url: url, options: options ?? [:]))
    }

    /// Adds the store a description describes; the completion runs on the calling thread, or later when the description
    /// asks for that.
    open func addPersistentStore(
        with description: NSPersistentStoreDescription, completionHandler: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) { addNowOrLater(description, completionHandler) }

    /// Closes a store and takes it off; objects of it become inaccessible when touched (SM08).
    open func remove(_ store: NSPersistentStore) throws { try takeOff(store) }

    open func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }

    /// Changes the metadata the next save of any context writes (SM02). A value that is not of a property list fails that save (134060).
    open func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) { store.metadata = metadata }

    /// The metadata of a store file, without opening it and without its model. Throws 134000 for a type nobody knows.
    open class func metadataForPersistentStore(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] { try readMetadata(ofType: storeType, at: url, options) }

    /// Writes a store file's metadata at once (SM03). What the library keeps itself (version hashes and their like) stays unless named;
    /// everything else is replaced. Throws 134060, naming the key, for a value that is not of a property list.
    open class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws { try writeMetadata(metadata, ofType: storeType, at: url, options) }

    /// Says where a store is from now on; false when that cannot be.
    ///
    /// An atomic store is written there with the next save. A SQLite store goes on with the file that is at the place, which must be
    /// a store of the same model and layout: a copy. Objects in contexts stay as they are until they are refreshed.
    open func setURL(_ url: URL, for store: NSPersistentStore) -> Bool { move(store, to: url) }

    /// Takes a store to another place, as another type if so wished ("Save As"): the new store takes the old one's place in the coordinator, and the
    /// old one's file stays as it was. Works between SQLite, binary, XML and memory; a store of the program's own throws (134091).
    ///
    /// Rows keep their keys, and the new store has a UUID of its own. Objects in contexts go on with the new store; unsaved changes stay
    /// unsaved; IDs taken before find their objects in this coordinator. A file at the place is replaced in one step, if it is a store of
    /// the type. Posts `NSPersistentStoreCoordinatorStoresDidChange` with both stores under `NSUUIDChangedPersistentStoresKey`. What fails
    /// leaves the old store attached and both places as they were.
    @discardableResult
    open func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
    ) throws -> NSPersistentStore { try move(store, to: storeURL, options, type: storeType) }

    /// Removes a store's file with its siblings and external data; a store of this coordinator is closed and taken off first.
    ///
    /// A file that is no store of the type is left alone (259), one that another process has open too (134090), unless
    /// `NSPersistentStoreForceDestroyOption` is given. A folder that is not there is an error, a file that is not there is none (SM05).
    open func destroyPersistentStore(at url: URL, ofType type: String, options: [AnyHashable: Any]? = nil) throws {
        try destroyFiles(of: StoreRequest(type: type, url: url, options: options ?? [:]), at: url)
    }

    /// Puts a copy of the source store in the destination's place, WAL and external data included, in one step: whoever ends the
    /// program meanwhile finds the old store or the new one, whole. The copy has the source's UUID.
    ///
    /// A store of this coordinator at the destination is closed and taken off first. Refused as in `destroyPersistentStore`.
    open func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil, withPersistentStoreFrom sourceURL: URL,
        sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
    ) throws {
        let request = StoreRequest(type: storeType, url: destinationURL, options: destinationOptions ?? [:])
        try replaceFiles(of: request, at: destinationURL, from: sourceURL)
    }

    /// Executes a request for a context, on whose queue the caller is.
    ///
    /// A fetch gives an array, a save an empty array, a batch request its `NSPersistentStoreResult`, an asynchronous fetch the
    /// result that fills later. Throws 134091 for other requests.
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
        try run(request, for: context)
    }

    /// Makes a subclass of `NSIncrementalStore` or `NSAtomicStore` available as a store type; nil takes the type back.
    open class func registerStoreClass(_ storeClass: AnyClass?, forStoreType storeType: String) {
        register(storeClass, ofType: storeType)
    }

    /// The classes of the registered store types (at Apple's, in `NSValue`s).
    open class var registeredStoreTypes: [String: AnyClass] { StoreClasses.all }

    // MARK: Contexts

    func register(_ context: NSManagedObjectContext) { contexts.add(context) }
    func forget(_ context: NSManagedObjectContext) { contexts.remove(context) }

    // MARK: Stores

    package func store(number: Int32) -> NSPersistentStore? { lock.withLock { stores.first { $0.rowStore.number == number } } }

    /// What is known of a store that was taken off; nil for one that is attached or never was.
    func removedStore(number: Int32) -> String? { lock.withLock { removed[number] } }

    package func store(identifier: String) -> NSPersistentStore? {
        lock.withLock {
            if let store = stores.first(where: { $0.rowStore.metadata.identifier == identifier }) { return store }
            guard let number = formerIdentifiers[identifier] else { return nil }
            return stores.first { $0.rowStore.number == number }
        }
    }

    func reserveNumber() -> Int32 {
        lock.withLock {
            defer { nextNumber += 1 }
            return nextNumber
        }
    }

    func attach(_ store: NSPersistentStore) {
        lock.withLock {
            store.persistentStoreCoordinator = self
            if store.namesItsObjects { hasIncrementalStores = true }
            stores.append(store)
        }
        store.didAdd(to: self)
        NotificationCenter.default.post(
            name: .NSPersistentStoreCoordinatorStoresDidChange, object: self, userInfo: [NSAddedPersistentStoresKey: [store]])
    }

    /// Puts a store in the place of another, whose number it has.
    func substitute(_ new: NSPersistentStore, for old: NSPersistentStore) {
        old.willRemove(from: self)
        lock.withLock {
            formerIdentifiers[old.rowStore.metadata.identifier] = new.rowStore.number
            stores = stores.map { $0 === old ? new : $0 }
            old.persistentStoreCoordinator = nil
            new.persistentStoreCoordinator = self
        }
        new.didAdd(to: self)
    }

    func detach(_ store: NSPersistentStore) {
        store.willRemove(from: self)
        lock.withLock {
            stores.removeAll { $0 === store }
            removed[store.rowStore.number] = "\(store.url?.path ?? store.type) (UUID \(store.rowStore.metadata.identifier))"
            store.persistentStoreCoordinator = nil
        }
        NotificationCenter.default.post(
            name: .NSPersistentStoreCoordinatorStoresDidChange, object: self, userInfo: [NSRemovedPersistentStoresKey: [store]])
    }
}
