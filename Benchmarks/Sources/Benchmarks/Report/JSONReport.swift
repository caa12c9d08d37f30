import Foundation

/// The same numbers for programs.
enum JSONReport {
    static func text(_ table: [Measurement], _ growth: [Growth], _ options: Options) throws -> String {
        var result: [String: Any] = ["rows": options.rows, "runs": options.runs, "workloads": table.map(object)]
        if !growth.isEmpty { result["growth"] = growth.map(object) }
        let data = try JSONSerialization.data(withJSONObject: result, options: [.prettyPrinted, .sortedKeys])
        return String(decoding: data, as: UTF8.self)
    }

    private static func object(_ measurement: Measurement) -> [String: Any] {
        var result: [String: Any] = [
            "name": measurement.name, "units": measurement.units, "runs": measurement.runs, "goal": measurement.goal.text,
            "engine": side(measurement.engine),
        ]
        result["raw"] = measurement.raw.map(side)
        result["ratio"] = measurement.ratio
        result["cpu_ratio"] = measurement.cpuRatio
        result["memory_ratio"] = measurement.memoryRatio
        result["is_met"] = measurement.goal.isMet(by: measurement)
        return result
    }

    private static func side(_ side: Measurement.Side) -> [String: Any] {
        var result: [String: Any] = ["ns_per_unit": side.time * 1e9]
        result["cpu_ns_per_unit"] = side.cpu.map { $0 * 1e9 }
        result["allocations_per_unit"] = side.allocations
        result["peak_bytes"] = side.peakMemory
        return result
    }

    private static func object(_ growth: Growth) -> [String: Any] {
        let points = growth.points.map { point in
            var result: [String: Any] = ["rows": point.rows, "engine_ns_per_unit": point.engine * 1e9]
            result["raw_ns_per_unit"] = point.raw.map { $0 * 1e9 }
            return result
        }
        var result: [String: Any] = ["name": growth.name, "points": points]
        result["beyond_raw"] = growth.excess
        return result
    }
}
