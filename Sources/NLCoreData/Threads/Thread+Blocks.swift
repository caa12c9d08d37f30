extension Thread {
    /// Runs the block on this thread later, or at once when the caller is on it (`-performBlockOnThread:`).
    ///
    /// Throws `NLCoreDataError.threadDoesNotAnswer` for a thread that has ended or has never asked for its context; a thread
    /// whose run loop never runs again does not run the block either. For a thread that may be stuck: `performBlockAndWait`.
    public func performBlock(_ block: @escaping () -> Void) throws {
        let delivery = ThreadDelivery(thread: self, timeout: 0)
        if delivery.isHere { block() } else { try delivery.post(block) }
    }

    /// Runs the block on this thread and waits until it has run (`-performBlockAndWaitOnThread:`).
    ///
    /// Throws `NLCoreDataError.threadDoesNotAnswer` when the thread does not take it within `timeout` seconds; it is then
    /// never run.
    public func performBlockAndWait(timeout: TimeInterval = 5, _ block: @escaping () -> Void) throws {
        try ThreadDelivery(thread: self, timeout: timeout).runAndWait(block)
    }
}
