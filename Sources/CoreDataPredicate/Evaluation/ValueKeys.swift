import Foundation

/// The keys that plain values answer, as Foundation's objects answer them to key-value coding.
package enum ValueKeys {
    /// nil when the value has no such key.
    package static func value(forKey key: String, of value: PredicateValue) -> PredicateValue? {
        if key == "self" { return value }
        return switch value {
        case .string(let text): string(text, key)
        case .boolean, .integer, .real, .decimal: number(value, key)
        case .date(let date): Self.date(date, key)
        case .url(let url): Self.url(url, key)
        case .uuid(let uuid): key == "UUIDString" ? .string(uuid.uuidString) : nil
        case .data(let data): key == "length" ? .integer(Int64(data.count)) : nil
        default: nil
        }
    }

    private static func string(_ text: String, _ key: String) -> PredicateValue? {
        switch key {
        case "length": .integer(Int64(text.utf16.count))
        case "lowercaseString", "localizedLowercaseString": .string(text.lowercased())
        case "uppercaseString", "localizedUppercaseString": .string(text.uppercased())
        case "capitalizedString": .string(text.capitalized)
        case "lastPathComponent": .string((text as NSString).lastPathComponent)
        case "pathExtension": .string((text as NSString).pathExtension)
        case "intValue", "integerValue", "longLongValue": .integer((text as NSString).longLongValue)
        case "doubleValue", "floatValue": .real((text as NSString).doubleValue)
        case "boolValue": .boolean((text as NSString).boolValue)
        default: nil
        }
    }

    private static func number(_ value: PredicateValue, _ key: String) -> PredicateValue? {
        guard let double = try? Arithmetic.double(value, for: key) else { return nil }
        switch key {
        case "intValue", "integerValue", "longLongValue", "shortValue", "longValue":
            if case .integer = value { return value }
            return Int64(exactly: double.rounded(.towardZero)).map(PredicateValue.integer) ?? .null
        case "doubleValue", "floatValue": return .real(double)
        case "boolValue": return .boolean(double != 0)
        case "stringValue": return value.asText.map(PredicateValue.string)
        case "decimalValue": return (try? ValueCasting.cast(value, to: "NSDecimalNumber")) ?? .null
        default: return nil
        }
    }

    private static func date(_ date: Date, _ key: String) -> PredicateValue? {
        switch key {
        case "timeIntervalSinceReferenceDate": .real(date.timeIntervalSinceReferenceDate)
        case "timeIntervalSince1970": .real(date.timeIntervalSince1970)
        case "timeIntervalSinceNow": .real(date.timeIntervalSinceNow)
        default: nil
        }
    }

    private static func url(_ url: URL, _ key: String) -> PredicateValue? {
        switch key {
        case "absoluteString": .string(url.absoluteString)
        case "path": .string(url.path)
        case "host": url.host.map(PredicateValue.string) ?? .null
        case "scheme": url.scheme.map(PredicateValue.string) ?? .null
        case "lastPathComponent": .string(url.lastPathComponent)
        case "pathExtension": .string(url.pathExtension)
        default: nil
        }
    }
}
