import CoreDataSchema
import CoreDataStorage
import Synchronization

/// On which queue a context works.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    /// The thread that made it, and no other; nothing is switched.
    case confinementConcurrencyType = 0
    /// A serial queue of its own.
    case privateQueueConcurrencyType = 1
    /// The main queue.
    case mainQueueConcurrencyType = 2
}

/// A space of managed objects: it fetches them, tracks their changes, and saves all of them or none.
///
/// Unchecked Sendable: the context may be passed about freely; its objects and members are used inside `perform` and
/// `performAndWait` only, which serialise them (with confinement: on the one thread that owns it).
open class NSManagedObjectContext: NSObject, @unchecked Sendable {
    public let concurrencyType: NSManagedObjectContextConcurrencyType
    let executor: ContextExecutor
    /// What `checksConfinement` was when the context was made.
    let isChecked = NSManagedObjectContext.checksConfinement
    private(set) var anchor: ContextAnchor!
    // Unchecked exclusivity: used on the context's queue, never across a call out.
    @exclusivity(unchecked) package var registry: ObjectRegistry?
    @exclusivity(unchecked) var pending = PendingChanges()
    @exclusivity(unchecked) var coordinatorStorage: NSPersistentStoreCoordinator?
    @exclusivity(unchecked) var parentStorage: NSManagedObjectContext?
    /// Permanent keys given to objects that were temporary, for child contexts that still know the old ones, and for whoever
    /// took a temporary ID.
    var permanentKeys: [Int64: RowKey] = [:]
    var children = WeakContexts()
    /// The coordinator's `keyGeneration` when the parent was last asked for them, and how many it had.
    var seenKeyGeneration = 0
    var seenParentKeys = 0
    @exclusivity(unchecked) var undoStorage: UndoManager?
    var journal = UndoJournal()
    /// Asked by the thread that saves.
    let mergesAutomatically = Atomic<Bool>(false)
    /// The class whose entity was asked for last.
    @exclusivity(unchecked) fileprivate var lastClass: (type: NSManagedObject.Type, entity: NSEntityDescription)?
    /// The row cache asked last, by its store's number.
    @exclusivity(unchecked) var lastCache: (store: Int32, cache: RowCache)?
    /// Fetched results controllers to tell of what notes leave out.
    var resultTrackers = ResultTrackers()
    /// Objects a merge policy took up into others during the current save.
    var takenUp: [(object: NSManagedObject, survivor: NSManagedObject)] = []
    /// Sets of notes posted so far, and the lists they were made of; nil while no save is at work.
    var noteSets: [(objects: [NSManagedObject], set: Set<NSManagedObject>)]?
    /// What fetches with a batch size have not loaded yet; nil when there is nothing such.
    @exclusivity(unchecked) var fetchBatches: FetchBatches?
    /// Set while keys that nobody knows are to be thrown and not raised.
    var undefinedKeys: UndefinedKeyProbe?

    /// How conflicts are settled at save; the error policy at first (ME01).
    open var mergePolicy: Any = NSMergePolicy.error
    /// Any objects of the app's own.
    public let userInfo = NSMutableDictionary()
    /// Shown in debugging and kept in the history as the context's name.
    open var name: String?
    /// Kept in the history as the transaction's author.
    open var transactionAuthor: String?
    /// Whether a fault whose row is gone reads nil everywhere (true), or stops the program when touched (false).
    open var shouldDeleteInaccessibleFaults = true
    /// Whether delete rules are followed at the event's end, in `processPendingChanges` (true), or no sooner than in `save()` (Apple's
    /// documentation).
    open var propagatesDeletesAtEndOfEvent = true
    /// Whether objects nobody else holds stay registered.
    open var retainsRegisteredObjects = false
    /// Seconds after which a cached row is read again; negative means never, 0 always.
    @exclusivity(unchecked) open var stalenessInterval: TimeInterval = -1

    /// A context without a coordinator or parent yet: give it one before use.
    public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
        self.concurrencyType = concurrencyType
        executor = ContextExecutor(concurrencyType)
        super.init()
        executor.context = self
        anchor = ContextAnchor(self)
    }

    /// A context on a queue of its own or on the main one, as since iOS 15.
    public convenience init(_ concurrencyType: ConcurrencyType) {
        self.init(concurrencyType: concurrencyType == .mainQueue ? .mainQueueConcurrencyType : .privateQueueConcurrencyType)
    }

    /// The kinds of queue that are left when confinement is not asked for.
    public enum ConcurrencyType: Sendable { case privateQueue, mainQueue }

    /// A confined context, as `NSManagedObjectContext()` of old.
    public convenience override init() { self.init(concurrencyType: .confinementConcurrencyType) }

    deinit {
        anchor.leave(
            persistentStoreCoordinator?.persistentStores ?? [], raisesForInaccessibleFaults: !shouldDeleteInaccessibleFaults)
        coordinatorStorage?.forget(self)
        parentStorage?.children.remove(self)
    }

    /// Called when a fault's row is gone; true lets the object read nil, false stops the program.
    open func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for objectID: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
    ) -> Bool { shouldDeleteInaccessibleFaults }
}

extension NSManagedObjectContext {
    /// The coordinator behind the context, its own or its parents'. Set it once, before use; never together with a parent.
    public var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { coordinatorStorage ?? parentStorage?.persistentStoreCoordinator }
        set {
            if newValue === coordinatorStorage { return }
            coordinatorStorage?.forget(self)
            coordinatorStorage = newValue
            lastCache = nil
            newValue?.register(self)
            registry = newValue.map { ObjectRegistry(model: $0.runtime.resolved) }
        }
    }

    /// The context this one fetches from and saves to. Set it once, before use.
    public var parent: NSManagedObjectContext? {
        get { parentStorage }
        set {
            if newValue != nil, coordinatorStorage != nil {
                raise(.invalidArgument, "A context that has a persistent store coordinator cannot be given a parent.")
            }
            var ancestor = newValue
            if newValue?.concurrencyType == .confinementConcurrencyType {
                raise(.invalidArgument, "A parent context must use either NSPrivateQueueConcurrencyType or NSMainQueueConcurrencyType: "
                    + "its children work on its queue.")
            }
            while let current = ancestor {
                if current === self { raise(.invalidArgument, "A context cannot be its own ancestor.") }
                ancestor = current.parentStorage
            }
            parentStorage?.children.remove(self)
            parentStorage = newValue
            newValue?.children.add(self)
            registry = newValue?.modelRuntime.map { ObjectRegistry(model: $0.resolved) }
        }
    }

    var modelRuntime: ModelRuntime? { coordinatorStorage?.runtime ?? parentStorage?.modelRuntime }

    func requireRuntime() -> ModelRuntime {
        guard let runtime = modelRuntime else {
            raise(.internalInconsistency, "This context has neither a persistent store coordinator nor a parent: it has no model.")
        }
        if registry == nil { registry = ObjectRegistry(model: runtime.resolved) }
        return runtime
    }

    /// The entity of a class in this context's model.
    package func entityDescription(for cls: NSManagedObject.Type) -> NSEntityDescription {
        if let lastClass, lastClass.type == cls { return lastClass.entity }
        let entity = lookUpEntity(for: cls)
        lastClass = (cls, entity)
        return entity
    }

    private func lookUpEntity(for cls: NSManagedObject.Type) -> NSEntityDescription {
        guard let runtime = requireRuntime().runtime(for: cls) else {
            raise(.invalidArgument, "The context’s model has no entity for the class \(cls). Its entities are: "
                + "\(requireRuntime().resolved.entities.map(\.name).joined(separator: ", ")).")
        }
        return runtime.entity
    }
}

/// Contexts by weak reference.
///
/// Unchecked Sendable: every access is under `lock`. No context is released under it: its `deinit` comes back here.
final class WeakContexts: @unchecked Sendable {
    private struct Entry {
        let identifier: ObjectIdentifier
        weak var context: NSManagedObjectContext?
    }

    private var entries: [Entry] = []
    private let lock = NSLock()

    func add(_ context: NSManagedObjectContext) {
        let entry = Entry(identifier: ObjectIdentifier(context), context: context)
        lock.withLock { entries.append(entry) }
    }

    func remove(_ context: NSManagedObjectContext) {
        let identifier = ObjectIdentifier(context)
        lock.withLock { entries.removeAll { $0.identifier == identifier } }
    }

    var all: [NSManagedObjectContext] { lock.withLock { entries.compactMap(\.context) } }
}
