/// What the command line says.
struct Options: Equatable {
    var predicate: String?
    var sortKey = "name"
    var seed: String?
    var store: String?
    var reset = false
    var json = false
    var help = false

    /// A command line that makes no sense.
    struct Problem: Error, Equatable, CustomStringConvertible {
        var description: String
    }

    init(_ arguments: some Sequence<String>) throws {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            // `--where X` and `--where=X` are the same.
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = argument.hasPrefix("--") ? parts[0] : argument
            let attached = argument.hasPrefix("--") && parts.count == 2 ? parts[1] : nil
            func value() throws -> String {
                guard let value = attached ?? rest.popFirst(), !value.isEmpty else { throw Problem(description: "\(name) needs a value.") }
                return value
            }
            func flag() throws -> Bool {
                if attached != nil { throw Problem(description: "\(name) takes no value.") }
                return true
            }
            switch name {
            case "--where": predicate = try value()
            case "--sort": sortKey = try value()
            case "--seed": seed = try value()
            case "--store": store = try value()
            case "--reset": reset = try flag()
            case "--json": json = try flag()
            case "--help", "-h": help = try flag()
            default: throw Problem(description: "There is no option “\(argument)”.")
            }
        }
    }

    static let helpText = """
        World Clock: the machine's time zone database in a Core Data store.

        USAGE: WorldClock [--where PREDICATE] [--sort KEY] [--json]
                          [--store FILE] [--seed FILE] [--reset]

          --where PREDICATE  tell the time in the zones that match; else in some big cities
          --sort KEY         in this order of theirs (default: name)
          --json             answer as JSON
          --store FILE       keep the store there instead of in the data folder
          --seed FILE        start from a copy of this store instead of importing
          --reset            throw the store away and start over
          --help             this text

        A predicate is about a zone, which has: name, latitude, longitude, comments,
        country (code, name, zones), countries, region (name, zones). For example:

          --where "country.name BEGINSWITH[c] 'S'"
          --where "latitude < 0 AND region.name == 'Africa'"
          --where "ANY countries.code IN {'NO', 'SE'}"
          --where "countries.@count > 5" --sort longitude

        The first run imports iso3166.tab and zone1970.tab from /usr/share/zoneinfo, or
        from the folder TZDIR names. Later runs find the store and answer at once.
        """
}
