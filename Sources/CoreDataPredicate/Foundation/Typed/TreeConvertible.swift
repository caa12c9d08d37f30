import Foundation

/// A part of a `#Predicate` that a tree can say.
///
/// Conformers implement `predicateTree` (`isTruth`) or `expressionTree`; each has a default by way of the other.
protocol TreeConvertible {
    /// Whether the part is a truth value by nature, rather than a value read from somewhere.
    var isTruth: Bool { get }
    func expressionTree(_ conversion: TypedConversion) throws -> ExpressionTree
    /// When the part is true. A part that is nil is not.
    func predicateTree(_ conversion: TypedConversion) throws -> PredicateTree
    /// When the part is not nil.
    func presenceTree(_ conversion: TypedConversion) throws -> PredicateTree
}

/// A part that is a value.
protocol ValueConvertible: TreeConvertible {}

extension ValueConvertible {
    var isTruth: Bool { false }

    func predicateTree(_ conversion: TypedConversion) throws -> PredicateTree {
        .swift(try expressionTree(conversion), .equal, .constant(.boolean(true)))
    }

    func presenceTree(_ conversion: TypedConversion) throws -> PredicateTree {
        try expressionTree(conversion).isPresent
    }
}

/// A part that is true or false, never nil.
protocol TruthConvertible: TreeConvertible {}

extension TruthConvertible {
    var isTruth: Bool { true }

    func expressionTree(_ conversion: TypedConversion) throws -> ExpressionTree {
        .conditional(try predicateTree(conversion), .constant(.boolean(true)), .constant(.boolean(false)))
    }

    func presenceTree(_ conversion: TypedConversion) throws -> PredicateTree { .constant(true) }
}

extension PredicateTree {
    /// A comparison with Swift's meaning of nil.
    static func swift(_ left: ExpressionTree, _ operation: ComparisonOperator, _ right: ExpressionTree) -> PredicateTree {
        .comparison(Comparison(left, operation, right, options: .swiftNil))
    }

    /// Conjunction without needless nesting and constants.
    static func all(_ parts: PredicateTree...) -> PredicateTree {
        var flat: [PredicateTree] = []
        for part in parts {
            switch part {
            case .constant(true): continue
            case .constant(false): return .constant(false)
            case .and(let inner): flat += inner
            default: flat.append(part)
            }
        }
        return flat.count > 1 ? .and(flat) : flat.first ?? .constant(true)
    }

    /// Disjunction without needless nesting and constants.
    static func either(_ parts: PredicateTree...) -> PredicateTree {
        var flat: [PredicateTree] = []
        for part in parts {
            switch part {
            case .constant(false): continue
            case .constant(true): return .constant(true)
            case .or(let inner): flat += inner
            default: flat.append(part)
            }
        }
        return flat.count > 1 ? .or(flat) : flat.first ?? .constant(false)
    }

    static func negation(_ part: PredicateTree) -> PredicateTree {
        switch part {
        case .constant(let value): .constant(!value)
        case .not(let inner): inner
        default: .not(part)
        }
    }
}

extension ExpressionTree {
    /// That the expression is not nil.
    var isPresent: PredicateTree {
        if case .constant(let value) = self { return .constant(value != .null) }
        return .swift(self, .notEqual, .constant(.null))
    }

    var constantValue: PredicateValue? {
        guard case .constant(let value) = self else { return nil }
        return value
    }
}
