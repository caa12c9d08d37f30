extension PredicateTree {
    /// The tree with every variable that `values` names replaced, others kept; iterators of a SUBQUERY are left alone in it.
    package func substituting(_ values: [String: ExpressionTree]) -> PredicateTree {
        replacing { leaf, bound in
            guard case .variable(let name) = leaf, !bound.contains(name) else { return nil }
            return values[name]
        }
    }

    /// The tree with leaves (constants, variables) replaced by what `leaf` answers for them and the iterators in scope; nil
    /// keeps the leaf.
    func replacing(
        bound: Set<String> = [], _ leaf: (ExpressionTree, Set<String>) -> ExpressionTree?
    ) -> PredicateTree {
        switch self {
        case .constant, .block: return self
        case .and(let parts): return .and(parts.map { $0.replacing(bound: bound, leaf) })
        case .or(let parts): return .or(parts.map { $0.replacing(bound: bound, leaf) })
        case .not(let part): return .not(part.replacing(bound: bound, leaf))
        case .comparison(var comparison):
            comparison.left = comparison.left.replacing(bound: bound, leaf)
            comparison.right = comparison.right.replacing(bound: bound, leaf)
            return .comparison(comparison)
        }
    }
}

extension ExpressionTree {
    func replacing(
        bound: Set<String> = [], _ leaf: (ExpressionTree, Set<String>) -> ExpressionTree?
    ) -> ExpressionTree {
        func inner(_ tree: ExpressionTree) -> ExpressionTree { tree.replacing(bound: bound, leaf) }
        switch self {
        case .evaluatedObject, .anyKey: return self
        case .constant, .variable: return leaf(self, bound) ?? self
        case .keyPath(let operand, let keys): return .keyPath(inner(operand), keys)
        case .function(let name, let arguments): return .function(name, arguments.map(inner))
        case .block(let block, let arguments): return .block(block, arguments.map(inner))
        case .call(let operand, let selector, let arguments):
            return .call(operand: inner(operand), selector: selector, arguments: arguments.map(inner))
        case .cast(let operand, let type): return .cast(inner(operand), type)
        case .aggregate(let parts): return .aggregate(parts.map(inner))
        case .subquery(let collection, let variable, let predicate):
            return .subquery(inner(collection), variable: variable, predicate.replacing(bound: bound.union([variable]), leaf))
        case .conditional(let test, let yes, let no):
            return .conditional(test.replacing(bound: bound, leaf), inner(yes), inner(no))
        case .element(let operand, .at(let index)): return .element(inner(operand), .at(inner(index)))
        case .element(let operand, let index): return .element(inner(operand), index)
        case .set(let operation, let left, let right): return .set(operation, inner(left), inner(right))
        }
    }
}
