/// The current stack's contexts (`NLCoreData.current`), as the original's class methods gave them.
extension NSManagedObjectContext {
    /// The calling thread's context: directly on the store coordinator, made when first asked for, gone with its thread.
    @available(*, noasync, message: "A task changes threads when it awaits. Use mainContext on the main actor, or NLCoreData.shared.performBackgroundTask(_:).")
    public class func contextForThread() -> NSManagedObjectContext { NLCoreData.current.contextForCurrentThread() }

    /// Another thread's context, such as `.main`'s. Only that thread may use it.
    @available(*, noasync, message: "Use mainContext on the main actor, or NLCoreData.shared.performBackgroundTask(_:).")
    public class func contextForThread(_ thread: Thread) -> NSManagedObjectContext { NLCoreData.current.context(of: thread) }

    /// One more context on the store coordinator, with a private queue.
    public class func context() -> NSManagedObjectContext { NLCoreData.current.newContext() }

    /// The main queue's context of the nested family.
    public class var mainContext: NSManagedObjectContext { NLCoreData.current.mainContext }
    /// The root of the nested family; use it in `perform`.
    public class var storeContext: NSManagedObjectContext { NLCoreData.current.storeContext }
    /// The private-queue child of `mainContext`; use it in `perform`.
    public class var backgroundContext: NSManagedObjectContext { NLCoreData.current.backgroundContext }

    /// Drops all contexts of both families; new ones are made when next asked for. Unsaved changes in them are lost.
    public class func rebuildAllContexts() { NLCoreData.current.rebuildAllContexts() }
}
