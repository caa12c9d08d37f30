import CoreDataStorage

extension NSFetchRequest {
    /// Executes the request in the context whose block is running on this thread: that of the innermost `perform` or
    /// `performAndWait`. Throws as the context's `fetch(_:)` does, and 134060 outside of every context's block.
    public func execute() throws -> [ResultType] {
        guard let context = HeldExecutors.current.innermost?.context else {
            throw ErrorTranslation.error(StoreError.invalidRequest("execute() was called outside of a context’s block, so there is no "
                + "context to fetch “\(entityName ?? "?")” from. Call it inside perform(_:) or performAndWait(_:), or use fetch(_:) of "
                + "the context."))
        }
        return try context.fetch(self)
    }
}
