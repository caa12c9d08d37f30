import CoreDataSchema

/// Writes down what an in-memory store holds: the file of an atomic store, or what the application makes of it.
package protocol StoreKeeper: AnyObject, Sendable {
    /// Keeps a change before it takes effect; what it throws undoes the change. One call at a time.
    func keep(_ change: StoreChange) throws
    /// Whether what was kept last is all there is to keep while nothing changes.
    var isUpToDate: Bool { get }
}

/// A change of an in-memory store: all of it as it will be, and what the change was.
package struct StoreChange {
    package let content: StoreContent
    package let metadata: StoreMetadata
    /// What a save changed, with the rows it made; nil for a batch request.
    package let batch: ChangeBatch?
    package let receipt: CommitReceipt?
}
