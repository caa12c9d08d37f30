extension NLCoreData {
    // MARK: Nested family

    /// The root of the nested family: a private queue on the store coordinator. Use it in `perform`.
    public var storeContext: NSManagedObjectContext {
        lock.lock()
        defer { lock.unlock() }
        if let context = state.contexts.store { return context }
        let context = makeContext(.privateQueueConcurrencyType, named: "NLCoreData store")
        if context.stackFailure == nil { state.contexts.store = context }
        return context
    }

    /// The main queue's context of the nested family, child of `storeContext`: a save goes up one level; `saveNested()` goes
    /// on to the store.
    public var mainContext: NSManagedObjectContext {
        if Main.isCurrent { drainMerges() }
        lock.lock()
        defer { lock.unlock() }
        if let context = state.contexts.main { return context }
        let context = makeChild(of: storeContext, .mainQueueConcurrencyType, named: "NLCoreData main")
        if context.stackFailure == nil { state.contexts.main = context }
        return context
    }

    /// A private queue's context, child of `mainContext`: its fetches and saves need the main queue. Use it in `perform`.
    public var backgroundContext: NSManagedObjectContext {
        if let context = locked({ $0.contexts.background }) { return context }
        // Outside the lock: on main it may take in saves, which others are told of.
        let main = mainContext
        lock.lock()
        defer { lock.unlock() }
        if let context = state.contexts.background { return context }
        let context = makeChild(of: main, .privateQueueConcurrencyType, named: "NLCoreData background")
        if context.stackFailure == nil { state.contexts.background = context }
        return context
    }

    // MARK: Per-thread family

    /// The calling thread's context: on main, one for the main queue; elsewhere one confined to the thread, gone with it.
    @available(*, noasync, message: "A task changes threads when it awaits. Use mainContext on the main actor, or performBackgroundTask(_:).")
    public func contextForThread() -> NSManagedObjectContext { contextForCurrentThread() }

    /// Another thread's context. Only that thread may use it.
    @available(*, noasync, message: "Use mainContext on the main actor, or performBackgroundTask(_:).")
    public func contextForThread(_ thread: Thread) -> NSManagedObjectContext { context(of: thread) }

    func contextForCurrentThread() -> NSManagedObjectContext {
        if Main.isCurrent {
            drainMerges()
            return mainThreadContext()
        }
        return threadContext(ThreadRegistry.shared.currentNumber())
    }

    func context(of thread: Thread) -> NSManagedObjectContext {
        let delivery = ThreadDelivery(thread: thread, timeout: 0)
        if delivery.isHere { return contextForCurrentThread() }
        if thread.isMainThread || thread === Thread.main { return mainThreadContext() }
        return threadContext(ThreadRegistry.shared.number(of: thread), isCallers: false)
    }

    private func mainThreadContext() -> NSManagedObjectContext {
        lock.lock()
        defer { lock.unlock() }
        if let context = state.contexts.mainThread { return context }
        let context = makeContext(.mainQueueConcurrencyType, named: "NLCoreData main thread")
        if context.stackFailure == nil { state.contexts.mainThread = context }
        return context
    }

    private func threadContext(_ number: UInt64, isCallers: Bool = true) -> NSManagedObjectContext {
        lock.lock()
        defer { lock.unlock() }
        if let context = state.contexts.byThread[number] { return context }
        let context = makeContext(.confinementConcurrencyType, named: "NLCoreData thread \(number)")
        if !isCallers { Platform.leaveToFirstThread(context) }
        if context.stackFailure == nil { state.contexts.byThread[number] = context }
        return context
    }

    func forgetThreads(_ numbers: [UInt64]) {
        // Released outside the lock: a context's end runs code of others.
        let gone = locked { state in numbers.compactMap { state.contexts.byThread.removeValue(forKey: $0) } }
        withExtendedLifetime(gone) {}
    }

    // MARK: Others

    /// One more context on the store coordinator, with a private queue.
    public func newContext() -> NSManagedObjectContext { makeContext(.privateQueueConcurrencyType, named: "NLCoreData extra") }

    /// Drops all contexts of both families; new ones are made when next asked for. Unsaved changes in them are lost.
    public func rebuildAllContexts() {
        let old = locked { state in
            defer {
                state.contexts = Contexts()
                state.merges = []
            }
            return state.contexts
        }
        withExtendedLifetime(old) {}
    }

    /// A context that cannot be given its coordinator carries the reason, which every call of NLCoreData then throws.
    private func makeContext(_ type: NSManagedObjectContextConcurrencyType, named name: String) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: type)
        equip(context, named: name)
        do { context.persistentStoreCoordinator = try loadStoreCoordinator() } catch {
            context.stackFailure = error
            report(error)
        }
        return context
    }

    private func makeChild(
        of parent: NSManagedObjectContext, _ type: NSManagedObjectContextConcurrencyType, named name: String
    ) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: type)
        equip(context, named: name)
        context.stackFailure = parent.stackFailure
        context.parent = parent
        return context
    }

    private func equip(_ context: NSManagedObjectContext, named name: String) {
        context.name = name
        context.mergePolicy = mergePolicy
        context.userInfo[StackReference.key] = StackReference(self)
    }
}

/// Leads from a context to the stack that made it.
///
/// Unchecked Sendable: `failure` is set before the context is handed out; the weak reference is only read.
final class StackReference: @unchecked Sendable {
    static let key = "NLCoreData.stack"
    private(set) weak var stack: NLCoreData?
    var failure: (any Error)?

    init(_ stack: NLCoreData) { self.stack = stack }
}

extension NSManagedObjectContext {
    private var stackReference: StackReference? { userInfo[StackReference.key] as? StackReference }

    /// The stack that made the context, or else the current one.
    var stack: NLCoreData { stackReference?.stack ?? .current }

    /// Why the context has no coordinator.
    var stackFailure: (any Error)? {
        get { stackReference?.failure }
        set { stackReference?.failure = newValue }
    }

    func throwStackFailure() throws {
        if let failure = stackFailure { throw failure }
    }
}
