import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

/// Splits off what only objects can answer of a `#Predicate`: its closures (computed properties, casts, …) and attributes no
/// store keeps. Predicates of formats are left whole: a store refuses such parts of theirs, as Apple's does (PR37).
enum ObjectTest {
    /// Both parts must hold.
    static func split(
        _ predicate: PredicateTree?, _ entity: ResolvedEntity, _ model: ResolvedModel
    ) -> (stored: PredicateTree?, tested: PredicateTree?) {
        guard let predicate, needsObject(predicate, entity, model) else { return (predicate, nil) }
        guard case .and(let parts) = predicate else { return (nil, predicate) }
        let tested = parts.filter { needsObject($0, entity, model) }
        let stored = parts.filter { !needsObject($0, entity, model) }
        return (joined(stored), joined(tested))
    }

    private static func joined(_ parts: [PredicateTree]) -> PredicateTree? {
        parts.count > 1 ? .and(parts) : parts.first
    }

    private static func needsObject(_ tree: PredicateTree, _ entity: ResolvedEntity, _ model: ResolvedModel) -> Bool {
        switch tree {
        case .constant: false
        case .and(let parts), .or(let parts): parts.contains { needsObject($0, entity, model) }
        case .not(let part): needsObject(part, entity, model)
        case .block(let block): block.readsObject
        case .comparison(let comparison):
            comparison.options.contains(.swiftNil)
                && [comparison.left, comparison.right].contains { readsUnstored($0, entity, model) }
        }
    }

    private static func readsUnstored(_ expression: ExpressionTree, _ entity: ResolvedEntity, _ model: ResolvedModel) -> Bool {
        var isFound = false
        _ = expression.replacing { part in
            if case .keyPath(.evaluatedObject, let keys) = part, passesUnstored(keys, entity, model) { isFound = true }
            return nil
        }
        return isFound
    }

    private static func passesUnstored(_ keys: [String], _ start: ResolvedEntity, _ model: ResolvedModel) -> Bool {
        var entity = start
        for key in keys {
            guard let property = entity.property(named: key) else { return false }
            if property.isTransient || property.storage == .fetched { return true }
            guard let relationship = property.relationship else { return false }
            entity = model.entities[relationship.destination]
        }
        return false
    }
}
