import Foundation

/// The table people read.
enum TableReport {
    static let head = "".padding(toLength: 30, withPad: " ", startingAt: 0)
        + "    units       raw ns      ours ns    ratio      CPU           goal      allocs raw/ours   peak KB raw/ours"

    static func line(_ measurement: Measurement) -> String {
        let (raw, engine) = (measurement.raw, measurement.engine)
        let columns = [
            String(format: "%8d", measurement.units), number(raw.map { $0.time * 1e9 }, "%12.0f"), number(engine.time * 1e9, "%12.0f"),
            number(measurement.goalRatio, "%7.2f×"), number(measurement.cpuRatio, "%7.2f×"), goal(measurement),
            number(raw?.allocations, "%9.1f") + number(engine.allocations, "/%-9.1f"),
            number(raw?.peakMemory.map { Double($0) / 1024 }, "%8.0f") + number(engine.peakMemory.map { Double($0) / 1024 }, "/%-8.0f"),
        ]
        return measurement.name.padding(toLength: 30, withPad: " ", startingAt: 0) + " " + columns.joined(separator: " ")
    }

    private static func goal(_ measurement: Measurement) -> String {
        let mark = measurement.goal.isMet(by: measurement).map { $0 ? " met" : " ---" } ?? "    "
        let text = measurement.goal.text
        return String(repeating: " ", count: max(0, 14 - text.count)) + text + mark
    }

    private static func number(_ value: Double?, _ format: String) -> String {
        let width = String(format: format, 0.0).count
        guard let value else { return String(repeating: " ", count: width - 1) + "–" }
        return String(format: format, value)
    }

    // MARK: Growth

    static let growthHead = "Growth, ns a unit".padding(toLength: 30, withPad: " ", startingAt: 0)
        + Growth.sizes.map { String(format: "%12d", $0) }.joined() + "   raw grows  ours grows  beyond raw (≤ \(Growth.limit))"

    static func line(_ growth: Growth) -> String {
        let times = Growth.sizes.map { size in
            number(growth.points.first { $0.rows == size }.map { $0.engine * 1e9 }, "%12.0f")
        }
        let factors = [growth.factor { $0.raw }, growth.factor { $0.engine }, growth.excess].map { number($0, "%10.2f×") }
        return growth.name.padding(toLength: 30, withPad: " ", startingAt: 0) + times.joined() + " " + factors.joined(separator: " ")
    }
}
