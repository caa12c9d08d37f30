import CoreDataStorage
import Dispatch

/// Runs a context's blocks: on its own serial queue, on the main queue, or on the one thread it is confined to.
///
/// Invariant: a thread inside a block of this executor, however nested, may enter it again without waiting.
///
/// Unchecked Sendable: the weak reference is set once, in the context's own initialiser; the rest never changes.
final class ContextExecutor: @unchecked Sendable {
    enum Kind: Sendable { case confinement(ThreadOwner), privateQueue(DispatchQueue), main }

    let kind: Kind
    /// Whose blocks these are, for messages.
    weak var context: NSManagedObjectContext?

    init(_ type: NSManagedObjectContextConcurrencyType) {
        kind = switch type {
        case .confinementConcurrencyType: .confinement(ThreadOwner())
        case .privateQueueConcurrencyType: .privateQueue(DispatchQueue(label: "CoreData.context"))
        case .mainQueueConcurrencyType: .main
        }
    }

    /// Whether the calling thread is inside one of this executor's blocks.
    var isCurrent: Bool {
        switch kind {
        case .confinement(let owner): owner.isCurrent
        case .main: MainQueue.isCurrent || HeldExecutors.current.contains(self)
        case .privateQueue: HeldExecutors.current.contains(self)
        }
    }

    func perform(_ block: @escaping () -> Void) {
        // The block crosses to the queue once and runs there alone; its captures are the caller's contract, as at Apple's.
        let box = UncheckedBox(DiagnosticTally.carried(block))
        switch kind {
        case .confinement: performConfined(block)
        case .main: DispatchQueue.main.async { HeldExecutors.current.hold(self) { box.value() } }
        case .privateQueue(let queue): queue.async { HeldExecutors.current.hold(self) { box.value() } }
        }
    }

    func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
        // Held even so: a request's execute() asks for the innermost context.
        if isCurrent { return try HeldExecutors.current.hold(self, block) }
        return try withoutActuallyEscaping(block) { block in
            // The caller waits, so the block runs before anything else of the caller's can.
            let box = UncheckedBox(block)
            return switch kind {
            case .confinement: try performConfined(block)
            case .main: try enterMain(box)
            case .privateQueue(let queue): try enter(queue, box)
            }
        }
    }

    private func enterMain<Result>(_ box: UncheckedBox<() throws -> Result>) throws -> Result {
        // The one block a waiting caller has run on another thread: what counts for the caller goes along.
        let tally = DiagnosticInterests.wanted.isEmpty ? nil : DiagnosticTally.current
        return try DispatchQueue.main.sync {
            try HeldExecutors.current.hold(self) { try DiagnosticTally.counting(for: tally, box.value) }
        }
    }

    /// A confined context has no queue to carry a block to its thread: only there it runs, and at once.
    private func performConfined<Result>(_ block: () throws -> Result) rethrows -> Result {
        guard isCurrent else {
            raise(.invalidArgument, "A block cannot be performed on another thread’s confined context: it has no queue that could carry "
                + "the block to \(expectation). Use a context with a private or the main queue.")
        }
        return try HeldExecutors.current.hold(self, block)
    }

    /// The block runs on the calling thread, where Dispatch then forgets that it was on the main queue: a block that needs
    /// main again, such as a save to a main-queue parent, would wait for itself.
    private func enter<Result>(_ queue: DispatchQueue, _ box: UncheckedBox<() throws -> Result>) throws -> Result {
        guard MainQueue.isCurrent else { return try queue.sync { try HeldExecutors.current.hold(self, box.value) } }
        return try queue.sync { try HeldExecutors.current.holdOnMain(self, box.value) }
    }
}
