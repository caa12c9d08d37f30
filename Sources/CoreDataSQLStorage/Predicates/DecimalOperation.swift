import CoreDataPredicate
import Foundation
import SQLiteDriver

/// Arithmetic of decimals in SQL as in memory: 0.1 * 3 is 0.3. SQLite has only binary fractions.
///
/// What a column keeps as a real is the decimal that real prints as; the result is the nearest real again, or a whole number.
enum DecimalOperation: String, CaseIterable {
    case add = "+", subtract = "-", multiply = "*", divide = "/"

    var function: String {
        switch self {
        case .add: "nl_decimal_add"
        case .subtract: "nl_decimal_subtract"
        case .multiply: "nl_decimal_multiply"
        case .divide: "nl_decimal_divide"
        }
    }

    func register(on connection: SQLiteConnection) throws {
        try connection.register(function: function, argumentCount: 2) { call in
            guard let left = Self.decimal(call, 0), let right = Self.decimal(call, 1), let result = apply(left, right) else {
                return call.resultNull()
            }
            if let whole = Int64(result.description) { call.result(whole) } else { call.result(NumberOrdering.double(result)) }
        }
    }

    private func apply(_ left: Decimal, _ right: Decimal) -> Decimal? {
        switch self {
        case .add: left + right
        case .subtract: left - right
        case .multiply: left * right
        case .divide: right == 0 ? nil : left / right
        }
    }

    private static func decimal(_ call: SQLiteFunctionCall, _ index: Int) -> Decimal? {
        switch call.number(index) {
        case .integer(let value): Decimal(value)
        case .real(let value): NumberOrdering.decimal(value)
        case nil: call.text(index).flatMap { Decimal(string: $0) }
        }
    }
}
