import Foundation

/// What the command line asks for.
struct Options {
    var condition: String?
    var seed: String?
    var store: String?
    var resets = false
    var showsHelp = false

    static let help = """
        WorldClock: the machine's time zones, in a Core Data store.

        The first run imports the time zone database; later runs find it in the store.

          --where PREDICATE  only these zones, for example "country.name BEGINSWITH[c] 'S'"
                             keys: name, latitude, longitude, comments, area.name, country.name,
                             country.code, ANY countries.name
          --seed FILE        start from a store somebody made before
          --reset            forget the store and import again
          --store FILE       keep the store there
          --help             this text

        """

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        func value(of option: String) throws -> String {
            guard let value = rest.popFirst() else { throw UsageError(text: "\(option) needs a value.") }
            return value
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--where": condition = try value(of: argument)
            case "--seed": seed = try value(of: argument)
            case "--store": store = try value(of: argument)
            case "--reset": resets = true
            case "--help", "-h": showsHelp = true
            default: throw UsageError(text: "“\(argument)” is not an option. See --help.")
            }
        }
    }
}

struct UsageError: LocalizedError {
    let text: String
    var errorDescription: String? { text }
}
