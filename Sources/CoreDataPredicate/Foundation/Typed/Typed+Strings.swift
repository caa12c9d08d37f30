import Foundation

extension PredicateExpressions.CollectionContainsCollection: TruthConvertible {
    func predicateTree(_ conversion: TypedConversion) throws -> PredicateTree {
        guard Base.Output.self is any StringProtocol.Type else { throw UnsayableExpression() }
        return try TypedStrings.tree(base, .contains, other, conversion)
    }
}

extension PredicateExpressions.SequenceStartsWith: TruthConvertible {
    func predicateTree(_ conversion: TypedConversion) throws -> PredicateTree {
        guard Base.Output.self is any StringProtocol.Type else { throw UnsayableExpression() }
        return try TypedStrings.tree(base, .beginsWith, prefix, conversion)
    }
}

/// Comparisons of strings by their parts.
enum TypedStrings {
    static func tree(
        _ left: some PredicateExpression, _ operation: ComparisonOperator, _ right: some PredicateExpression,
        _ conversion: TypedConversion, options: ComparisonOptions = []
    ) throws -> PredicateTree {
        let (left, right) = (try conversion.expression(left), try conversion.expression(right))
        // Every Swift string contains and starts with the empty one; no string of the format language does.
        if right == .constant(.string("")) { return left.isPresent }
        let comparison = PredicateTree.comparison(Comparison(left, operation, right, options: options.union(.swiftNil)))
        guard right.constantValue == nil else { return comparison }
        return .either(comparison, .all(left.isPresent, .swift(right, .equal, .constant(.string("")))))
    }

    /// That comparing the two strings gives `result`.
    static func order(
        _ left: some PredicateExpression, _ result: ComparisonResult, _ right: some PredicateExpression,
        _ conversion: TypedConversion, options: ComparisonOptions
    ) throws -> PredicateTree {
        let operation: ComparisonOperator = switch result {
        case .orderedAscending: .lessThan
        case .orderedSame: .equal
        case .orderedDescending: .greaterThan
        }
        return .comparison(Comparison(
            try conversion.expression(left), operation, try conversion.expression(right), options: options.union(.swiftNil)))
    }
}
