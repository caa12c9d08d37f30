import NLCoreData

// From rows of the tables to objects, in the calling thread's context.

extension Country {
    static func insert(_ row: ZoneTables.CountryRow) throws -> Country {
        let country = try Country.insert()
        country.code = row.code
        country.name = row.name
        return country
    }
}

extension Zone {
    static func insert(_ row: ZoneTables.ZoneRow, countries: [Country]) throws {
        let zone = try Zone.insert()
        zone.name = row.name
        zone.latitude = row.coordinates.latitude
        zone.longitude = row.coordinates.longitude
        zone.comments = row.comments
        zone.country = countries.first
        zone.countries = Set(countries)
        zone.region = try region(of: row)
    }

    /// The region's first zone makes it; a new one gets its name from the predicate.
    private static func region(of row: ZoneTables.ZoneRow) throws -> Region {
        if row.isAtSea { return try Ocean.fetchOrInsertSingle("name == %@", row.region) }
        return try Continent.fetchOrInsertSingle("name == %@", row.region)
    }
}
