extension NSManagedObjectContext {
    /// When an `async perform` starts: at once if the caller is on the context's queue already, or after what is queued.
    public enum ScheduledTaskType: Sendable { case immediate, enqueued }

    /// Runs the block later, in order, on the context's queue, then processes pending changes (CO01). The context lives until
    /// then. From any thread; a confined context has no queue and stops the program.
    public func perform(_ block: @escaping @Sendable () -> Void) {
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

    /// Runs the block on the context's queue and waits; re-entrant (CO02), on the calling thread for private queues (CO03).
    ///
    /// A block that waits for a context whose queue waits for this one never ends, as at Apple's: a child's save and its reads
    /// need its parent's queue, so nobody may wait for the child from the parent's (PC11). Pending changes are not processed
    /// (CO04). A confined context has no queue and stops the program.
    public func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
        requireQueue("performAndWait(_:)")
        return try executor.performAndWait(block)
    }

    private func requireQueue(_ method: String) {
        guard concurrencyType == .confinementConcurrencyType else { return }
        raise(.invalidArgument, "Can only use \(method) on an NSManagedObjectContext that was created with a queue: a confined context is "
            + "used directly, on its own thread. Make it with .privateQueueConcurrencyType or .mainQueueConcurrencyType.")
    }

    /// Runs the block on the context's queue, processes pending changes, and returns what the block returns or throws.
    ///
    /// With `.immediate` a caller that is on the queue already, such as the main actor for a main-queue context, does not queue
    /// up. A task's cancellation does not stop a block: look at `Task.isCancelled` before and after.
    nonisolated(nonsending) public func perform<Result: Sendable, Failure: Error>(
        schedule: ScheduledTaskType = .immediate, _ block: @escaping @Sendable () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        requireQueue("perform(schedule:_:)")
        if schedule == .immediate, executor.isCurrent {
            // The block may have thrown half-way: what it changed is announced all the same, as behind a queue.
            defer { processPendingChanges() }
            return try HeldExecutors.current.hold(executor, block)
        }
        let outcome: Swift.Result<Result, Failure> = await withCheckedContinuation { continuation in
            enqueue {
                do throws(Failure) {
                    continuation.resume(returning: .success(try block()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try outcome.get()
    }

    /// Whether the caller is on main: the main thread, the main queue, or a block that one of those waits for. For NLCoreData.
    public static var _isOnMain: Bool { MainQueue.isCurrent }
}
