import Foundation

/// What executing a request gave.
open class NSPersistentStoreResult: NSObject {
    public override init() { super.init() }
}

/// What a request gives that is executed in the background.
///
/// Unchecked Sendable: the engine's side of it is under a lock.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult, @unchecked Sendable {
    private let lock = NSLock()
    private var failure: (any Error)?
    private let stop: @Sendable () -> Void
    /// The context that executes the request.
    open private(set) var managedObjectContext: NSManagedObjectContext
    /// The progress that was current when the request was executed, or nil.
    open private(set) var progress: Progress?

    package init(
        managedObjectContext: NSManagedObjectContext, progress: Progress?, cancel: @escaping @Sendable () -> Void = {}
    ) {
        self.managedObjectContext = managedObjectContext
        self.progress = progress
        stop = cancel
        super.init()
    }

    /// Why the operation failed; nil while it runs and when it succeeded.
    open var operationError: (any Error)? { lock.withLock { failure } }

    package func fail(_ error: any Error) { lock.withLock { failure = error } }

    /// Stops the operation, if it is not done: it then ends with `CocoaError.userCancelled`. From any thread.
    open func cancel() {
        stop()
        progress?.cancel()
    }
}
