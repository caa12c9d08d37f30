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
