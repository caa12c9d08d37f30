/// What object IDs hold of their store: one weak reference for all of them, which costs several times what a strong one does.
///
/// Unchecked Sendable: the reference is set once, by the store's own initialiser, and only ever cleared, by the runtime.
final class StoreAnchor: @unchecked Sendable {
    weak var store: NSPersistentStore?
}
