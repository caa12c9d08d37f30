import Foundation

/// One run of the program: the table, and what was asked for beside it.
struct Session {
    private let options: Options

    private let begin = ContinuousClock.now

    init(_ options: Options) { self.options = options }

    func run() throws {
        let workloads = try chosen(), bench = try Bench()
        tell("\(options.rows) rows of 13 columns, medians of \(options.runs) runs; ns, allocations: a unit; peak: heap without SQLite's")
        tell(TableReport.head)
        let table = try measure(workloads, bench, rows: options.rows, runs: options.runs)
        let growth = options.showsGrowth ? try grow(bench, table) : []
        if options.isJSON { print(try JSONReport.text(table, growth, options)) }
        if let file = options.plot { try PlotReport.text(table, growth).write(toFile: file, atomically: true, encoding: .utf8) }
    }

    private func chosen() throws -> [any Workload] {
        let workloads = Catalogue.make().filter { options.filter.isEmpty || $0.name.contains(options.filter) }
        guard !workloads.isEmpty else { throw BenchmarkError("No workload's name contains “\(options.filter)”.") }
        return workloads
    }

    private func measure(_ workloads: [any Workload], _ bench: Bench, rows: Int, runs: Int) throws -> [Measurement] {
        var left = workloads, all: [Measurement] = []
        // Each is let go of, with all it holds, before the next begins.
        while !left.isEmpty {
            let measurements = try left.removeFirst().measure(bench, rows: rows, runs: runs)
            for measurement in measurements { tell(TableReport.line(measurement)) }
            all += measurements
        }
        return all
    }

    /// The same workloads at other numbers of rows; the table's own are not measured again. One that took too long is not tried
    /// with more. A million rows are long enough for few runs.
    private func grow(_ bench: Bench, _ table: [Measurement]) throws -> [Growth] {
        var all: [String: Growth] = [:], names: [String] = [], tooSlow: Set<String> = []
        func add(_ measurements: [Measurement], _ rows: Int) {
            for measurement in measurements {
                if all[measurement.name] == nil { names.append(measurement.name) }
                all[measurement.name, default: Growth(measurement.name)].add(measurement, rows: rows)
            }
        }
        for rows in Growth.sizes {
            bench.discardAll()
            tell("\n\(rows) rows")
            let runs = rows > 100_000 ? min(1, options.runs) : min(3, options.runs)
            for workload in try chosen() where workload.grows && !tooSlow.contains(workload.name) {
                if rows == options.rows {
                    add(table.filter { $0.name == workload.name }, rows)
                    continue
                }
                if let minutes = options.minutes, ContinuousClock.now - begin > .seconds(60 * minutes) { continue }
                let start = ContinuousClock.now
                add(try measure([workload], bench, rows: rows, runs: runs), rows)
                if ContinuousClock.now - start > .seconds(Growth.patience) { tooSlow.insert(workload.name) }
            }
        }
        let growth = names.compactMap { all[$0] }
        tell("\n" + TableReport.growthHead)
        for one in growth { tell(TableReport.line(one)) }
        return growth
    }

    private func tell(_ line: String) {
        if !options.isJSON { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
    }
}
