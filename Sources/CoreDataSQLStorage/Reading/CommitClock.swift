import CoreDataSchema

/// Says whether rows that were read beside the store's own connection may still be put into the row cache: whether a change
/// became visible, or was about to, since.
///
/// Invariant: whoever changes rows calls `begin` before the change can be seen by others, and `end` once the row cache knows of it.
final class CommitClock: Sendable {
    private struct State {
        var count: UInt64 = 0
        var changing = 0
    }

    private let state = LockedValue(State())

    func begin() { state.withLock { $0.changing += 1 } }

    func end() {
        state.withLock { state in
            state.changing -= 1
            state.count += 1
        }
    }

    /// The time to compare with; nil while a change is becoming visible.
    var now: UInt64? { state.withLock { $0.changing == 0 ? $0.count : nil } }

    /// Runs `body` if nothing changed since; nothing can begin to change meanwhile.
    func ifStill(_ time: UInt64, _ body: () -> Bool) -> Bool {
        state.withLock { $0.changing == 0 && $0.count == time ? body() : false }
    }
}
