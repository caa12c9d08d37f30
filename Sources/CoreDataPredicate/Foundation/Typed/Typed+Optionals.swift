import Foundation

/// `a?.b`, `if let`, `flatMap`: the transform on the wrapped value. What is nil stays nil by the rules of key paths.
extension PredicateExpressions.OptionalFlatMap: TreeConvertible {
    var isTruth: Bool { (transform as? any TreeConvertible)?.isTruth ?? false }

    func expressionTree(_ conversion: TypedConversion) throws -> ExpressionTree {
        if isTruth {
            return .conditional(
                try presenceTree(conversion),
                .conditional(try predicateTree(conversion), .constant(.boolean(true)), .constant(.boolean(false))),
                .constant(.null))
        }
        let value = try inside(conversion) { try conversion.expression(transform) }
        // A path through nil is nil by itself; a count is not.
        let presence = try? inside(conversion) { try conversion.sayable(transform).presenceTree(conversion) }
        guard case .constant(true)? = presence else { return value }
        return .conditional(try conversion.sayable(wrapped).presenceTree(conversion), value, .constant(.null))
    }

    func predicateTree(_ conversion: TypedConversion) throws -> PredicateTree {
        let truth = try inside(conversion) { try conversion.sayable(transform).predicateTree(conversion) }
        return isTruth ? .all(try conversion.sayable(wrapped).presenceTree(conversion), truth) : truth
    }

    func presenceTree(_ conversion: TypedConversion) throws -> PredicateTree {
        let inner = try inside(conversion) { try conversion.sayable(transform).presenceTree(conversion) }
        // A path through nil is nil: the outer check says nothing new.
        if case .comparison = inner, !isTruth { return inner }
        return .all(try conversion.sayable(wrapped).presenceTree(conversion), inner)
    }

    private func inside<Tree>(_ conversion: TypedConversion, _ body: () throws -> Tree) throws -> Tree {
        try conversion.with(variable.key, as: try conversion.expression(wrapped), body)
    }
}

extension PredicateExpressions.NilCoalesce: TreeConvertible {
    var isTruth: Bool { (lhs as? any TreeConvertible)?.isTruth == true || (rhs as? any TreeConvertible)?.isTruth == true }

    func expressionTree(_ conversion: TypedConversion) throws -> ExpressionTree {
        .conditional(
            try conversion.sayable(lhs).presenceTree(conversion), try conversion.expression(lhs), try conversion.expression(rhs))
    }

    func predicateTree(_ conversion: TypedConversion) throws -> PredicateTree {
        let left = try conversion.sayable(lhs)
        return .either(
            try left.predicateTree(conversion),
            .all(.negation(try left.presenceTree(conversion)), try conversion.sayable(rhs).predicateTree(conversion)))
    }

    func presenceTree(_ conversion: TypedConversion) throws -> PredicateTree {
        .either(try conversion.sayable(lhs).presenceTree(conversion), try conversion.sayable(rhs).presenceTree(conversion))
    }
}

/// `a!` on nil stops a Swift program; rows where it is nil do not match.
extension PredicateExpressions.ForcedUnwrap: TreeConvertible {
    var isTruth: Bool { (inner as? any TreeConvertible)?.isTruth ?? false }

    func expressionTree(_ conversion: TypedConversion) throws -> ExpressionTree { try conversion.expression(inner) }

    func predicateTree(_ conversion: TypedConversion) throws -> PredicateTree {
        try conversion.sayable(inner).predicateTree(conversion)
    }

    func presenceTree(_ conversion: TypedConversion) throws -> PredicateTree {
        try conversion.sayable(inner).presenceTree(conversion)
    }
}

/// Casts and type checks can only be said when they change nothing: a row's class is not in a tree.
extension PredicateExpressions.ConditionalCast: ValueConvertible {
    func expressionTree(_ conversion: TypedConversion) throws -> ExpressionTree {
        guard Input.Output.self == Desired.self else { throw UnsayableExpression() }
        return try conversion.expression(input)
    }
}

extension PredicateExpressions.ForceCast: ValueConvertible {
    func expressionTree(_ conversion: TypedConversion) throws -> ExpressionTree {
        guard Input.Output.self == Desired.self else { throw UnsayableExpression() }
        return try conversion.expression(input)
    }
}

extension PredicateExpressions.TypeCheck: TruthConvertible {
    func predicateTree(_ conversion: TypedConversion) throws -> PredicateTree {
        guard Input.Output.self == Desired.self else { throw UnsayableExpression() }
        return .constant(true)
    }
}
