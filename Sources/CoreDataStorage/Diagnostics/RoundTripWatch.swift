/// Reports the calls of a store that speaks no SQL.
package struct RoundTripWatch: Sendable {
    private let reporter: StoreReporter?

    package init(_ reporter: StoreReporter?) { self.reporter = reporter }

    package var isOn: Bool { reporter != nil && !DiagnosticInterests.wanted.isDisjoint(with: [.roundTrips, .transactions]) }

    /// A call that reads rows; `rows` says how many, nil when the row cache had the answer.
    package func read<Result>(_ call: StoreCall, rows: (Result) -> Int?, _ body: () throws -> Result) throws -> Result {
        guard isOn else { return try body() }
        let start = RowClock.now
        let result = try body()
        if let count = rows(result) { report(call, since: start) { $0.rowsRead = count } }
        return result
    }

    package func commit(_ batch: ChangeBatch, _ body: () throws -> CommitOutcome) throws -> CommitOutcome {
        guard isOn, !batch.isEmpty else { return try body() }
        let start = RowClock.now
        var isCommitted = false
        defer {
            let seconds = RowClock.now - start
            if DiagnosticInterests.wanted.contains(.transactions) {
                reporter?(.transaction(TransactionReport(of: batch, isCommitted: isCommitted, seconds: seconds)))
            }
            report(.commit, since: start) { $0.rowsWritten = isCommitted ? batch.rowCount : 0 }
        }
        let outcome = try body()
        if case .committed = outcome { isCommitted = true }
        return outcome
    }

    private func report(_ call: StoreCall, since start: Double, _ fill: (inout RoundTripReport) -> Void) {
        guard let reporter, DiagnosticInterests.wanted.contains(.roundTrips) else { return }
        var trip = RoundTripReport(call: call, seconds: RowClock.now - start)
        fill(&trip)
        reporter(.roundTrip(trip))
    }
}
