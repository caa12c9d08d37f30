import Foundation

/// Property-list values as JSON: data is base64, dates are ISO 8601.
enum PropertyListJSON {
    static func value(_ value: Any) -> JSONValue {
        switch value {
        case let text as String: return .string(text)
        case let flag as Bool: return .bool(flag)
        case let data as Data: return .string(data.base64EncodedString())
        case let date as Date: return DateText.json(date.timeIntervalSinceReferenceDate)
        case let number as NSNumber:
            let real = number.doubleValue
            return real == real.rounded() && abs(real) < 9e18 ? .integer(number.int64Value) : .real(real)
        case let list as [Any]: return .array(list.map(PropertyListJSON.value))
        case let table as [String: Any]:
            return .object(table.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: PropertyListJSON.value($0.value)) })
        default: return .string("\(value)")
        }
    }
}
