import CoreDataPredicate
import CoreDataSchema
import Foundation

/// One validation rule, parsed once; the shapes the model compiler writes need no predicate evaluation.
struct CompiledRule: Sendable {
    let format: String
    let warning: ValidationRule.Warning
    private let test: Test

    private enum Test: Sendable {
        case magnitude(ComparisonOperator, PredicateValue)
        case length(ComparisonOperator, Double)
        case instant(ComparisonOperator, Double)
        case matches(String)
        case predicate(PredicateTree)
    }

    init(_ rule: ValidationRule) throws {
        format = rule.predicateFormat
        warning = rule.warning
        test = try Self.test(try PredicateFormat.parse(rule.predicateFormat))
    }

    private static func test(_ tree: PredicateTree) throws -> Test {
        guard case .comparison(let comparison) = tree, comparison.modifier == .direct, comparison.options.isEmpty,
              case .constant(let bound) = comparison.right
        else { return .predicate(tree) }
        let operation = comparison.operation
        switch (comparison.left, bound) {
        case (.evaluatedObject, .string(let pattern)) where operation == .matches:
            _ = try RegularExpressions.matches("", pattern, options: [])
            return .matches(pattern)
        case (.evaluatedObject, .integer), (.evaluatedObject, .real), (.evaluatedObject, .decimal):
            return isOrdering(operation) ? .magnitude(operation, bound) : .predicate(tree)
        case (.keyPath(.evaluatedObject, let keys), _):
            guard isOrdering(operation), let number = double(bound) else { return .predicate(tree) }
            if keys == ["length"] { return .length(operation, number) }
            return keys == ["timeIntervalSinceReferenceDate"] ? .instant(operation, number) : .predicate(tree)
        default: return .predicate(tree)
        }
    }

    private static func isOrdering(_ operation: ComparisonOperator) -> Bool {
        switch operation {
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .equal, .notEqual: true
        default: false
        }
    }

    private static func double(_ value: PredicateValue) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .real(let number): number
        case .decimal(let number): NumberOrdering.double(number)
        default: nil
        }
    }

    /// Whether a value that is not nil passes.
    func passes(_ value: AttributeValue, kind: StorageKind) throws -> Bool {
        switch test {
        case .magnitude(let operation, let bound):
            guard let order = NumberOrdering.compare(PredicateValue(value, kind: kind), bound) else { return false }
            return Self.holds(operation, order.rawValue)
        case .length(let operation, let bound):
            let length = switch value {
            case .string(let text): text.utf16.count
            case .data(let data): data.count
            default: 0
            }
            return Self.holds(operation, Double(length), bound)
        case .instant(let operation, let bound):
            guard case .real(let seconds) = value else { return false }
            return Self.holds(operation, seconds, bound)
        case .matches(let pattern):
            guard case .string(let text) = value else { return false }
            return try RegularExpressions.matches(text, pattern, options: [])
        case .predicate(let tree):
            let subject = ScalarSubject(PredicateValue(value, kind: kind))
            return try PredicateEvaluation.evaluate(tree, subject: subject, rules: .memory)
        }
    }

    private static func holds(_ operation: ComparisonOperator, _ left: Double, _ right: Double) -> Bool {
        if left.isNaN || right.isNaN { return operation == .notEqual }
        return holds(operation, left < right ? -1 : left > right ? 1 : 0)
    }

    private static func holds(_ operation: ComparisonOperator, _ order: Int) -> Bool {
        switch operation {
        case .lessThan: order < 0
        case .lessThanOrEqual: order <= 0
        case .greaterThan: order > 0
        case .greaterThanOrEqual: order >= 0
        case .equal: order == 0
        default: order != 0
        }
    }
}
