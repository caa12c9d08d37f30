/// What objects hold of their context: it outlives the context, so that an object that does too finds nil, not garbage.
///
/// Unchecked Sendable: `context` is written once at the start and once in the context's `deinit`, when no call into it can
/// be under way, since every caller holds it.
package final class ContextAnchor: @unchecked Sendable {
    // Unretained: the context clears it in its deinit, before its memory goes.
    private var reference: Unmanaged<NSManagedObjectContext>?

    init(_ context: NSManagedObjectContext) { reference = Unmanaged.passUnretained(context) }

    package var context: NSManagedObjectContext? {
        @inline(__always) get { reference?.takeUnretainedValue() }
    }

    func clear() { reference = nil }
}
