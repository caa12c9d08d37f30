/// One workload at several numbers of rows.
struct Growth {
    struct Point {
        let rows: Int
        /// Seconds a unit; nil without a twin.
        let raw: Double?
        let engine: Double
    }

    static let sizes = [1_000, 10_000, 100_000, 1_000_000]
    /// Ours may grow so much more than SQLite itself from 10,000 rows on.
    static let limit = 1.2
    /// Seconds after which a workload is not tried with more rows.
    static let patience = 15.0

    let name: String
    private(set) var points: [Point] = []

    init(_ name: String) { self.name = name }

    mutating func add(_ measurement: Measurement, rows: Int) {
        points.append(Point(rows: rows, raw: measurement.raw?.time, engine: measurement.engine.time))
    }

    /// How much more time a unit takes among the most rows than among 10,000; nil if one of the two is missing.
    func factor(_ side: (Point) -> Double?) -> Double? {
        guard let first = points.first(where: { $0.rows == 10_000 }), let last = points.last, last.rows > first.rows,
            let start = side(first), let end = side(last)
        else { return nil }
        return end / start
    }

    /// The engine's factor, less what SQLite itself loses.
    var excess: Double? {
        guard let engine = factor({ $0.engine }) else { return nil }
        return engine / max(1, factor { $0.raw } ?? 1)
    }
}
