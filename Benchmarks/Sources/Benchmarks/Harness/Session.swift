import Foundation

/// One run of the program.
struct Session {
    private let options: Options

    init(_ options: Options) { self.options = options }

    func run() throws {
        let measurements = try measure(rows: options.rows) { line in
            if !options.isJSON { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
        }
        if options.isJSON { print(try JSONReport.text(measurements)) }
    }

    private func measure(rows: Int, _ tell: (String) -> Void) throws -> [Measurement] {
        let bench = try Bench()
        var workloads = Catalogue.make().filter { options.filter.isEmpty || $0.name.contains(options.filter) }
        guard !workloads.isEmpty else { throw BenchmarkError("No workload's name contains “\(options.filter)”.") }
        tell("\(rows) rows of 13 columns, medians of \(options.runs) runs; ns, allocations: a unit; peak: heap without SQLite's")
        tell(TableReport.head)
        var all: [Measurement] = []
        // Each is let go of, with all it holds, before the next begins.
        while !workloads.isEmpty {
            let measurements = try workloads.removeFirst().measure(bench, rows: rows, runs: options.runs)
            for measurement in measurements { tell(TableReport.line(measurement)) }
            all += measurements
        }
        return all
    }
}
