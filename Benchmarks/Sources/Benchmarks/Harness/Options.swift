/// The command line.
struct Options {
    var rows = 100_000
    var runs = 7
    var isJSON = false
    /// Only workloads whose name contains this.
    var filter = ""
    /// Whether the same is measured with 1,000 to 1,000,000 rows.
    var showsGrowth = false
    /// After so many minutes growth begins with no other workload.
    var minutes: Int?
    /// Where to draw what was measured.
    var plot: String?

    static let usage = "Usage: Benchmarks [--rows N] [--runs N] [--filter NAME] [--growth] [--minutes N] [--plot FILE.svg] [--json]"

    init(_ arguments: some Sequence<String>) throws {
        var arguments = arguments.makeIterator()
        while let argument = arguments.next() {
            func text() throws -> String {
                guard let text = arguments.next() else { throw BenchmarkError("\(argument) takes a value. \(Self.usage)") }
                return text
            }
            func number() throws -> Int {
                guard let value = Int(try text()), value > 0 else {
                    throw BenchmarkError("\(argument) takes a number above 0. \(Self.usage)")
                }
                return value
            }
            switch argument {
            case "--rows": rows = try number()
            case "--runs": runs = try number()
            case "--filter": filter = try text()
            case "--minutes": minutes = try number()
            case "--growth": showsGrowth = true
            case "--plot": plot = try text()
            case "--json": isJSON = true
            default: throw BenchmarkError("Unknown argument \(argument). \(Self.usage)")
            }
        }
    }
}
