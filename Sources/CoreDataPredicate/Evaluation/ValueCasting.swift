import Foundation

/// CAST(value, 'type'): nil stays nil.
enum ValueCasting {
    static func cast(_ value: PredicateValue, to type: String) throws -> PredicateValue {
        if value.isNull { return .null }
        let result: PredicateValue? = switch type {
        case "NSDate": date(value)
        case "NSNumber": value.asNumber
        case "NSDecimalNumber": decimal(value)
        case "NSString": text(value).map(PredicateValue.string)
        case "NSURL": value.asText.flatMap { URL(string: $0) }.map(PredicateValue.url)
        case "NSUUID": value.asText.flatMap { UUID(uuidString: $0) }.map(PredicateValue.uuid)
        default: throw PredicateEvaluationError.unsupported("CAST knows no type “\(type)”")
        }
        guard let result else { throw PredicateEvaluationError.badCast(type: type, kind: value.kind) }
        return result
    }

    private static func date(_ value: PredicateValue) -> PredicateValue? {
        if case .date = value { return value }
        return (try? Arithmetic.double(value, for: "CAST")).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    }

    private static func decimal(_ value: PredicateValue) -> PredicateValue? {
        switch value.asNumber {
        case .integer(let number): .decimal(Decimal(number))
        case .real(let number): NumberOrdering.decimal(number).map(PredicateValue.decimal)
        case .decimal(let number): .decimal(number)
        default: nil
        }
    }

    private static func text(_ value: PredicateValue) -> String? {
        if case .date(let date) = value { return PredicatePrinter.text(of: .constant(.real(date.timeIntervalSinceReferenceDate))) }
        return value.asText
    }
}
