import Foundation

/// A value behind a lock that work is done under.
///
/// Not a `Mutex`: on Linux a waiter gets that one from the kernel, which the thread sanitizer does not see, so that it
/// takes contended use for a race. Unchecked Sendable: the value is touched with the lock held only.
final class LockedValue<Value: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
