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
    private let queueKind: NSManagedObjectContextConcurrencyType
    let executor: ContextExecutor
    /// What `checksConfinement` was when the context was made.
    let isChecked = NSManagedObjectContext.checksConfinement
    private(set) var anchor: ContextAnchor!
    // Unchecked exclusivity: used on the context's queue, never across a call out.
    @exclusivity(unchecked) package var registry: ObjectRegistry?
    @exclusivity(unchecked) var pending = PendingChanges()
    @exclusivity(unchecked) var coordinatorStorage: NSPersistentStoreCoordinator?
    @exclusivity(unchecked) var parentStorage: NSManagedObjectContext?
    /// For child contexts that still know the old keys, and for whoever took a temporary ID.
    var formerKeys = FormerKeys()
    var children = WeakContexts()
    /// The coordinator's `keyGeneration` when the parent was last asked for them.
    var seenKeyGeneration = 0
    /// Up to which serial number of the parent's `formerKeys` this context has followed, and the latest temporary key when it last
    /// heard of any. Read on the parent's queue.
    let adoptedSerial = Atomic<Int>(0)
    let latestHeardKey = Atomic<Int64>(0)
    @exclusivity(unchecked) var undoStorage: UndoManager?
    var journal = UndoJournal()
    /// Asked by the thread that saves.
    let mergesAutomatically = Atomic<Bool>(false)
    /// The class whose entity was asked for last.
    @exclusivity(unchecked) fileprivate var lastClass: (type: NSManagedObject.Type, entity: NSEntityDescription)?
    /// Fetched results controllers to tell of what notes leave out.
    var resultTrackers = ResultTrackers()
    /// Objects a merge policy took up into others during the current save.
    var takenUp: [(object: NSManagedObject, survivor: NSManagedObject)] = []
    /// From the beginning of a save until nothing of it can fail any more.
    var isSaving = false
    /// Sets of notes posted so far, and the lists they were made of; nil while no save is at work.
    var noteSets: [(objects: [NSManagedObject], set: Set<NSManagedObject>)]?
    /// What fetches with a batch size have not loaded yet; nil when there is nothing such.
    @exclusivity(unchecked) var fetchBatches: FetchBatches?
    /// Set while keys that nobody knows are to be thrown and not raised.
    var undefinedKeys: UndefinedKeyProbe?

    /// How conflicts are settled at save; the error policy at first (ME01).
    open var mergePolicy: Any = NSMergePolicy.error
    private let info = NSMutableDictionary()
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
    @exclusivity(unchecked) open var stalenessInterval: TimeInterval = -1 {
        didSet { anchor.lastCache = nil }
    }

    /// A context without a coordinator or parent yet: give it one before use.
    public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
        queueKind = concurrencyType
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

    // MARK: What subclasses may override, as at Apple's; the work is done in the files of each aspect

    open var concurrencyType: NSManagedObjectContextConcurrencyType { queueKind }

    /// Any objects of the app's own.
    open var userInfo: NSMutableDictionary { info }

    /// The coordinator behind the context, its own or its parents'. Set it once, before use; never together with a parent.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { coordinator }
        set { coordinator = newValue }
    }

    /// The context this one fetches from and saves to. Set it once, before use.
    open var parent: NSManagedObjectContext? {
        get { parentStorage }
        set { setParent(newValue) }
    }

    /// Runs the block later, in order, on the context's queue, then processes pending changes (CO01). The context lives until
    /// then. From any thread; a confined context has no queue and stops the program.
    open func perform(_ block: @escaping @Sendable () -> Void) { performLater(block) }

    /// Runs the block on the context's queue and waits; re-entrant (CO02), on the calling thread for private queues (CO03).
    ///
    /// A block that waits for a context whose queue waits for this one never ends, as at Apple's: a child's save and its reads
    /// need its parent's queue, so nobody may wait for the child from the parent's (PC11). Pending changes are not processed
    /// (CO04). A confined context has no queue and stops the program.
    open func performAndWait(_ block: () -> Void) { runAndWait(block) }

    /// What a request for any result type gives: objects, IDs, dictionaries or a count, as its result type says. Cast them;
    /// Apple's array is of `Any`. Throws for an unknown entity or key path.
    open func fetch(_ request: NSFetchRequest<NSFetchRequestResult>) throws -> [Any] { try fetchAny(request) }

    /// How many objects a request for any result type would return, limit and offset included (FE20).
    open func count(for request: NSFetchRequest<NSFetchRequestResult>) throws -> Int { try count(request.settings, request.affectedStores) }

    /// Executes a request that is more than a plain fetch.
    ///
    /// Asynchronous fetches run later on this context's queue and call their completion block there (a confined context has none, and
    /// throws 134091); save requests save; batch
    /// requests go to the stores at once, past this context and its ancestors, whose objects stay as they are until
    /// `mergeChanges(fromRemoteContextSave:into:)`. Anything else throws 134091: a plain fetch belongs into `fetch(_:)`.
    @discardableResult
    open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult { try run(request) }

    /// The object of an ID if this context has it; reads nothing (ID11).
    open func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? { knownObject(objectID) }

    /// The object of an ID, as a fault when it is not registered: the row need not exist (ID10).
    open func object(with objectID: NSManagedObjectID) -> NSManagedObject { assumedObject(objectID) }

    /// The object of an ID with its values loaded; throws 133000 when there is no such row (ID07–ID09), 260
    /// when a file with a binary value of it is missing, 4864 when a transformable's archive cannot be read.
    open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject { try storedObject(objectID) }

    /// Adopts an object made without a context, with those it is connected to; one that was deleted but not saved comes back.
    open func insert(_ object: NSManagedObject) { insert(object, isNew: false) }

    /// Marks an object for deletion at the next save; `prepareForDeletion` runs at once (LC09).
    open func delete(_ object: NSManagedObject) { deleteChecked(object) }

    /// Drops an object's values (false: its edits too, FA06) or takes newer ones under its edits (true, FA07).
    open func refresh(_ object: NSManagedObject, mergeChanges: Bool) { refreshShown(object, mergeChanges: mergeChanges) }

    /// Refreshes every registered object, keeping edits (FA08).
    open func refreshAllObjects() { refreshAll() }

    /// Follows delete rules and announces the event's changes (`NSManagedObjectContextObjectsDidChange`).
    open func processPendingChanges() { processEvent() }

    /// Chooses the store a new object is saved to; a saved object cannot move.
    open func assign(_ object: Any, to store: NSPersistentStore) { assignChecked(object, to: store) }

    /// Gives unsaved objects the IDs they will keep (ID03). Throws when no store can take them; IDs then stay temporary.
    open func obtainPermanentIDs(for objects: [NSManagedObject]) throws { try makePermanent(objects) }

    open var insertedObjects: Set<NSManagedObject> { insertedSet }

    open var updatedObjects: Set<NSManagedObject> { updatedSet }

    open var deletedObjects: Set<NSManagedObject> { deletedSet }

    /// Objects the context knows: those with changes and those somebody holds (FA15).
    open var registeredObjects: Set<NSManagedObject> { registeredSet }

    open var hasChanges: Bool { isChanged }

    /// Writes all changes to the stores, or to the parent context; throws with everything still pending when any is refused.
    ///
    /// Errors: validation (1550–1680, several as 1560), 133020 and 133021 conflicts under the error policy, store errors.
    open func save() throws { try saveChanges() }

    /// Forgets all objects and changes (FA14).
    open func reset() { forgetAll() }

    /// Drops all changes: inserted objects go, the others show their last committed values again, read from no store (LC14).
    open func rollback() { dropAllChanges() }

    /// Takes the last event back; nothing without an undo manager (LC15).
    open func undo() { undoEvent() }

    /// Makes the event last taken back again.
    open func redo() { redoEvent() }

    /// Records changes so that they can be taken back; nil (the default here, as in private contexts of Apple's) records none.
    open var undoManager: UndoManager? {
        get { manager }
        set { manager = newValue }
    }

    /// Takes another context's save into this one (NO03–NO08), from the note with objects or the one with IDs. Call it on this
    /// context's queue. A context's own save changes nothing.
    open func mergeChanges(fromContextDidSave notification: Notification) { merge(notification) }

    /// Takes changes made outside of any context (batch requests, other processes) into contexts, each on its own queue, parents
    /// before their children.
    ///
    /// `changes` maps `NSInsertedObjectsKey`, `NSUpdatedObjectsKey`, `NSDeletedObjectsKey` (or another key of a context's notes)
    /// to object IDs or their URIs, in an array or a set.
    open class func mergeChanges(fromRemoteContextSave changes: [AnyHashable: Any], into contexts: [NSManagedObjectContext]) {
        merge(changes, into: contexts)
    }

    /// Whether saves of the parent, or of other contexts of the same coordinator, are merged without asking (NO09).
    ///
    /// A child is told of its parent's saves, of its siblings' saves into the parent, and of everything the parent itself merges: a save
    /// of any context reaches a child as long as each context above it merges.
    open var automaticallyMergesChangesFromParent: Bool {
        get { mergesFromParent }
        set { mergesFromParent = newValue }
    }
}

extension NSManagedObjectContext {
    private var coordinator: NSPersistentStoreCoordinator? {
        get { coordinatorStorage ?? parentStorage?.persistentStoreCoordinator }
        set {
            if newValue === coordinatorStorage { return }
            coordinatorStorage?.forget(self)
            coordinatorStorage = newValue
            anchor.lastCache = nil
            newValue?.register(self)
            registry = newValue.map { ObjectRegistry(model: $0.runtime.resolved) }
        }
    }

    private func setParent(_ parent: NSManagedObjectContext?) {
        if parent != nil, coordinatorStorage != nil {
            raise(.invalidArgument, "A context that has a persistent store coordinator cannot be given a parent.")
        }
        var ancestor = parent
        if parent?.concurrencyType == .confinementConcurrencyType {
            raise(.invalidArgument, "A parent context must use either NSPrivateQueueConcurrencyType or NSMainQueueConcurrencyType: "
                + "its children work on its queue.")
        }
        while let current = ancestor {
            if current === self { raise(.invalidArgument, "A context cannot be its own ancestor.") }
            ancestor = current.parentStorage
        }
        parentStorage?.children.remove(self)
        parentStorage = parent
        parent?.children.add(self)
        registry = parent?.modelRuntime.map { ObjectRegistry(model: $0.resolved) }
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
