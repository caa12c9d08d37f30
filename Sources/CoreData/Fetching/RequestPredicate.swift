import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

/// What only the graph can say of a request's predicate, said before a store sees it: entity descriptions become their
/// names, keys of constant objects (`$FETCH_SOURCE.dept`) their values, and fetches inside (`NSFetchRequestExpression`) what they find. On the context's queue.
enum RequestPredicate {
    static func prepared(_ tree: PredicateTree) throws -> PredicateTree {
        guard needsWork(tree) else { return tree }
        return try worked(named(tree))
    }

    private static func worked(_ tree: PredicateTree) throws -> PredicateTree {
        try tree.replacing { expression in
            switch expression {
            case .subquery(let collection, let variable, let predicate) where needsWork(predicate):
                return .subquery(collection, variable: variable, try worked(predicate))
            case .keyPath(.constant, _): break
            case .block(let block, _) where block.constant != nil: break
            default: return nil
            }
            return .constant(try PredicateEvaluation.evaluate(
                expression: expression, subject: PredicateSubjects.subject(of: nil), rules: .memory))
        }
    }

    /// Most predicates are comparisons of keys with plain values.
    private static func needsWork(_ tree: PredicateTree) -> Bool {
        switch tree {
        case .constant, .block: false
        case .and(let parts), .or(let parts): parts.contains(where: needsWork)
        case .not(let part): needsWork(part)
        case .comparison(let comparison): needsWork(comparison.left) || needsWork(comparison.right)
        }
    }

    private static func needsWork(_ expression: ExpressionTree) -> Bool {
        switch expression {
        case .constant(.object): true
        case .constant(.list(let values, _)): if case .object = values.first { true } else { false }
        case .constant, .evaluatedObject, .variable, .anyKey, .keyPath(.evaluatedObject, _): false
        case .keyPath(.constant, _): true
        case .keyPath(let operand, _), .cast(let operand, _): needsWork(operand)
        case .aggregate(let parts), .function(_, let parts): parts.contains(where: needsWork)
        case .subquery(let collection, _, let predicate): needsWork(collection) || needsWork(predicate)
        case .conditional(let test, let then, let otherwise): needsWork(test) || needsWork(then) || needsWork(otherwise)
        case .call, .element, .set, .block: true
        }
    }

    // MARK: Entities

    private static func named(_ tree: PredicateTree) throws -> PredicateTree {
        switch tree {
        case .constant, .block: return tree
        case .and(let parts): return .and(try parts.map(named))
        case .or(let parts): return .or(try parts.map(named))
        case .not(let part): return .not(try named(part))
        case .comparison(var comparison):
            comparison.left = try named(inside: comparison.left)
            comparison.right = try named(inside: comparison.right)
            if let name = entityNames(comparison.right) {
                (comparison.left, comparison.right) = (asked(comparison.left), name)
            } else if let name = entityNames(comparison.left) {
                (comparison.left, comparison.right) = (name, asked(comparison.right))
            }
            return .comparison(comparison)
        }
    }

    private static func named(inside expression: ExpressionTree) throws -> ExpressionTree {
        try expression.replacing { part in
            switch part {
            case .subquery(let collection, let variable, let predicate):
                .subquery(try named(inside: collection), variable: variable, try named(predicate))
            case .conditional(let test, let then, let otherwise):
                .conditional(try named(test), try named(inside: then), try named(inside: otherwise))
            default: nil
            }
        }
    }

    /// `entity` as `entity.name`.
    private static func asked(_ expression: ExpressionTree) -> ExpressionTree {
        if case .keyPath(let operand, let keys) = expression { .keyPath(operand, keys + ["name"]) } else { expression }
    }

    /// The names of the entity descriptions that a constant is made of; nil when it is something else.
    private static func entityNames(_ expression: ExpressionTree) -> ExpressionTree? {
        switch expression {
        case .constant(.object(let object)): return name(object).map { .constant(.string($0)) }
        case .constant(.list(let values, _)) where !values.isEmpty:
            let names = values.compactMap { value -> String? in if case .object(let object) = value { name(object) } else { nil } }
            return names.count == values.count ? .constant(.list(names.map(PredicateValue.string))) : nil
        case .aggregate(let parts) where !parts.isEmpty:
            let names = parts.compactMap(entityNames)
            return names.count == parts.count ? .aggregate(names) : nil
        default: return nil
        }
    }

    private static func name(_ object: OpaqueObject) -> String? { (object.value as? NSEntityDescription)?.name }
}
