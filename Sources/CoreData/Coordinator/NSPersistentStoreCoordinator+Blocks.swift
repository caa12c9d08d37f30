extension NSPersistentStoreCoordinator {
    /// As the other `performAndWait`, returning what the block returns or throwing what it throws.
    public func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result { try blocks.withLock(block) }

    /// Runs the block as the other `perform` does, and returns what it returns or throws.
    @available(swift, introduced: 6)
    nonisolated(nonsending) public func perform<Result: Sendable, Failure: Error>(
        _ block: @escaping @Sendable () throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        try await outcome(of: block).get()
    }

    /// As the other, for code of Swift 5, which checks nothing: declared as Apple's, so that what compiles there compiles here.
    @available(swift, obsoleted: 6)
    nonisolated(nonsending) public func perform<Result>(_ block: @escaping () throws -> Result) async rethrows -> Result {
        try await outcome(of: block).rethrown(from: block) { throw $0 }
    }

    private nonisolated(nonsending) func outcome<Result, Failure: Error>(
        of block: @escaping () throws(Failure) -> Result
    ) async -> Swift.Result<Result, Failure> {
        // What is not Sendable crosses once, and the block is done with it: Swift 6 lets nothing such pass.
        let box: UncheckedBox<Swift.Result<Result, Failure>> = await withCheckedContinuation { continuation in
            enqueue { continuation.resume(returning: UncheckedBox(Swift.Result(catching: block))) }
        }
        return box.value
    }
}
