import Dispatch
import Glibc

/// What the current thread is doing for contexts: the executors whose blocks it is in.
final class HeldExecutors {
    private var held: [ContextExecutor] = []
    private var mainDepth = 0
    /// The thread itself. Its address is not used again while anybody holds it.
    let thread = ThreadIdentity()

    /// Whether the thread waits in a private queue's block for work that began on main.
    var isOnMain: Bool { mainDepth > 0 }

    func contains(_ executor: ContextExecutor) -> Bool { held.contains { $0 === executor } }

    var innermost: ContextExecutor? { held.last }

    func hold<Result, Failure: Error>(
        _ executor: ContextExecutor, _ block: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        held.append(executor)
        defer { held.removeLast() }
        return try block()
    }

    func holdOnMain<Result>(_ executor: ContextExecutor, _ block: () throws -> Result) rethrows -> Result {
        mainDepth += 1
        defer { mainDepth -= 1 }
        return try hold(executor, block)
    }

    /// One list a thread; the thread's end releases it.
    static var current: HeldExecutors {
        if let pointer = pthread_getspecific(key) { return Unmanaged<HeldExecutors>.fromOpaque(pointer).takeUnretainedValue() }
        let made = HeldExecutors()
        pthread_setspecific(key, Unmanaged.passRetained(made).toOpaque())
        return made
    }

    // The raw pointer is this class's own retained instance, set above, released by the destructor.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key) { pointer in
            if let pointer { Unmanaged<HeldExecutors>.fromOpaque(pointer).release() }
        }
        return key
    }()
}

/// One thread, told from those that come after it.
final class ThreadIdentity: Sendable {
    /// The calling thread in messages. Foundation cannot tell the name of a thread that has just begun.
    static var callerName: String {
        if Thread.isMainThread { return "the main thread" }
        let text = (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8))?.trimmingCharacters(in: .newlines) ?? ""
        return "the thread " + (text.isEmpty ? "\(pthread_self())" : "“\(text)”")
    }
}

/// “Main” is the main thread or the main queue: in an `async` program the main actor's code may run on either.
package enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    package static var isCurrent: Bool {
        Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true || HeldExecutors.current.isOnMain
    }
}
