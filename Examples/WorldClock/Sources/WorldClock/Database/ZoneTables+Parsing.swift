import Foundation

/// A line of a table that cannot be understood.
struct TableError: Error, Equatable, CustomStringConvertible, LocalizedError {
    var file: String
    /// From 1.
    var line: Int
    var reason: String

    var description: String { "\(file):\(line): \(reason)" }
    var errorDescription: String? { description }
}

extension ZoneTables {
    /// Reads the texts of `iso3166.tab` and `zone1970.tab`. Throws `TableError`.
    init(iso3166: String, zone1970: String) throws {
        countries = try Self.lines(iso3166).map { try Self.country($0, in: "iso3166.tab") }
        let codes = Set(countries.map(\.code))
        zones = try Self.lines(zone1970).map { try Self.zone($0, in: "zone1970.tab", codes) }
    }

    private struct Line {
        var number: Int
        var columns: [String]

        func error(_ reason: String, in file: String) -> TableError { TableError(file: file, line: number, reason: reason) }
    }

    /// The lines that say something, cut at the tabs.
    private static func lines(_ text: String) -> [Line] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
            .filter { !$1.isEmpty && !$1.hasPrefix("#") }
            .map { Line(number: $0 + 1, columns: $1.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)) }
    }

    private static func country(_ line: Line, in file: String) throws -> CountryRow {
        guard line.columns.count == 2, line.columns[0].count == 2, !line.columns[1].isEmpty else {
            throw line.error("A country is a code of two letters, a tab and a name.", in: file)
        }
        return CountryRow(code: line.columns[0], name: line.columns[1])
    }

    private static func zone(_ line: Line, in file: String, _ known: Set<String>) throws -> ZoneRow {
        guard (3...4).contains(line.columns.count) else {
            throw line.error("A zone is country codes, coordinates, a name and perhaps comments, with tabs between.", in: file)
        }
        let codes = line.columns[0].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        if let code = codes.first(where: { !known.contains($0) }) {
            throw line.error("There is no country “\(code)” in iso3166.tab.", in: file)
        }
        guard let coordinates = Coordinates(iso6709: line.columns[1]) else {
            throw line.error("“\(line.columns[1])” are no coordinates: they look like +5920+01803 or -541612-0363204.", in: file)
        }
        let name = line.columns[2]
        guard name.split(separator: "/", omittingEmptySubsequences: false).count > 1, !name.hasPrefix("/"), !name.hasSuffix("/") else {
            throw line.error("“\(name)” is no zone's name: those look like Region/City.", in: file)
        }
        let comments = line.columns.count == 4 && !line.columns[3].isEmpty ? line.columns[3] : nil
        return ZoneRow(name: name, coordinates: coordinates, countryCodes: codes, comments: comments)
    }
}
