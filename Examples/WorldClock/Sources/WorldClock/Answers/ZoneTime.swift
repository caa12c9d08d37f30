import Foundation

/// What the clocks of a zone say.
struct ZoneTime: Codable, Equatable {
    var zone: String
    /// The country it is named in.
    var country: String
    var comments: String?
    /// Such as “Mon 14:05”; nil when this system does not know the zone.
    var time: String?
    /// Such as “UTC+05:30”.
    var offset: String?
}

extension ZoneTime {
    init(of zone: Zone, at instant: Date) {
        let clock = TimeZone(identifier: zone.name)
        self.init(
            zone: zone.name, country: zone.country?.name ?? "", comments: zone.comments,
            time: clock.map { Self.time(at: instant, in: $0) },
            offset: clock.map { Self.offset($0.secondsFromGMT(for: instant)) })
    }

    static func time(at instant: Date, in zone: TimeZone) -> String {
        instant.formatted(Date.VerbatimFormatStyle(
            format: "\(weekday: .abbreviated) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
            locale: Locale(identifier: "en_US_POSIX"), timeZone: zone, calendar: Calendar(identifier: .gregorian)))
    }

    static func offset(_ seconds: Int) -> String {
        let minutes = abs(seconds) / 60
        let hours = minutes / 60, rest = minutes % 60
        return "UTC\(seconds < 0 ? "-" : "+")\(hours < 10 ? "0" : "")\(hours):\(rest < 10 ? "0" : "")\(rest)"
    }
}
