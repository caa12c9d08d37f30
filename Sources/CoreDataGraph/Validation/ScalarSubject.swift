import CoreDataPredicate
import Foundation

/// A single value as the subject of a validation predicate: SELF is the value, keys are those of Foundation's class for it.
struct ScalarSubject: PredicateSubject {
    let predicateSelf: PredicateValue

    init(_ value: PredicateValue) { predicateSelf = value }

    func predicateValue(forKey key: String) throws -> PredicateValue {
        switch (predicateSelf, key) {
        case (_, "self"): return predicateSelf
        case (.string(let text), _): if let value = Self.value(of: text, key) { return value }
        case (.data(let data), "length"): return .integer(Int64(data.count))
        case (.date(let date), "timeIntervalSinceReferenceDate"): return .real(date.timeIntervalSinceReferenceDate)
        case (.date(let date), "timeIntervalSince1970"): return .real(date.timeIntervalSince1970)
        case (.date(let date), "timeIntervalSinceNow"): return .real(date.timeIntervalSinceNow)
        case (.url(let url), _): if let value = Self.value(of: url, key) { return value }
        case (.uuid(let uuid), "UUIDString"): return .string(uuid.uuidString)
        case (.integer, _), (.real, _), (.decimal, _), (.boolean, _):
            if let value = Self.number(predicateSelf, key) { return value }
        default: break
        }
        throw PredicateEvaluationError.noSuchKey(key, kind: predicateSelf.kind)
    }

    private static func value(of text: String, _ key: String) -> PredicateValue? {
        switch key {
        case "length": .integer(Int64(text.utf16.count))
        case "lowercaseString": .string(text.lowercased())
        case "uppercaseString": .string(text.uppercased())
        case "capitalizedString": .string(text.capitalized)
        case "intValue", "integerValue", "longLongValue": .integer((text as NSString).longLongValue)
        case "doubleValue", "floatValue": .real((text as NSString).doubleValue)
        case "boolValue": .boolean((text as NSString).boolValue)
        default: nil
        }
    }

    private static func value(of url: URL, _ key: String) -> PredicateValue? {
        switch key {
        case "absoluteString": .string(url.absoluteString)
        case "scheme": url.scheme.map(PredicateValue.string) ?? .null
        case "host": url.host.map(PredicateValue.string) ?? .null
        case "path": .string(url.path)
        case "query": url.query.map(PredicateValue.string) ?? .null
        case "pathExtension": .string(url.pathExtension)
        case "lastPathComponent": .string(url.lastPathComponent)
        default: nil
        }
    }

    private static func number(_ value: PredicateValue, _ key: String) -> PredicateValue? {
        let real: Double = switch value {
        case .integer(let number): Double(number)
        case .real(let number): number
        case .decimal(let number): NumberOrdering.double(number)
        case .boolean(let flag): flag ? 1 : 0
        default: 0
        }
        switch key {
        case "doubleValue", "floatValue", "decimalValue": return .real(real)
        case "boolValue": return .boolean(real != 0)
        case "intValue", "integerValue", "longLongValue":
            if case .integer = value { return value }
            return real > -0x1p63 && real < 0x1p63 ? .integer(Int64(real)) : nil
        case "stringValue":
            if case .integer(let number) = value { return .string("\(number)") }
            return .string("\(real)")
        default: return nil
        }
    }
}
