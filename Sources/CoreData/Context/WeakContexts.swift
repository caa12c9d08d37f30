import Foundation

/// Contexts by weak reference.
///
/// Unchecked Sendable: every access is under `lock`. No context is released under it: its `deinit` comes back here.
final class WeakContexts: @unchecked Sendable {
    private struct Entry {
        let identifier: ObjectIdentifier
        weak var context: NSManagedObjectContext?
    }

    private var entries: [Entry] = []
    private let lock = NSLock()

    func add(_ context: NSManagedObjectContext) {
        let entry = Entry(identifier: ObjectIdentifier(context), context: context)
        lock.withLock { entries.append(entry) }
    }

    func remove(_ context: NSManagedObjectContext) {
        let identifier = ObjectIdentifier(context)
        lock.withLock { entries.removeAll { $0.identifier == identifier } }
    }

    var all: [NSManagedObjectContext] { lock.withLock { entries.compactMap(\.context) } }
}
