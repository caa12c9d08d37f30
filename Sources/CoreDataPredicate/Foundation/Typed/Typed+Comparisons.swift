import Foundation

extension PredicateExpressions.Equal: TruthConvertible {
    func predicateTree(_ conversion: TypedConversion) throws -> PredicateTree {
        try TypedEquality.tree(lhs, rhs, conversion)
    }
}

extension PredicateExpressions.NotEqual: TruthConvertible {
    func predicateTree(_ conversion: TypedConversion) throws -> PredicateTree {
        switch try TypedEquality.tree(lhs, rhs, conversion) {
        case .comparison(var comparison) where comparison.operation == .equal && comparison.options == .swiftNil:
            comparison.operation = .notEqual
            return .comparison(comparison)
        case let equal: return .negation(equal)
        }
    }
}

extension PredicateExpressions.Comparison: TruthConvertible {
    func predicateTree(_ conversion: TypedConversion) throws -> PredicateTree {
        let operation: ComparisonOperator = switch op {
        case .lessThan: .lessThan
        case .lessThanOrEqual: .lessThanOrEqual
        case .greaterThan: .greaterThan
        case .greaterThanOrEqual: .greaterThanOrEqual
        @unknown default: throw UnsayableExpression()
        }
        return .swift(try conversion.expression(lhs), operation, try conversion.expression(rhs))
    }
}

/// `==` between two parts.
enum TypedEquality {
    static func tree<Left: PredicateExpression, Right: PredicateExpression>(
        _ left: Left, _ right: Right, _ conversion: TypedConversion
    ) throws -> PredicateTree {
        if let order = left as? any StringOrderConvertible, let wanted = conversion.constant(right) as? ComparisonResult {
            return try order.tree(for: wanted, conversion)
        }
        let isTruth = (left as? any TreeConvertible)?.isTruth == true || (right as? any TreeConvertible)?.isTruth == true
        guard isTruth else {
            return .swift(try conversion.expression(left), .equal, try conversion.expression(right))
        }
        // Truths compared with truths: usually `x?.contains("a") == true`.
        let (a, b) = (try conversion.sayable(left), try conversion.sayable(right))
        let (aPresent, bPresent) = (try a.presenceTree(conversion), try b.presenceTree(conversion))
        let (aTrue, bTrue) = (try a.predicateTree(conversion), try b.predicateTree(conversion))
        // `aTrue` implies `aPresent`, so equal is: both true, both there and neither true, or neither there.
        return .either(
            .all(aTrue, bTrue),
            .all(aPresent, .negation(aTrue), bPresent, .negation(bTrue)),
            .all(.negation(aPresent), .negation(bPresent)))
    }
}

/// A comparison of strings whose outcome is a `ComparisonResult`.
protocol StringOrderConvertible {
    func tree(for result: ComparisonResult, _ conversion: TypedConversion) throws -> PredicateTree
}
