/// What objects hold of their context: it outlives the context, so that an object that does too finds nil, not garbage.
///
/// Unchecked Sendable: everything is written once at the start and once in the context's `deinit`, when no call into it can
/// be under way, since every caller holds it.
package final class ContextAnchor: @unchecked Sendable {
    // Unretained: the context clears it in its deinit, before its memory goes.
    private var reference: Unmanaged<NSManagedObjectContext>?
    /// The stores of a context that is gone: an ID made after its end still names its own (ID05).
    private var stores: [FormerStore] = []

    /// Whether the context that is gone wanted inaccessible faults to stop the program; nil while it lives.
    private(set) var raisesForInaccessibleFaults: Bool?

    init(_ context: NSManagedObjectContext) { reference = Unmanaged.passUnretained(context) }

    package var context: NSManagedObjectContext? {
        @inline(__always) get { reference?.takeUnretainedValue() }
    }

    func clear(leaving stores: [NSPersistentStore], raisesForInaccessibleFaults: Bool) {
        self.raisesForInaccessibleFaults = raisesForInaccessibleFaults
        self.stores = stores.map { FormerStore(number: $0.rowStore.number, identifier: $0.identifier, store: $0) }
        reference = nil
    }

    func formerStore(number: Int32) -> FormerStore? { stores.first { $0.number == number } }

    struct FormerStore {
        let number: Int32
        let identifier: String?
        weak var store: NSPersistentStore?
    }
}
