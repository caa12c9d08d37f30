import CoreDataSchema

/// What objects hold of their context: it outlives the context, so that an object that does too finds nil, not garbage.
///
/// The reference is weak, and not cleared by the context's end: an object may be asked on one thread while its context ends
/// on another.
///
/// Unchecked Sendable: the weak reference is set once, in the context's own initialiser; the rest is under a lock.
package final class ContextAnchor: @unchecked Sendable {
    // Unchecked exclusivity: set once, in the context's own initialiser.
    @exclusivity(unchecked) package private(set) weak var context: NSManagedObjectContext?
    private let legacy = LockedValue<Legacy?>(nil)

    init(_ context: NSManagedObjectContext) { self.context = context }

    func leave(_ stores: [NSPersistentStore], raisesForInaccessibleFaults: Bool) {
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
