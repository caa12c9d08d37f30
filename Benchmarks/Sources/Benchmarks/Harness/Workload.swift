/// One or several lines of the table.
protocol Workload: AnyObject {
    var name: String { get }
    /// Whether a unit's time should stay the same with any number of rows, so that it is worth measuring.
    var grows: Bool { get }
    func measure(_ bench: Bench, rows: Int, runs: Int) throws -> [Measurement]
}

extension Workload {
    var grows: Bool { false }
}

/// The same work done by both sides in turn, on files of the same content.
protocol PairedWorkload: Workload {
    var goal: Goal { get }
    /// What does not change from run to run; answers how many rows, requests or edits one run is.
    func setUp(_ bench: Bench, rows: Int) throws -> Int
    /// Puts both sides where a run starts. Not timed.
    func prepare(_ bench: Bench) throws
    func raw() throws
    func engine() throws
    /// What the two found, or left in their files: must be equal. Not timed.
    func results() throws -> (raw: Digest, engine: Digest)
}

extension PairedWorkload {
    var grows: Bool { true }

    /// Runs alternate which side goes first. One more run each, not timed, follows the memory.
    func measure(_ bench: Bench, rows: Int, runs: Int) throws -> [Measurement] {
        let units = try setUp(bench, rows: rows)
        var (rawCosts, engineCosts): ([Cost], [Cost]) = ([], [])
        for run in 0..<runs {
            bench.discardCopies()
            try prepare(bench)
            if run.isMultiple(of: 2) {
                rawCosts.append(try Cost.of(raw))
                engineCosts.append(try Cost.of(engine))
            } else {
                engineCosts.append(try Cost.of(engine))
                rawCosts.append(try Cost.of(raw))
            }
            try compare()
        }
        bench.discardCopies()
        try prepare(bench)
        let (rawPeak, enginePeak) = (try PeakMemory.of(raw), try PeakMemory.of(engine))
        return [
            Measurement(
                name: name, goal: goal, units: units, runs: runs, raw: .init(rawCosts, units: units, peakMemory: rawPeak),
                engine: .init(engineCosts, units: units, peakMemory: enginePeak))
        ]
    }

    private func compare() throws {
        let results = try results()
        guard results.raw == results.engine else {
            throw BenchmarkError("\(name): raw SQLite came to \(results.raw), Core Data to \(results.engine).")
        }
    }
}
