/// Whom a controller tells of changes to its results, on its context's queue.
///
/// Every method is optional: what is not implemented does nothing. One batch of changes is told as
/// `controllerWillChangeContent`, sections, objects, `controllerDidChangeContent`; deletions and the sources of moves are
/// index paths before the batch, insertions and the targets of moves index paths after it.
///
/// `controller` is the very controller that was set up, whatever its result type: compare it with `===`.
public protocol NSFetchedResultsControllerDelegate: NSObjectProtocol {
    /// The results as they are now: section names (an empty one without section key) and object IDs; objects that changed
    /// where they are stand among `reloadedItemIdentifiers`. Called after `performFetch()` too. A delegate that implements it
    /// gets no other message. Take it as a value: `snapshot as NSDiffableDataSourceSnapshot<String, NSManagedObjectID>`.
    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference)

    /// The changes of a controller without sections, as object IDs by offset; an updated object is removed and inserted, the
    /// two associated. A delegate that implements it, and not the form with a snapshot, gets no other message from a
    /// controller without section key.
    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>)

    /// An object came (`indexPath` nil), went (`newIndexPath` nil), moved, or changed where it is; then `newIndexPath` is its
    /// place after the batch.
    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?)

    /// A section came (its index is one after the batch) or went (one before it).
    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange sectionInfo: NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType)

    /// The results are about to change; they still read as before.
    func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>)

    /// Everything about the batch was told.
    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>)

    /// A section's title in an index; nil leaves it out. Without it, the controller's `sectionIndexTitle(forSectionName:)`.
    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, sectionIndexTitleForSectionName sectionName: String
    ) -> String?
}

extension NSFetchedResultsControllerDelegate {
    public func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    ) { controller.tracker.isRefused = true }

    public func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) { controller.tracker.isRefused = true }

    public func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {}

    public func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange sectionInfo: NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType
    ) {}

    public func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {}

    public func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {}

    public func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, sectionIndexTitleForSectionName sectionName: String
    ) -> String? { controller.sectionIndexTitle(forSectionName: sectionName) }
}
