extension NSManagedObjectContext {
    /// Saves; true when that succeeded or there was nothing to save. A failure goes to `NLCoreData.errorHandler`.
    @discardableResult
    public func saveChanges() -> Bool {
        do {
            try throwStackFailure()
            if hasChanges { try save() }
            return true
        } catch {
            stack.report(error)
            return false
        }
    }

    /// Saves this context and then each ancestor, up to the store. Stops at the first failure and throws it.
    ///
    /// From another thread than main, a main-queue ancestor needs the main queue: throws
    /// `NLCoreDataError.threadDoesNotAnswer` when nobody drains that within `timeout` seconds. Nothing is saved then.
    public func saveNested(timeout: TimeInterval = 5) throws {
        try throwStackFailure()
        if needsMain { try ThreadDelivery(thread: .main, timeout: timeout).probe() }
        // In a private queue's block main is not recognised on every system: merges wait until the block is left.
        defer { if Main.isCurrent { stack.drainMerges() } }
        for context in lineage { try context.saveOnQueue() }
    }

    /// As the other, without holding a thread.
    public func saveNested(timeout: TimeInterval = 5) async throws {
        try throwStackFailure()
        if needsMain { try await ThreadDelivery(thread: .main, timeout: timeout).probe() }
        for context in lineage {
            // A confined context has no queue to go to.
            if context.isConfined { try context.save() } else { try await context.perform { try context.save() } }
        }
    }

    /// Saves this context at once and its ancestors each on its own queue, then calls back exactly once: with true after the
    /// last, with false at the first failure, which goes to `NLCoreData.errorHandler`. The call comes on the queue of the
    /// context that ended the chain.
    public func saveNested(_ completion: @escaping (_ success: Bool) -> Void) {
        do {
            try throwStackFailure()
            if needsMain { try ThreadDelivery(thread: .main, timeout: 5).probe() }
            try saveOnQueue()
        } catch {
            stack.report(error)
            return completion(false)
        }
        Self.climb(from: parent, stack, Handover(completion))
    }

    /// The original's names for the callback form.
    public func saveNestedAsynchronous(callback: @escaping (_ success: Bool) -> Void = { _ in }) { saveNested(callback) }

    private static func climb(
        from level: NSManagedObjectContext?, _ stack: NLCoreData, _ completion: Handover<(_ success: Bool) -> Void>
    ) {
        guard let level else { return completion.value(true) }
        level.perform {
            do { try level.save() } catch {
                stack.report(error)
                return completion.value(false)
            }
            climb(from: level.parent, stack, completion)
        }
    }

    private func saveOnQueue() throws {
        if isConfined { try save() } else { try performAndWait { try save() } }
    }

    /// Whether the context has a thread in place of a queue.
    private var isConfined: Bool { concurrencyType == .confinementConcurrencyType }

    /// This context and its ancestors.
    private var lineage: [NSManagedObjectContext] { Array(sequence(first: self) { $0.parent }) }

    /// Whether saving up to the store has to enter the main queue from outside.
    var needsMain: Bool { !Main.isCurrent && lineage.contains { $0.concurrencyType == .mainQueueConcurrencyType } }
}
