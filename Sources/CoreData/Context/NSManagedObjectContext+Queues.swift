extension NSManagedObjectContext {
    /// When an `async perform` starts: at once if the caller is on the context's queue already, or after what is queued.
    public enum ScheduledTaskType: Sendable { case immediate, enqueued }

    func performLater(_ block: @escaping @Sendable () -> Void) {
        requireQueue("perform(_:)")
        enqueue(block)
    }

    /// As `perform`, for blocks of ours that carry what is not Sendable over to the queue and leave it alone afterwards.
    func enqueue(_ block: @escaping () -> Void) {
        executor.perform { [self] in
            block()
            processPendingChanges()
        }
    }

    /// As the other `performAndWait`, returning what the block returns or throwing what it throws.
    public func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
        guard isSubclassed else { return try runAndWait(block) }
        return try waitingOverridably(block)
    }

    func runAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
        requireQueue("performAndWait(_:)")
        return try executor.performAndWait(block)
    }

    /// Through the method a subclass may have overridden.
    private func waitingOverridably<Result, Failure: Error>(_ block: () throws(Failure) -> Result) throws(Failure) -> Result {
        var outcome: Swift.Result<Result, Failure>?
        let wait: (() -> Void) -> Void = performAndWait
        wait { outcome = Swift.Result(catching: block) }
        guard let outcome else { raise(.internalInconsistency, "\(type(of: self)) did not run the block given to performAndWait(_:).") }
        return try outcome.get()
    }

    /// Whether somebody's class is asked first, which may have overridden anything.
    var isSubclassed: Bool { type(of: self) != NSManagedObjectContext.self }

    private func requireQueue(_ method: String) {
        guard concurrencyType == .confinementConcurrencyType else { return }
        raise(.invalidArgument, "Can only use \(method) on an NSManagedObjectContext that was created with a queue: a confined context is "
            + "used directly, on its own thread. Make it with .privateQueueConcurrencyType or .mainQueueConcurrencyType.")
    }

    /// Runs the block on the context's queue, processes pending changes, and returns what the block returns or throws.
    ///
    /// With `.immediate` a caller that is on the queue already, such as the main actor for a main-queue context, does not queue
    /// up. A task's cancellation does not stop a block: look at `Task.isCancelled` before and after.
    @available(swift, introduced: 6)
    nonisolated(nonsending) public func perform<Result: Sendable, Failure: Error>(
        schedule: ScheduledTaskType = .immediate, _ block: @escaping @Sendable () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await outcome(of: schedule, block).get()
    }

    /// As the other, for code of Swift 5, which checks nothing: declared as Apple's, so that what compiles there compiles here.
    @available(swift, obsoleted: 6)
    nonisolated(nonsending) public func perform<Result>(
        schedule: ScheduledTaskType = .immediate, _ block: @escaping () throws -> Result
    ) async rethrows -> Result {
        try await outcome(of: schedule, block).rethrown(from: block) { throw $0 }
    }

    nonisolated(nonsending) func outcome<Result, Failure: Error>(
        of schedule: ScheduledTaskType, _ block: @escaping () throws(Failure) -> Result
    ) async -> Swift.Result<Result, Failure> {
        requireQueue("perform(schedule:_:)")
        if schedule == .immediate, executor.isCurrent {
            // The block may have thrown half-way: what it changed is announced all the same, as behind a queue.
            defer { processPendingChanges() }
            return HeldExecutors.current.hold(executor) { Swift.Result(catching: block) }
        }
        // What is not Sendable crosses once, and the block is done with it: Swift 6 lets nothing such pass.
        let box: UncheckedBox<Swift.Result<Result, Failure>> = await withCheckedContinuation { continuation in
            enqueue { continuation.resume(returning: UncheckedBox(Swift.Result(catching: block))) }
        }
        return box.value
    }

    /// Whether the caller is on main: the main thread, the main queue, or a block that one of those waits for. For NLCoreData.
    public static var _isOnMain: Bool { MainQueue.isCurrent }
}
