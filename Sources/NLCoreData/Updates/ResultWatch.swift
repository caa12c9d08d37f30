/// Watches a query's results for one consumer.
///
/// Unchecked Sendable: what is under `lock` is used under it only; the controller, on its context's queue only, after `begin`
/// (but for its end, which touches nothing of the context).
final class ResultWatch<Object: NSManagedObject>: NSObject, NSFetchedResultsControllerDelegate, @unchecked Sendable {
    typealias Taken = (objectIDs: [NSManagedObjectID], sections: [ResultSnapshot<Object>.Section], touched: Set<NSManagedObjectID>)

    private let context: NSManagedObjectContext
    private let request: NSFetchRequest<Object>
    private let sectionKeyPath: String?
    private var controller: NSFetchedResultsController<Object>?
    private var token: (any NSObjectProtocol)?

    private let lock = NSLock()
    private var hasNews = false
    /// Whether the context was reset: nothing is followed until it is fetched anew.
    private var isReset = false
    private var isOver = false
    private var touched = Set<NSManagedObjectID>()
    private var waiting: CheckedContinuation<Bool, Never>?

    init(_ request: NSFetchRequest<Object>, in context: NSManagedObjectContext, sectionedBy sectionKeyPath: String?) {
        self.request = request
        self.context = context
        self.sectionKeyPath = sectionKeyPath
    }

    deinit { if let token { NotificationCenter.default.removeObserver(token) } }

    /// Fetches, and follows the context from then on.
    func begin() async throws {
        try await context.perform {
            let controller = NSFetchedResultsController(
                fetchRequest: self.request, managedObjectContext: self.context, sectionNameKeyPath: self.sectionKeyPath, cacheName: nil)
            controller.delegate = self
            try controller.performFetch()
            self.controller = controller
            self.token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextObjectsDidChange, object: self.context, queue: nil
            ) { [weak self] note in if note.userInfo?[NSInvalidatedAllObjectsKey] != nil { self?.noteReset() } }
        }
        noteNews()
    }

    /// Returns true when there is news, false when the task was cancelled.
    func changed() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = lock.withLock {
                    if isOver { return false }
                    if hasNews { return true }
                    waiting = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiting = lock.withLock {
                isOver = true
                defer { self.waiting = nil }
                return self.waiting
            }
            waiting?.resume(returning: false)
        }
    }

    /// The results now, and which of them changed since they were last taken.
    func take() async throws -> Taken {
        let taken: Handover<Taken> = try await context.perform { Handover(try self.takeHere()) }
        return taken.value
    }

    private func takeHere() throws -> Taken {
        guard let controller else { return ([], [], []) }
        // Before the results are read: what changes while they are is news again.
        let news = lock.withLock {
            defer { (hasNews, isReset, touched) = (false, false, []) }
            return (touched: touched, isReset: isReset)
        }
        if news.isReset { try controller.performFetch() }
        let objects = controller.fetchedObjects ?? []
        // An ID that a save will replace is of no use to anybody.
        let unsaved = objects.filter(\.objectID.isTemporaryID)
        if !unsaved.isEmpty { try context.obtainPermanentIDs(for: unsaved) }
        var sections: [ResultSnapshot<Object>.Section] = [], start = 0
        for section in controller.sections ?? [] {
            sections.append(.init(name: section.name, range: start..<start + section.numberOfObjects))
            start += section.numberOfObjects
        }
        return (objects.map(\.objectID), sections, news.touched)
    }

    private func noteNews() {
        let waiting = lock.withLock {
            hasNews = true
            defer { self.waiting = nil }
            return self.waiting
        }
        waiting?.resume(returning: true)
    }

    private func noteReset() {
        lock.withLock { isReset = true }
        noteNews()
    }

    // MARK: NSFetchedResultsControllerDelegate

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        guard type == .update || type == .move, let object = anObject as? NSManagedObject else { return }
        let identifier = object.objectID
        lock.withLock { _ = touched.insert(identifier) }
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) { noteNews() }
}
