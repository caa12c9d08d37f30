import CoreDataPredicate
import CoreDataSchema
import Foundation

/// How a dictionary fetch's column comes out.
package enum ColumnType {
    /// A number or text as the attribute type says; what cannot be converted stays as it is.
    package static func convert(_ value: PredicateValue, to type: AttributeType?) -> PredicateValue {
        guard let type else { return value }
        switch (type, value) {
        case (_, .null): return .null
        case (.boolean, .integer(let number)): return .boolean(number != 0)
        case (.integer16, .integer), (.integer32, .integer), (.integer64, .integer): return value
        case (.integer16, _), (.integer32, _), (.integer64, _): return number(value).flatMap(integer) ?? value
        case (.double, _), (.float, _): return number(value).map(PredicateValue.real) ?? value
        case (.decimal, .integer(let number)): return .decimal(Decimal(number))
        case (.decimal, .real(let number)): return NumberOrdering.decimal(number).map(PredicateValue.decimal) ?? value
        case (.date, _):
            return number(value).map { .date(Date(timeIntervalSinceReferenceDate: $0)) } ?? value
        case (.string, .integer(let number)): return .string("\(number)")
        case (.string, .real(let number)): return .string("\(number)")
        default: return value
        }
    }

    private static func integer(_ number: Double) -> PredicateValue? {
        number > -0x1p63 && number < 0x1p63 ? .integer(Int64(number)) : nil
    }

    private static func number(_ value: PredicateValue) -> Double? {
        switch value {
        case .boolean(let flag): flag ? 1 : 0
        case .integer(let number): Double(number)
        case .real(let number): number
        case .decimal(let number): NumberOrdering.double(number)
        default: nil
        }
    }
}
