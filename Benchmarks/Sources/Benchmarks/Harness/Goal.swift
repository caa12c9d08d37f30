import Foundation

/// What is asked of a workload.
enum Goal {
    /// At most so many times the raw twin's time.
    case ratio(Double)
    /// At most so many times the raw twin's peak memory.
    case memory(Double)
    /// At most so many microseconds a unit, whatever a twin would take.
    case microseconds(Double)
    /// At most so many milliseconds above the raw twin's time, a unit.
    case extraMilliseconds(Double)
    /// Measured for comparison only.
    case none

    var text: String {
        switch self {
        case .ratio(let limit): String(format: "≤ %g×", limit)
        case .memory(let limit): String(format: "≤ %g× memory", limit)
        case .microseconds(let limit): String(format: "≤ %g µs", limit)
        case .extraMilliseconds(let limit): String(format: "≤ %g ms more", limit)
        case .none: "–"
        }
    }

    /// nil where nothing is asked.
    func isMet(by measurement: Measurement) -> Bool? {
        switch self {
        case .ratio(let limit): measurement.ratio.map { $0 <= limit }
        case .memory(let limit): measurement.memoryRatio.map { $0 <= limit }
        case .microseconds(let limit): measurement.engine.time * 1e6 <= limit
        case .extraMilliseconds(let limit): measurement.raw.map { (measurement.engine.time - $0.time) * 1e3 <= limit }
        case .none: nil
        }
    }
}
