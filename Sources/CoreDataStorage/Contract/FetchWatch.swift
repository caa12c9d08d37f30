import CoreDataSchema
import Foundation

/// Lets somebody on another thread follow and stop a fetch while a store answers it.
package final class FetchWatch: Sendable {
    private struct State {
        var isCancelled = false
        var interrupt: (@Sendable () -> Void)?
    }

    private let state = LockedValue(State())
    private let report: @Sendable (Int) -> Void

    /// `report` is told now and then how many rows were read, on the thread that reads them.
    package init(report: @escaping @Sendable (Int) -> Void) { self.report = report }

    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Has the fetch end with `CocoaError.userCancelled`, at once when a store is at work on it.
    package func cancel() {
        state.withLock { state in
            state.isCancelled = true
            state.interrupt?()
        }
    }

    /// Throws when the fetch was cancelled.
    package func check() throws {
        if isCancelled { throw CocoaError(.userCancelled) }
    }

    /// Runs a store's work. `interrupt` makes it fail, and is called under the watch's lock: never after the work is done.
    package func watching<Result>(interrupt: @escaping @Sendable () -> Void, _ work: () throws -> Result) throws -> Result {
        state.withLock { $0.interrupt = interrupt }
        defer { state.withLock { $0.interrupt = nil } }
        try check()
        do { return try work() } catch {
            try check()
            throw error
        }
    }

    /// To be called after each row: looks up now and then.
    @inline(__always)
    package func advance(to rows: Int) throws {
        if rows & 63 == 0 { try pause(rows) }
    }

    private func pause(_ rows: Int) throws {
        try check()
        report(rows)
    }
}
