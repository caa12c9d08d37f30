import Foundation

/// One run of the program: the table, and what was asked for beside it.
struct Session {
    private let options: Options

    init(_ options: Options) { self.options = options }

    func run() throws {
        let workloads = try chosen(), bench = try Bench()
        tell("\(options.rows) rows of 13 columns, medians of \(options.runs) runs; ns, allocations: a unit; peak: heap without SQLite's")
        tell(TableReport.head)
        let table = try measure(workloads, bench, rows: options.rows)
        let growth = options.showsGrowth ? try grow(bench) : []
        if options.isJSON { print(try JSONReport.text(table, growth, options)) }
        if let file = options.plot { try PlotReport.text(table, growth).write(toFile: file, atomically: true, encoding: .utf8) }
    }

    private func chosen() throws -> [any Workload] {
        let workloads = Catalogue.make().filter { options.filter.isEmpty || $0.name.contains(options.filter) }
        guard !workloads.isEmpty else { throw BenchmarkError("No workload's name contains “\(options.filter)”.") }
        return workloads
    }

    private func measure(_ workloads: [any Workload], _ bench: Bench, rows: Int) throws -> [Measurement] {
        var left = workloads, all: [Measurement] = []
        // Each is let go of, with all it holds, before the next begins.
        while !left.isEmpty {
            let measurements = try left.removeFirst().measure(bench, rows: rows, runs: options.runs)
            for measurement in measurements { tell(TableReport.line(measurement)) }
            all += measurements
        }
        return all
    }

    /// The same workloads at other numbers of rows. One that took too long is not tried with more.
    private func grow(_ bench: Bench) throws -> [Growth] {
        var all: [String: Growth] = [:], names: [String] = [], tooSlow: Set<String> = []
        for rows in Growth.sizes {
            bench.discardAll()
            tell("\n\(rows) rows")
            for workload in try chosen() where workload.grows && !tooSlow.contains(workload.name) {
                let (name, start) = (workload.name, ContinuousClock.now)
                for measurement in try measure([workload], bench, rows: rows) {
                    all[name, default: Growth(name)].add(measurement, rows: rows)
                }
                if !names.contains(name) { names.append(name) }
                if ContinuousClock.now - start > .seconds(60) { tooSlow.insert(name) }
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
