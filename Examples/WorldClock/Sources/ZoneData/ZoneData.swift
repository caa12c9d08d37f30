import Foundation

/// A country of the ISO 3166 table.
public struct CountryRow: Equatable, Sendable {
    public let code: String
    public let name: String
}

/// A time zone of the zone table: where it is, and the countries that keep it, the most populous first.
public struct ZoneRow: Equatable, Sendable {
    public let countryCodes: [String]
    /// Degrees, north and east positive.
    public let latitude: Double
    public let longitude: Double
    public let name: String
    public let comments: String?

    /// The part of the name before the first slash: a continent or an ocean.
    public var areaName: String { String(name.prefix { $0 != "/" }) }
}

/// Why the machine's zone tables cannot be read.
public enum ZoneDataError: LocalizedError, Equatable {
    case missing(file: String, folder: String)
    case malformed(file: String, line: Int, text: String)

    public var errorDescription: String? {
        switch self {
        case .missing(let file, let folder):
            "There is no \(file) in \(folder). The package tzdata brings it: apt-get install tzdata (or set TZDIR to the zoneinfo folder)."
        case .malformed(let file, let line, let text):
            "\(file), line \(line), is not what a zone table has there: “\(text)”."
        }
    }
}

/// The machine's own time zone database, as its two tables.
public struct ZoneData: Sendable {
    public let countries: [CountryRow]
    public let zones: [ZoneRow]

    /// Reads `iso3166.tab` and `zone1970.tab` from a zoneinfo folder; nil is `$TZDIR`, or the usual place.
    public init(folder: URL? = nil) throws {
        let environment = ProcessInfo.processInfo.environment["TZDIR"].map { URL(fileURLWithPath: $0) }
        let folder = folder ?? environment ?? URL(fileURLWithPath: "/usr/share/zoneinfo")
        countries = try Self.countries(in: Self.text(of: "iso3166.tab", in: folder))
        zones = try Self.zones(in: Self.text(of: "zone1970.tab", in: folder))
    }

    static func countries(in text: String) throws -> [CountryRow] {
        try rows(of: text).map { number, line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard columns.count == 2, columns[0].count == 2 else {
                throw ZoneDataError.malformed(file: "iso3166.tab", line: number, text: line)
            }
            return CountryRow(code: columns[0], name: columns[1])
        }
    }

    static func zones(in text: String) throws -> [ZoneRow] {
        try rows(of: text).map { number, line in
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard columns.count >= 3, let (latitude, longitude) = coordinates(columns[1]) else {
                throw ZoneDataError.malformed(file: "zone1970.tab", line: number, text: line)
            }
            return ZoneRow(
                countryCodes: columns[0].split(separator: ",").map(String.init), latitude: latitude, longitude: longitude,
                name: columns[2], comments: columns.count > 3 && !columns[3].isEmpty ? columns[3] : nil)
        }
    }

    /// `±DDMM±DDDMM` or `±DDMMSS±DDDMMSS` (ISO 6709) in degrees; nil when it is neither.
    static func coordinates(_ text: String) -> (latitude: Double, longitude: Double)? {
        guard let second = text.dropFirst().firstIndex(where: { $0 == "+" || $0 == "-" }),
              let latitude = degrees(text[..<second], whole: 2), let longitude = degrees(text[second...], whole: 3)
        else { return nil }
        return (latitude, longitude)
    }

    private static func degrees(_ text: Substring, whole: Int) -> Double? {
        let digits = text.dropFirst()
        guard digits.count == whole + 2 || digits.count == whole + 4, let number = Int(digits) else { return nil }
        let seconds = digits.count == whole + 4 ? number % 100 : 0
        let minutes = (digits.count == whole + 4 ? number / 100 : number) % 100
        let degrees = digits.count == whole + 4 ? number / 10_000 : number / 100
        let value = Double(degrees) + Double(minutes) / 60 + Double(seconds) / 3600
        return text.first == "-" ? -value : value
    }

    /// Lines that are neither empty nor comments, numbered from 1.
    private static func rows(of text: String) -> [(Int, String)] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().compactMap { index, line in
            line.isEmpty || line.hasPrefix("#") ? nil : (index + 1, String(line))
        }
    }

    private static func text(of file: String, in folder: URL) throws -> String {
        guard let text = try? String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8) else {
            throw ZoneDataError.missing(file: file, folder: folder.path)
        }
        return text
    }
}
