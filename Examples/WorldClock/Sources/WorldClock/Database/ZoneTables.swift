/// What the tables of the time zone database say, as values: `iso3166.tab` and `zone1970.tab`.
struct ZoneTables: Equatable, Sendable {
    struct CountryRow: Equatable, Sendable {
        /// Two letters (ISO 3166).
        var code: String
        var name: String
    }

    struct ZoneRow: Equatable, Sendable {
        /// Such as `Europe/Stockholm`.
        var name: String
        var coordinates: Coordinates
        /// The countries whose clocks it tells, that of its namesake first. Never empty.
        var countryCodes: [String]
        var comments: String?
    }

    var countries: [CountryRow]
    var zones: [ZoneRow]
}

extension ZoneTables.ZoneRow {
    /// The part of the name before the first slash: `America` of `America/Indiana/Knox`.
    var region: String { String(name.prefix { $0 != "/" }) }

    /// The other regions are continents.
    var isAtSea: Bool { ["Arctic", "Atlantic", "Indian", "Pacific"].contains(region) }
}
