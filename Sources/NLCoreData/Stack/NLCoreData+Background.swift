extension NLCoreData {
    /// Does work with a background context of its own, on that context's queue, and gives what the block returns.
    ///
    /// The context sits beside the main contexts, on the coordinator. What the block has changed and not saved is saved when
    /// it returns, and merged into the main contexts; nothing is when it throws. Managed objects cannot be returned: return
    /// values, or object IDs for `fetch(objectID:in:)`. Throws what the block or the save throws.
    public func performBackgroundTask<Result: Sendable>(
        _ block: @escaping @Sendable (NSManagedObjectContext) throws -> Result
    ) async throws -> Result {
        let context = newBackgroundContext()
        return try await context.perform {
            try context.throwStackFailure()
            return try NLCoreData.withStack(self) {
                let result = try block(context)
                if context.hasChanges { try context.save() }
                return result
            }
        }
    }

    private func newBackgroundContext() -> NSManagedObjectContext {
        let context = newContext()
        context.name = "NLCoreData background task"
        return context
    }
}
