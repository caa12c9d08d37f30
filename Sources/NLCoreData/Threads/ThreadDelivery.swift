import Dispatch

/// Hands work to a thread: through the main queue, or through the run loop of a thread that has asked for its context.
///
/// Invariant: never waits without an end. A thread that takes nothing within the timeout is reported, and what was handed
/// to it is then never run.
struct ThreadDelivery {
    let thread: Thread
    let timeout: TimeInterval

    private var isMain: Bool { thread.isMainThread || thread === Thread.main }
    /// Whether the caller is on the thread already.
    var isHere: Bool { isMain ? Main.isCurrent : thread === Thread.current }

    /// Waits until the thread takes work. Throws `NLCoreDataError.threadDoesNotAnswer` when it does not in time.
    func probe() throws {
        if isHere { return }
        let answered = DispatchSemaphore(value: 0)
        let claim = Claim()
        let timer = try post { if claim.take() { answered.signal() } }
        if answered.wait(timeout: .now() + timeout) == .timedOut, claim.take() {
            timer?.invalidate()
            throw failure
        }
    }

    /// As `probe()`, without holding a thread meanwhile.
    func probe() async throws { try await run {} }

    /// Runs the block on the thread and waits for its end. Once the thread has taken it, the wait is as long as the block.
    func runAndWait(_ block: @escaping () -> Void) throws {
        if isHere { return block() }
        let taken = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
        let claim = Claim()
        let timer = try post {
            guard claim.take() else { return }
            taken.signal()
            block()
            done.signal()
        }
        if taken.wait(timeout: .now() + timeout) == .timedOut, claim.take() {
            timer?.invalidate()
            throw failure
        }
        done.wait()
    }

    /// Runs the block on the thread and returns after it has run.
    func run(_ block: @escaping () -> Void) async throws {
        if isHere { return block() }
        let work = Handover(block)
        let delivery = Handover(self)
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let claim = Claim()
            do {
                _ = try delivery.value.post {
                    guard claim.take() else { return }
                    work.value()
                    continuation.resume()
                }
                DispatchQueue.global().asyncAfter(deadline: .now() + timeout) {
                    if claim.take() { continuation.resume(throwing: delivery.value.failure) }
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    /// Leaves the block with the thread. Returns the timer that carries it, if one does.
    @discardableResult
    func post(_ block: @escaping () -> Void) throws -> Timer? {
        let work = Handover(block)
        if isMain {
            DispatchQueue.main.async { work.value() }
            return nil
        }
        guard !thread.isFinished, !thread.isCancelled || thread.isExecuting,
              let runLoop = ThreadRegistry.shared.runLoop(of: thread)
        else { throw failure }
        // Adding a timer wakes a sleeping run loop; a block given to `perform` would wait for something else to.
        let timer = Timer(timeInterval: 0, repeats: false) { _ in work.value() }
        runLoop.add(timer, forMode: .common)
        return timer
    }

    private var failure: NLCoreDataError {
        // Another thread's name cannot be asked for on Linux: it gives one's own.
        .threadDoesNotAnswer(name: isMain ? "main thread" : "thread", seconds: timeout)
    }
}

/// Decides between a thread that takes work late and a caller that has given up: one of them gets true, once.
///
/// Unchecked Sendable: `isTaken` is touched under `lock` only.
private final class Claim: @unchecked Sendable {
    private let lock = NSLock()
    private var isTaken = false

    func take() -> Bool {
        lock.withLock {
            defer { isTaken = true }
            return !isTaken
        }
    }
}

/// Carries a value to another thread.
///
/// Unchecked Sendable: whoever makes one does not touch the value again before the other side is done with it.
struct Handover<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
