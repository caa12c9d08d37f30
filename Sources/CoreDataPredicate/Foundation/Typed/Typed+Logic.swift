import Foundation

extension PredicateExpressions.Conjunction: TruthConvertible {
    func predicateTree(_ conversion: TypedConversion) throws -> PredicateTree {
        .all(try conversion.predicate(lhs), try conversion.predicate(rhs))
    }
}

extension PredicateExpressions.Disjunction: TruthConvertible {
    func predicateTree(_ conversion: TypedConversion) throws -> PredicateTree {
        .either(try conversion.predicate(lhs), try conversion.predicate(rhs))
    }
}

extension PredicateExpressions.Negation: TruthConvertible {
    func predicateTree(_ conversion: TypedConversion) throws -> PredicateTree {
        .negation(try conversion.predicate(wrapped))
    }
}

extension PredicateExpressions.Conditional: TreeConvertible {
    var isTruth: Bool { Output.self == Bool.self || Output.self == Bool?.self }

    func expressionTree(_ conversion: TypedConversion) throws -> ExpressionTree {
        .conditional(
            try conversion.predicate(test), try conversion.expression(trueBranch), try conversion.expression(falseBranch))
    }

    func predicateTree(_ conversion: TypedConversion) throws -> PredicateTree {
        let test = try conversion.predicate(test)
        return .either(
            .all(test, try conversion.sayable(trueBranch).predicateTree(conversion)),
            .all(.negation(test), try conversion.sayable(falseBranch).predicateTree(conversion)))
    }

    func presenceTree(_ conversion: TypedConversion) throws -> PredicateTree {
        let test = try conversion.predicate(test)
        return .either(
            .all(test, try conversion.sayable(trueBranch).presenceTree(conversion)),
            .all(.negation(test), try conversion.sayable(falseBranch).presenceTree(conversion)))
    }
}
