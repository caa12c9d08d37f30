import NLCoreData

/// What the store answers, as values.
struct Answers: Codable, Equatable {
    struct RegionCount: Codable, Equatable {
        var name: String
        var zones: Int
    }

    struct SharedZone: Codable, Equatable {
        var zone: String
        /// By name.
        var countries: [String]
    }

    var countries: Int
    var zones: Int
    var continents: [RegionCount]
    var oceans: [RegionCount]
    var shared: [SharedZone]
    var times: [ZoneTime]

    static let bigCities = [
        "Africa/Cairo", "Africa/Lagos", "America/Los_Angeles", "America/New_York", "America/Sao_Paulo", "Asia/Kolkata",
        "Asia/Shanghai", "Asia/Tokyo", "Australia/Sydney", "Europe/London", "Europe/Paris", "Pacific/Auckland",
    ]

}

extension Answers {
    /// Asks the calling thread's context. Throws, naming the nearest, for keys that a zone does not have.
    init(where predicate: NSPredicate?, sortedByKey key: String, at instant: Date) throws {
        let wanted = predicate ?? NSPredicate(format: "name IN %@", Self.bigCities)
        times = try Zone.fetch(with: wanted, sortedByKey: key).map { ZoneTime(of: $0, at: instant) }
        countries = try Country.count()
        zones = try Zone.count()
        continents = try Continent.fetch(sortedBy: [SortDescriptor(\.name)]).map { try RegionCount(of: $0) }
        oceans = try Ocean.fetch(sortedBy: [SortDescriptor(\.name)]).map { try RegionCount(of: $0) }
        shared = try Zone.fetch(where: #Predicate { $0.countries.count > 1 }, sortedBy: [SortDescriptor(\.name)]).map { SharedZone(of: $0) }
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

extension Answers.RegionCount {
    init(of region: Region) throws {
        name = region.name
        zones = try Zone.count("region == %@", region)
    }
}

extension Answers.SharedZone {
    init(of zone: Zone) {
        self.zone = zone.name
        countries = zone.countries.map(\.name).sorted()
    }
}
