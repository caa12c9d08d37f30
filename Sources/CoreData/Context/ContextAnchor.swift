import CoreDataSchema
import CoreDataStorage
import Synchronization

/// What objects hold of their context: it outlives the context, so that an object that does too finds nil, not garbage.
///
/// The reference is weak, and not cleared by the context's end: an object may be asked on one thread while its context ends
/// on another.
///
/// Unchecked Sendable: the weak reference is set once, in the context's own initialiser; `lastCache` is for the context's queue; the
/// rest is atomic or under a lock.
package final class ContextAnchor: @unchecked Sendable {
    // Unchecked exclusivity: set once, in the context's own initialiser.
    @exclusivity(unchecked) package private(set) weak var context: NSManagedObjectContext?
    private let legacy = LockedValue<Legacy?>(nil)
    /// The row cache asked last, by its store's number, of a context whose rows do not become stale: here, because reaching the context
    /// by a weak reference is most of what firing a fault costs. On the context's queue only.
    @exclusivity(unchecked) var lastCache: (store: Int32, cache: RowCache)?
    private let isAlive = Atomic<Bool>(true)

    init(_ context: NSManagedObjectContext) { self.context = context }

    /// Whether a row is known to be its store's newest; false where the context must be asked.
    func knowsNewest(_ row: RowBlock, ofStore number: Int32) -> Bool {
        guard isAlive.load(ordering: .acquiring), let lastCache, lastCache.store == number else { return false }
        let generation = row.generation
        return generation != 0 && generation == lastCache.cache.generation
    }

    func leave(_ stores: [NSPersistentStore], raisesForInaccessibleFaults: Bool) {
        isAlive.store(false, ordering: .releasing)
        let former = stores.map { FormerStore(number: $0.rowStore.number, identifier: $0.identifier, store: $0) }
        legacy.withLock { $0 = Legacy(stores: former, raisesForInaccessibleFaults: raisesForInaccessibleFaults) }
    }

    func formerStore(number: Int32) -> FormerStore? { legacy.withLock { $0?.stores.first { $0.number == number } } }

    /// Whether the context that is gone wanted inaccessible faults to stop the program; nil while it lives.
    var raisesForInaccessibleFaults: Bool? { legacy.withLock { $0?.raisesForInaccessibleFaults } }

    /// What a context that is gone left behind.
    private struct Legacy {
        /// An ID made after the context's end still names its store (ID05).
        let stores: [FormerStore]
        let raisesForInaccessibleFaults: Bool
    }

    struct FormerStore {
        let number: Int32
        let identifier: String?
        weak var store: NSPersistentStore?
    }
}
