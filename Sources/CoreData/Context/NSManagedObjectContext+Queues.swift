extension NSManagedObjectContext {
    /// When an `async perform` starts: at once if the caller is on the context's queue already, or always queued.
    public enum ScheduledTaskType: Sendable { case immediate, enqueued }

    /// Runs the block later, in order, on the context's queue, then processes pending changes (CO01).
    public func perform(_ block: @escaping () -> Void) {
        executor.perform { [self] in
            block()
            processPendingChanges()
        }
    }

    /// Runs the block on the context's queue and waits; re-entrant (CO02), on the calling thread for private queues (CO03).
    public func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
        try executor.performAndWait(block)
    }

    /// Runs the block on the context's queue and returns what it returns or throws.
    nonisolated(nonsending) public func perform<Result, Failure: Error>(
        schedule: ScheduledTaskType = .immediate, _ block: @escaping () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        // The block and its result cross between the caller and the queue one after the other, never at once.
        let work = UncheckedBox(block)
        let outcome: UncheckedBox<Swift.Result<Result, Failure>> = await withCheckedContinuation { continuation in
            perform {
                do throws(Failure) {
                    continuation.resume(returning: UncheckedBox(.success(try work.value())))
                } catch {
                    continuation.resume(returning: UncheckedBox(.failure(error)))
                }
            }
        }
        return try outcome.value.get()
    }

    /// Whether the caller is on main: the main thread, the main queue, or a block that one of those waits for. For NLCoreData.
    public static var _isOnMain: Bool { MainQueue.isCurrent }
}
