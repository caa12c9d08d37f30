/// What a workload came to.
struct Measurement {
    /// One side: medians of its runs, by unit.
    struct Side {
        /// Seconds a unit.
        var time: Double
        /// Seconds of processor time a unit; nil where threads made it meaningless.
        var cpu: Double?
        /// nil where threads made it meaningless.
        var allocations: Double?
        /// Bytes, in all.
        var peakMemory: Int?

        init(time: Double, cpu: Double? = nil, allocations: Double? = nil, peakMemory: Int? = nil) {
            (self.time, self.cpu, self.allocations, self.peakMemory) = (time, cpu, allocations, peakMemory)
        }

        init(_ costs: [Cost], units: Int, peakMemory: Int? = nil) {
            time = costs.map(\.wall).median / Double(units)
            cpu = costs.map(\.cpu).median / Double(units)
            allocations = costs.map { Double($0.allocations) }.median / Double(units)
            self.peakMemory = peakMemory
        }
    }

    let name: String
    let goal: Goal
    /// Rows, requests or edits in a run.
    let units: Int
    let runs: Int
    /// nil where there is nothing to compare with.
    var raw: Side?
    var engine: Side

    var ratio: Double? { raw.map { engine.time / $0.time } }
    var cpuRatio: Double? { raw?.cpu.flatMap { raw in engine.cpu.map { $0 / raw } } }
    var memoryRatio: Double? {
        guard let raw = raw?.peakMemory, let engine = engine.peakMemory, raw > 0 else { return nil }
        return Double(engine) / Double(raw)
    }

    /// The ratio the goal is about.
    var goalRatio: Double? {
        if case .memory = goal { return memoryRatio }
        return ratio
    }
}

extension [Double] {
    /// The upper one of two.
    var median: Double { sorted()[count / 2] }
}
