/// Numbers threads, so that a stack can keep a context for each, and tells the stacks when a thread has ended.
///
/// Invariant: a number is never used again. A thread object's address may be; so an entry also holds the thread weakly.
///
/// Unchecked Sendable: every stored property is touched under `lock` only.
final class ThreadRegistry: @unchecked Sendable {
    static let shared = ThreadRegistry()

    private struct Entry {
        weak var thread: Thread?
        let number: UInt64
        /// How other threads hand work to it; known once the thread itself has asked for its context.
        var runLoop: RunLoop?
    }

    private struct Stack { weak var stack: NLCoreData? }

    private let lock = NSLock()
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var stacks: [Stack] = []
    private var last: UInt64 = 0
    private static let key = "NLCoreData.thread"

    /// The calling thread's number. The first call leaves a token with the thread that dies with it.
    func currentNumber() -> UInt64 {
        let thread = Thread.current
        if let token = thread.threadDictionary[Self.key] as? ThreadToken { return token.number }
        let number = number(of: thread, runLoop: RunLoop.current)
        thread.threadDictionary[Self.key] = ThreadToken(number)
        return number
    }

    /// Another thread's number.
    func number(of thread: Thread, runLoop: RunLoop? = nil) -> UInt64 {
        let key = ObjectIdentifier(thread)
        sweep()
        return lock.withLock {
            if var known = entries[key], known.thread === thread {
                if let runLoop {
                    known.runLoop = runLoop
                    entries[key] = known
                }
                return known.number
            }
            last += 1
            entries[key] = Entry(thread: thread, number: last, runLoop: runLoop)
            return last
        }
    }

    /// The run loop of a thread that has asked for its context; nil for the others.
    func runLoop(of thread: Thread) -> RunLoop? {
        lock.withLock {
            guard let known = entries[ObjectIdentifier(thread)], known.thread === thread else { return nil }
            return known.runLoop
        }
    }

    func add(_ stack: NLCoreData) {
        lock.withLock {
            stacks.removeAll { $0.stack == nil }
            stacks.append(Stack(stack: stack))
        }
    }

    /// Called by the token of a thread that has ended.
    func ended(_ number: UInt64) {
        lock.withLock { entries = entries.filter { $0.value.number != number } }
        forget([number])
    }

    /// Threads that ended without ever having called `currentNumber()`.
    private func sweep() {
        let gone = lock.withLock { () -> [UInt64] in
            let gone = entries.filter { $0.value.thread == nil || $0.value.thread?.isFinished == true }
            for key in gone.keys { entries[key] = nil }
            return gone.map(\.value.number)
        }
        if !gone.isEmpty { forget(gone) }
    }

    private func forget(_ numbers: [UInt64]) {
        for stack in lock.withLock({ stacks.compactMap(\.stack) }) { stack.forgetThreads(numbers) }
    }
}

/// Lies in a thread's dictionary.
final class ThreadToken {
    let number: UInt64
    init(_ number: UInt64) { self.number = number }
    deinit { ThreadRegistry.shared.ended(number) }
}
