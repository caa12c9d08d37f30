import Foundation
import NLCoreData

/// The answers, as text.
enum Report {
    /// Zones per continent and ocean: one count each, no zone is loaded.
    static func areas() throws -> String {
        var lines = ["Zones per continent and ocean"]
        for area in try Area.fetch(sortedBy: [SortDescriptor(\.name)]) {
            let kind = area is Continent ? "continent" : "ocean"
            lines.append("  \(padded(area.name, 12)) \(padded(kind, 10)) \(try Zone.count("area == %@", area))")
        }
        return lines.joined(separator: "\n")
    }

    /// Zones that more than four countries keep together.
    static func sharedZones() throws -> String {
        var lines = ["Zones that many countries share"]
        for zone in try Zone.fetch("countries.@count > %d", 4, sortedBy: [SortDescriptor(\.name)]) {
            let names = zone.countries.map(\.name).sorted()
            lines.append("  \(padded(zone.name, 22)) \(names.count) countries: \(names.prefix(4).joined(separator: ", ")), …")
        }
        return lines.joined(separator: "\n")
    }

    /// What time it is in the zones a predicate matches, earliest clock first.
    static func clocks(where condition: String, at now: Date = Date()) throws -> String {
        let zones = try Zone.fetch(condition, sortedBy: [SortDescriptor(\.name)])
        var lines = ["What time it is where \(condition)"]
        if zones.isEmpty { lines.append("  No zone matches.") }
        let clocks = zones.compactMap { zone in TimeZone(identifier: zone.name).map { (zone: zone, clock: $0) } }
        for (zone, clock) in clocks.sorted(by: { $0.clock.secondsFromGMT(for: now) < $1.clock.secondsFromGMT(for: now) }) {
            lines.append("  \(time(now, in: clock))  \(padded(zone.name, 32)) \(zone.country?.name ?? "")")
        }
        return lines.joined(separator: "\n")
    }

    private static func time(_ date: Date, in zone: TimeZone) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = zone
        formatter.dateFormat = "EEE HH:mm"
        return formatter.string(from: date)
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text.count >= width ? text : text + String(repeating: " ", count: width - text.count)
    }
}
