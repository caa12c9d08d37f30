import CoreDataSchema
import CoreDataStorage

/// The counts of one `counting` block.
///
/// Invariant: after `finish` it takes nothing any more. One inside another counts for both.
final class DiagnosticTally: Sendable {
    /// Of the thread or task; `perform` takes it along.
    @TaskLocal static var current: DiagnosticTally?

    static let interests: DiagnosticInterests = [
        .roundTrips, .tableScans, .faults, .evaluations, .conflicts, .saves, .transactions,
    ]

    private struct State {
        var counts = CoreDataDiagnostics.Counts()
        var isFinished = false
    }

    private let state = LockedValue(State())
    private let outer = DiagnosticTally.current

    /// Listens: to a coordinator, or only so that what the block does is reported at all.
    func start(of coordinator: NSPersistentStoreCoordinator?) -> CoreDataDiagnostics.Observation {
        let handler: DiagnosticHub.Handler? = if coordinator == nil { nil } else { { @Sendable [self] event in count(event) } }
        return CoreDataDiagnostics.Observation(DiagnosticHub.shared.add(Self.interests, of: coordinator, handler))
    }

    func finish() -> CoreDataDiagnostics.Counts {
        state.withLock { state in
            state.isFinished = true
            return state.counts
        }
    }

    /// Counts an event of the block, and of the blocks around it.
    func add(_ event: CoreDataDiagnostics.Event) {
        count(event)
        outer?.add(event)
    }

    private func count(_ event: CoreDataDiagnostics.Event) {
        state.withLock { state in
            if !state.isFinished { state.counts.add(event) }
        }
    }

    /// The block, counting for the caller wherever it runs; the block itself while nobody counts.
    static func carried(_ block: @escaping () -> Void) -> () -> Void {
        if DiagnosticInterests.wanted.isEmpty { return block }
        guard let tally = current else { return block }
        return { $current.withValue(tally, operation: block) }
    }

    /// Runs the block now, counting for `tally` if there is one.
    static func counting<Result>(for tally: DiagnosticTally?, _ block: () throws -> Result) rethrows -> Result {
        guard let tally else { return try block() }
        return try $current.withValue(tally, operation: block)
    }
}

extension CoreDataDiagnostics.Counts {
    fileprivate mutating func add(_ event: CoreDataDiagnostics.Event) {
        switch event {
        case .roundTrip(let trip):
            roundTrips += 1
            statements += trip.statements
            rowsRead += trip.rowsRead
            rowsWritten += trip.rowsWritten
        case .tableScan: fullScans += 1
        case .evaluation: evaluationsOutsideSQL += 1
        case .fault: faultsFired += 1
        case .conflict: conflicts += 1
        case .save: saves += 1
        case .transaction: transactions += 1
        case .statement, .unreadableValue, .lostChange: break
        }
    }
}
