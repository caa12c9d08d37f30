import Foundation
import Synchronization

/// Threads of the program's own: a pool would start no more of them than there are cores.
enum Threads {
    /// Calls the body once on each of so many threads and waits; throws what one of them threw first.
    static func run(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
        let group = DispatchGroup(), failed = FirstError()
        for number in 0..<count {
            group.enter()
            Thread {
                do { try body(number) } catch { failed.note(error) }
                group.leave()
            }.start()
        }
        group.wait()
        if let error = failed.error { throw error }
    }

    private final class FirstError: Sendable {
        private let noted = Mutex<(any Error)?>(nil)

        var error: (any Error)? { noted.withLock { $0 } }

        func note(_ error: any Error) { noted.withLock { $0 = $0 ?? error } }
    }
}
