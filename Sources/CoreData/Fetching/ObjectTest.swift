import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

/// Splits off what only objects can answer: whether a transformable is equal to a value (a store has its archive, and equal
/// values have many), and of a `#Predicate` its closures (computed properties, casts, …) and attributes no store keeps. The
/// latter of formats are left: a store refuses them, as Apple's does (PR37).
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
            comparesTransformable(comparison, entity, model)
                || comparison.options.contains(.swiftNil)
                    && [comparison.left, comparison.right].contains { readsUnstored($0, entity, model) }
        }
    }

    private static func comparesTransformable(_ comparison: Comparison, _ entity: ResolvedEntity, _ model: ResolvedModel) -> Bool {
        switch comparison.operation {
        case .equal, .notEqual, .isIn: break
        default: return false
        }
        switch (comparison.left, comparison.right) {
        case (_, .constant(.null)), (.constant(.null), _), (_, .constant(.data)), (.constant(.data), _): return false
        case (.keyPath(.evaluatedObject, let keys), .constant), (.keyPath(.evaluatedObject, let keys), .aggregate),
             (.constant, .keyPath(.evaluatedObject, let keys)):
            return endsInTransformable(keys, entity, model)
        default: return false
        }
    }

    private static func endsInTransformable(_ keys: [String], _ start: ResolvedEntity, _ model: ResolvedModel) -> Bool {
        var entity = start
        for key in keys.dropLast() {
            guard let relationship = entity.property(named: key)?.relationship else { return false }
            entity = model.entities[relationship.destination]
        }
        return keys.last.flatMap { entity.property(named: $0) }?.attribute?.type == .transformable
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
