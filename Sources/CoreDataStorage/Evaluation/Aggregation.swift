import CoreDataPredicate
import CoreDataSchema
import Foundation

/// Sums up a group of rows for the aggregates of a dictionary fetch. Nulls are left out; the sum of nothing is 0, its
/// minimum, maximum and average are nil.
struct Aggregation {
    private let rows: [RowBlock]
    private let value: (ExpressionTree, RowBlock) throws -> PredicateValue

    init(rows: [RowBlock], value: @escaping (ExpressionTree, RowBlock) throws -> PredicateValue) {
        self.rows = rows
        self.value = value
    }

    /// The expression with its aggregates replaced by their values over the group.
    func resolve(_ expression: ExpressionTree) throws -> ExpressionTree { try expression.replacing(constant) }

    /// The value of an aggregate; nil when the expression is none.
    func constant(_ expression: ExpressionTree) throws -> ExpressionTree? {
        switch expression {
        case .function(let name, let arguments) where AggregateSearch.functions.contains(name) && arguments.count == 1:
            return .constant(try compute(name, arguments[0]))
        case .keyPath(.evaluatedObject, let keys) where AggregateSearch.isAggregate(keys):
            let names = ["@count": "count:", "@sum": "sum:", "@avg": "average:", "@min": "min:", "@max": "max:"]
            guard let name = names[keys[0]] else {
                throw StoreError.unsupported("“\(keys[0])” cannot sum up the rows of a dictionary fetch.")
            }
            let operand = keys.count > 1 ? ExpressionTree.keyPath(.evaluatedObject, Array(keys.dropFirst())) : .evaluatedObject
            return .constant(try compute(name, operand))
        default: return nil
        }
    }

    private func compute(_ name: String, _ operand: ExpressionTree) throws -> PredicateValue {
        let values = try rows.map { try value(operand, $0) }.filter { $0 != .null }
        switch name {
        case "count:": return .integer(Int64(values.count))
        case "sum:": return Self.sum(values)
        case "min:": return values.min { SortComparison.binary.compare($0, $1) < 0 } ?? .null
        case "max:": return values.max { SortComparison.binary.compare($0, $1) < 0 } ?? .null
        case "average:": return Self.average(values)
        case "median:", "mode:", "stddev:":
            return try PredicateEvaluation.evaluate(
                expression: .function(name, [.constant(.list(values))]), subject: PredicateSubjects.subject(of: nil), rules: .sql)
        default: throw StoreError.unsupported("“\(name)” cannot sum up the rows of a dictionary fetch.")
        }
    }

    private static func sum(_ values: [PredicateValue]) -> PredicateValue {
        var whole: Int64 = 0, real = 0.0, decimal = Decimal.zero
        var isReal = false, isDecimal = false
        for value in values {
            switch value {
            case .integer(let number):
                let (sum, overflow) = whole.addingReportingOverflow(number)
                if overflow {
                    isReal = true
                    real += Double(number)
                } else {
                    whole = sum
                }
            case .boolean(let flag): whole += flag ? 1 : 0
            case .real(let number):
                isReal = true
                real += number
            case .decimal(let number):
                isDecimal = true
                decimal += number
            default: break
            }
        }
        if isDecimal && !isReal { return .decimal(decimal + Decimal(whole)) }
        return isReal ? .real(real + Double(whole) + NumberOrdering.double(decimal)) : .integer(whole)
    }

    private static func average(_ values: [PredicateValue]) -> PredicateValue {
        if values.isEmpty { return .null }
        return switch sum(values) {
        case .integer(let number): .real(Double(number) / Double(values.count))
        case .real(let number): .real(number / Double(values.count))
        case .decimal(let number): .decimal(number / Decimal(values.count))
        default: .null
        }
    }
}
