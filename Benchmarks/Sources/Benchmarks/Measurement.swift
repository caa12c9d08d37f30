import Foundation

/// Times of one workload on both sides, taken alternately.
struct Measurement {
    let name: String
    let rows: Int
    var raw: [Double] = []
    var engine: [Double] = []

    static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    var rawPerRow: Double { Self.median(raw) / Double(rows) * 1e9 }
    var enginePerRow: Double { Self.median(engine) / Double(rows) * 1e9 }
    var ratio: Double { enginePerRow / rawPerRow }

    var line: String {
        let columns = [String(format: "%8.0f", rawPerRow), String(format: "%8.0f", enginePerRow), String(format: "%6.2f×", ratio)]
        return name.padding(toLength: 34, withPad: " ", startingAt: 0) + columns.joined(separator: "  ")
    }

    var json: [String: Any] {
        ["name": name, "rows": rows, "raw_ns_per_row": rawPerRow, "engine_ns_per_row": enginePerRow, "ratio": ratio]
    }

    /// Seconds the body takes.
    static func time(_ body: () throws -> Void) rethrows -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try body()
        let (seconds, attoseconds) = (clock.now - start).components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }
}
