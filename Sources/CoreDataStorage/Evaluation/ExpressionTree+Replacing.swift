import CoreDataPredicate

extension ExpressionTree {
    /// The expression with those parts replaced for which `replacement` answers something; a replaced part is not searched.
    package func replacing(_ replacement: (ExpressionTree) throws -> ExpressionTree?) rethrows -> ExpressionTree {
        if let known = try replacement(self) { return known }
        switch self {
        case .constant, .evaluatedObject, .variable, .anyKey: return self
        case .keyPath(let operand, let keys): return .keyPath(try operand.replacing(replacement), keys)
        case .function(let name, let arguments): return .function(name, try arguments.map { try $0.replacing(replacement) })
        case .block(let block, let arguments): return .block(block, try arguments.map { try $0.replacing(replacement) })
        case .call(let operand, let selector, let arguments):
            return .call(
                operand: try operand.replacing(replacement), selector: selector,
                arguments: try arguments.map { try $0.replacing(replacement) })
        case .cast(let operand, let type): return .cast(try operand.replacing(replacement), type)
        case .aggregate(let elements): return .aggregate(try elements.map { try $0.replacing(replacement) })
        case .subquery(let collection, let variable, let predicate):
            return .subquery(try collection.replacing(replacement), variable: variable, predicate)
        case .conditional(let predicate, let then, let otherwise):
            return .conditional(
                try predicate.replacing(replacement), try then.replacing(replacement), try otherwise.replacing(replacement))
        case .element(let operand, let index): return .element(try operand.replacing(replacement), index)
        case .set(let operation, let left, let right):
            return .set(operation, try left.replacing(replacement), try right.replacing(replacement))
        }
    }
}

extension PredicateTree {
    /// The predicate with its expressions replaced as `ExpressionTree.replacing` does.
    package func replacing(_ replacement: (ExpressionTree) throws -> ExpressionTree?) rethrows -> PredicateTree {
        switch self {
        case .constant, .block: return self
        case .and(let parts): return .and(try parts.map { try $0.replacing(replacement) })
        case .or(let parts): return .or(try parts.map { try $0.replacing(replacement) })
        case .not(let part): return .not(try part.replacing(replacement))
        case .comparison(var comparison):
            comparison.left = try comparison.left.replacing(replacement)
            comparison.right = try comparison.right.replacing(replacement)
            return .comparison(comparison)
        }
    }
}
