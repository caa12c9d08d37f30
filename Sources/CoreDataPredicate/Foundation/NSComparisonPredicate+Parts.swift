import CoreDataSchema
import Foundation

extension _FoundationCompletion where Self == NSComparisonPredicate {
    /// A comparison of two expressions.
    public init(
        leftExpression lhs: NSExpression, rightExpression rhs: NSExpression, modifier: NSComparisonPredicate.Modifier,
        type: NSComparisonPredicate.Operator, options: NSComparisonPredicate.Options = []
    ) {
        self = TreeComparisonPredicate.make(Comparison(
            ExpressionBridging.tree(ofAny: lhs), ComparisonOperator(type), ExpressionBridging.tree(ofAny: rhs),
            modifier: ComparisonModifier(modifier), options: ComparisonOptions(rawValue: options.rawValue)))
    }

    /// A comparison by a method of the left value that takes the right one. In memory only, and only by methods of
    /// Foundation's values (`isEqual:`, `hasPrefix:`, `localizedStandardContainsString:`, …): others stop the evaluation.
    public init(leftExpression lhs: NSExpression, rightExpression rhs: NSExpression, customSelector selector: Selector) {
        self = TreeComparisonPredicate.make(Comparison(
            ExpressionBridging.tree(ofAny: lhs), .custom, ExpressionBridging.tree(ofAny: rhs), selector: selector.description))
    }
}

extension _FoundationCompletion where Self: NSComparisonPredicate {
    /// The comparison's operator.
    public var predicateOperatorType: NSComparisonPredicate.Operator { NSComparisonPredicate.Operator(parts.operation) }

    /// ANY, ALL or neither.
    public var comparisonPredicateModifier: NSComparisonPredicate.Modifier {
        switch parts.modifier {
        case .direct: .direct
        case .all: .all
        case .any: .any
        }
    }

    /// The method of a comparison by selector; nil for the operators.
    public var customSelector: Selector? { parts.selector.map { Selector($0) } }

    public var leftExpression: NSExpression { TreeExpression.make(parts.left) }

    public var rightExpression: NSExpression { TreeExpression.make(parts.right) }

    /// `[c]`, `[d]` and `[n]`.
    public var options: NSComparisonPredicate.Options {
        NSComparisonPredicate.Options(rawValue: parts.options.rawValue & 0xF)
    }

    private var parts: Comparison {
        guard let comparison = (self as? TreeComparisonPredicate)?.comparison else {
            fatalError("A comparison predicate of the class \(type(of: self)) cannot be read.")
        }
        return comparison
    }
}

/// Foundation on Linux numbers CONTAINS and BETWEEN otherwise than Apple does, so operators go by case.
extension ComparisonOperator {
    init(_ type: NSComparisonPredicate.Operator) {
        self = switch type {
        case .lessThan: .lessThan
        case .lessThanOrEqualTo: .lessThanOrEqual
        case .greaterThan: .greaterThan
        case .greaterThanOrEqualTo: .greaterThanOrEqual
        case .equalTo: .equal
        case .notEqualTo: .notEqual
        case .matches: .matches
        case .like: .like
        case .beginsWith: .beginsWith
        case .endsWith: .endsWith
        case .in: .isIn
        case .contains: .contains
        case .between: .between
        }
    }
}

extension NSComparisonPredicate.Operator {
    init(_ operation: ComparisonOperator) {
        self = switch operation {
        case .lessThan: .lessThan
        case .lessThanOrEqual: .lessThanOrEqualTo
        case .greaterThan: .greaterThan
        case .greaterThanOrEqual: .greaterThanOrEqualTo
        case .equal: .equalTo
        case .notEqual: .notEqualTo
        case .matches: .matches
        case .like: .like
        case .beginsWith: .beginsWith
        case .endsWith: .endsWith
        case .isIn: .in
        case .contains: .contains
        case .between: .between
        // Foundation's type on Linux has no case for it.
        case .custom: fatalError("A comparison by selector has no operator type here. Ask its customSelector first.")
        }
    }
}

extension ComparisonModifier {
    init(_ modifier: NSComparisonPredicate.Modifier) {
        self = switch modifier {
        case .direct: .direct
        case .all: .all
        case .any: .any
        }
    }
}
