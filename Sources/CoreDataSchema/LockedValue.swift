import Foundation

/// A value behind a lock: the one lock of this package.
///
/// Not a `Mutex`: on Linux that one is built of atomics and kernel calls which the thread sanitizer does not see, so that it
/// takes every use for a race. Public and inlinable because only then other modules specialise it.
///
/// Unchecked Sendable: the value is touched with the lock held only. The lock's storage does not move: it is allocated apart.
public final class LockedValue<Value>: @unchecked Sendable {
    @usableFromInline let lock: UnsafeMutablePointer<pthread_mutex_t>
    // Unchecked exclusivity: whoever came back here from inside would wait for itself before it could touch the value.
    @exclusivity(unchecked) @usableFromInline var value: Value

    @inlinable public init(_ value: consuming sending Value) {
        lock = .allocate(capacity: 1)
        lock.initialize(to: pthread_mutex_t())
        pthread_mutex_init(lock, nil)
        self.value = value
    }

    deinit {
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    /// Runs the closure with the lock held; it must not come back here.
    @inlinable public func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return try body(&value)
    }
}
