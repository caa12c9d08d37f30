import Synchronization

/// What several threads add up.
final class Tally<Value: Sendable>: Sendable {
    private let stored: Mutex<[Value]>

    init() { stored = Mutex([]) }

    func add(_ values: [Value]) { stored.withLock { $0 += values } }
    var values: [Value] { stored.withLock { $0 } }
}
