import CoreDataSchema
import Foundation

/// The text forms of values in a model file.
enum AttributeText {
    /// `attributeType` as Xcode writes it.
    static let typeNames: [(name: String, type: AttributeType)] = [
        ("Integer 16", .integer16), ("Integer 32", .integer32), ("Integer 64", .integer64), ("Decimal", .decimal),
        ("Double", .double), ("Float", .float), ("String", .string), ("Boolean", .boolean), ("Date", .date),
        ("Binary", .binary), ("UUID", .uuid), ("URI", .uri), ("Transformable", .transformable), ("ObjectID", .objectID),
        ("Composite", .composite),
    ]

    static func type(named name: String) -> AttributeType? { typeNames.first { $0.name == name }?.type }
    static func name(of type: AttributeType) -> String? { typeNames.first { $0.type == type }?.name }

    /// YES and NO; hand-edited files also say true, false, 1 and 0.
    static func boolean(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "yes", "true", "1": true
        case "no", "false", "0": false
        default: nil
        }
    }

    /// A decimal number with an optional sign, fraction and exponent, and nothing else around it.
    static func isNumber(_ text: String) -> Bool {
        var rest = text.utf8[...]
        func digits() -> Int {
            let count = rest.prefix { $0 >= 48 && $0 <= 57 }.count
            rest = rest.dropFirst(count)
            return count
        }
        func skip(_ characters: String) -> Bool {
            guard let first = rest.first, characters.utf8.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        _ = skip("+-")
        var mantissa = digits()
        if skip(".") { mantissa += digits() }
        guard mantissa > 0 else { return false }
        if skip("eE") {
            _ = skip("+-")
            guard digits() > 0 else { return false }
        }
        return rest.isEmpty
    }

    /// A whole number; "2.0" counts, and so do YES and NO, which Xcode leaves when a Boolean became an integer.
    static func integer(_ text: String) -> Int64? {
        if let value = Int64(text) { return value }
        if isNumber(text), let value = Double(text), let whole = Int64(exactly: value) { return whole }
        return switch text.lowercased() {
        case "yes", "true": 1
        case "no", "false": 0
        default: nil
        }
    }

    static func real(_ text: String) -> Double? {
        guard isNumber(text), let value = Double(text), value.isFinite else { return nil }
        return value
    }

    static func decimal(_ text: String) -> Decimal? {
        guard isNumber(text), let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), !value.isNaN else { return nil }
        return value
    }

    /// Seconds since 2001 from "2010-01-01 01:00:00", with or without seconds and "+0100"; without a zone it is UTC.
    static func date(_ text: String) -> Double? {
        let parts = text.split(separator: " ").flatMap { $0.split(separator: "T") }
        guard (1...3).contains(parts.count) else { return nil }
        let day = parts[0].split(separator: "-").map { Int($0) ?? -1 }
        guard day.count == 3, (1...9999).contains(day[0]), (1...12).contains(day[1]), (1...31).contains(day[2]) else { return nil }
        var seconds = Double(dayNumber(year: day[0], month: day[1], day: day[2])) * 86_400
        if parts.count > 1 {
            let clock = parts[1].split(separator: ":").map { Int($0) ?? -1 }
            guard (2...3).contains(clock.count), (0..<24).contains(clock[0]), (0..<60).contains(clock[1]) else { return nil }
            let second = clock.count > 2 ? clock[2] : 0
            guard (0...60).contains(second) else { return nil }
            seconds += Double(clock[0] * 3600 + clock[1] * 60 + second)
        }
        if parts.count > 2 {
            guard let zone = Int(parts[2]), abs(zone) <= 1400 else { return nil }
            seconds -= Double(zone / 100 * 3600 + zone % 100 * 60)
        }
        return seconds
    }

    /// Days since 2001-01-01 in the Gregorian calendar.
    private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
        // Count from March, so that the leap day ends the year.
        let (y, m) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        return y * 365 + y / 4 - y / 100 + y / 400 + (m * 306 + 5) / 10 + day - 1 - 730_791
    }
}
