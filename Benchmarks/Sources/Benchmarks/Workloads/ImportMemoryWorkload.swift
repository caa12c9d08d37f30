import CoreData

/// The same import's peak memory: it must not grow with the rows. The twin's column is a tenth of the batches.
final class ImportMemoryWorkload: Workload {
    let name = "memory of an import"

    func measure(_ bench: Bench, rows: Int, runs: Int) throws -> [Measurement] {
        let batch = Sample.make(max(1, rows / 10))
        let few = try peak(bench, batch, batches: 10), many = try peak(bench, batch, batches: 100)
        return [Measurement(name: name, goal: .memory(1.1), units: batch.count * 100, runs: 1, raw: few, engine: many)]
    }

    private func peak(_ bench: Bench, _ batch: [Sample], batches: Int) throws -> Measurement.Side {
        bench.discardCopies()
        let store = try Engine(store: bench.copy(.empty, rows: 0), model: bench.model)
        var cost = Cost()
        let peak = try PeakMemory.of {
            cost = try Cost.of {
                for _ in 0..<batches { try store.insertAndForget(batch) }
            }
        }
        return .init([cost], units: batch.count * batches, peakMemory: peak)
    }
}
