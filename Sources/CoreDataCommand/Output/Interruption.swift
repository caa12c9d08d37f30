import Dispatch
import Foundation

/// What must be put away when the process is told to end (SIGINT, SIGTERM, SIGHUP) in the middle of its work.
///
/// Invariant: what is guarded is finished under the lock, so that an interruption comes before that or after it. Unchecked, because
/// both variables are touched under the lock only.
package final class Interruption: @unchecked Sendable {
    package static let shared = Interruption()

    private let lock = NSLock()
    private var waiting: [Int: @Sendable () -> Void] = [:]
    private var sources: [any DispatchSourceSignal] = []

    /// From here on a signal first puts away what is guarded, then ends the process as it would have. Signals that whoever started
    /// the process has turned off (`nohup`) stay so.
    package func listen() {
        lock.withLock {
            for number in [SIGINT, SIGTERM, SIGHUP] {
                var former = sigaction()
                guard sigaction(number, nil, &former) == 0, former.__sigaction_handler.sa_handler == nil else { continue }
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInitiated))
                source.setEventHandler { [self] in end(by: number) }
                source.resume()
                sources.append(source)
            }
        }
    }

    /// Keeps the lock: nothing that is guarded comes to its end any more.
    private func end(by number: Int32) {
        lock.lock()
        for putAway in waiting.values { putAway() }
        signal(number, SIG_DFL)
        var mask = sigset_t()
        sigemptyset(&mask)
        sigaddset(&mask, number)
        pthread_sigmask(SIG_UNBLOCK, &mask, nil)
        pthread_kill(pthread_self(), number)
        _exit(128 + number)
    }

    /// Guards until `end(_:)` is called with the number this answers.
    func begin(_ putAway: @escaping @Sendable () -> Void) -> Int {
        lock.withLock {
            let number = (waiting.keys.max() ?? 0) + 1
            waiting[number] = putAway
            return number
        }
    }

    func end(_ number: Int) { lock.withLock { waiting[number] = nil } }

    /// Does `work`, then `finish`. `putAway` runs instead of `finish` when the process is interrupted before it, and after an error
    /// of either.
    func guarding<Made, Result>(
        putAway: @escaping @Sendable () -> Void, _ work: () throws -> Made, finish: (Made) throws -> Result
    ) throws -> Result {
        let number = begin(putAway)
        do {
            let made = try work()
            lock.lock()
            defer { lock.unlock() }
            let result = try finish(made)
            waiting[number] = nil
            return result
        } catch {
            lock.withLock { waiting[number] = nil }
            putAway()
            throw error
        }
    }
}
