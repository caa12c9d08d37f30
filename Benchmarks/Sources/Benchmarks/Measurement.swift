import AllocationCount
import Foundation

/// What one run of one side took.
struct Cost {
    /// Seconds on the clock.
    var wall = 0.0
    /// Seconds of processor time of the whole process: steadier where the machine has other work.
    var cpu = 0.0
    var allocations = 0

    static func + (left: Cost, right: Cost) -> Cost {
        Cost(wall: left.wall + right.wall, cpu: left.cpu + right.cpu, allocations: left.allocations + right.allocations)
    }

    static func of(_ body: () throws -> Void) rethrows -> Cost {
        let clock = ContinuousClock()
        let (start, cpu, allocations) = (clock.now, processorTime(), allocation_count())
        try body()
        let (seconds, attoseconds) = (clock.now - start).components
        return Cost(
            wall: Double(seconds) + Double(attoseconds) * 1e-18, cpu: processorTime() - cpu,
            allocations: Int(allocation_count() - allocations))
    }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

/// Costs of one workload on both sides, taken alternately.
struct Measurement {
    let name: String
    let rows: Int
    /// What the engine may cost at most, against the raw twin; nil where no limit is set.
    var target: Double?
    var raw: [Cost] = []
    var engine: [Cost] = []

    init(_ name: String, rows: Int, target: Double? = nil) {
        self.name = name
        self.rows = rows
        self.target = target
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    private func perRow(_ costs: [Cost], _ part: (Cost) -> Double) -> Double { Self.median(costs.map(part)) / Double(rows) }

    private func ratio(_ part: (Cost) -> Double) -> Double { perRow(engine, part) / perRow(raw, part) }

    static let head = "".padding(toLength: 32, withPad: " ", startingAt: 0) + "raw ns/row  ours ns/row   ratio  CPU ratio  target  raw allocs/row  ours"

    var line: String {
        let columns = [
            String(format: "%10.0f", perRow(raw) { $0.wall } * 1e9), String(format: "%11.0f", perRow(engine) { $0.wall } * 1e9),
            String(format: "%5.2f×", ratio { $0.wall }), String(format: "%8.2f×", ratio { $0.cpu }),
            target.map { String(format: "%5.1f×", $0) } ?? "     –",
            String(format: "%14.1f", perRow(raw) { Double($0.allocations) }),
            String(format: "%4.1f", perRow(engine) { Double($0.allocations) }),
        ]
        return name.padding(toLength: 32, withPad: " ", startingAt: 0) + columns.joined(separator: "  ")
    }

    var json: [String: Any] {
        func side(_ costs: [Cost]) -> [String: Any] {
            [
                "wall_ns_per_row": perRow(costs) { $0.wall } * 1e9, "cpu_ns_per_row": perRow(costs) { $0.cpu } * 1e9,
                "allocations_per_row": perRow(costs) { Double($0.allocations) },
            ]
        }
        var result: [String: Any] = [
            "name": name, "rows": rows, "runs": raw.count, "raw": side(raw), "engine": side(engine),
            "wall_ratio": ratio { $0.wall }, "cpu_ratio": ratio { $0.cpu },
        ]
        if let target { result["target_ratio"] = target }
        return result
    }
}
