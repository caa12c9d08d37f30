import CoreDataPredicate
import CoreDataSchema
import Foundation

/// Reads a predicate from the command line.
///
/// The format language has no literals for dates and UUIDs: a text compared with an attribute of such a type is read as one.
struct PredicateText {
    private let model: ResolvedModel

    static func read(_ text: String, _ entity: ResolvedEntity, _ model: ResolvedModel) throws -> PredicateTree {
        let tree: PredicateTree
        do { tree = try PredicateFormat.parse(text) } catch { throw CommandFailure(.usage, error.description) }
        return PredicateText(model: model).typed(try tree.flattened(), entity)
    }

    private func typed(_ tree: PredicateTree, _ entity: ResolvedEntity) -> PredicateTree {
        switch tree {
        case .and(let parts): return .and(parts.map { typed($0, entity) })
        case .or(let parts): return .or(parts.map { typed($0, entity) })
        case .not(let part): return .not(typed(part, entity))
        case .comparison(var comparison):
            if let type = type(of: comparison.left, entity) {
                comparison.right = typed(comparison.right, type)
            } else if let type = type(of: comparison.right, entity) {
                comparison.left = typed(comparison.left, type)
            }
            return .comparison(comparison)
        case .constant, .block: return tree
        }
    }

    /// The type of the attribute a key path leads to.
    private func type(of expression: ExpressionTree, _ entity: ResolvedEntity) -> AttributeType? {
        guard case .keyPath(.evaluatedObject, let keys) = expression else { return nil }
        var current = entity
        for (index, key) in keys.enumerated() {
            guard let property = current.property(named: key) else { return nil }
            if index == keys.count - 1 { return property.attribute?.type }
            guard let relationship = property.relationship else { return nil }
            current = model.entities[relationship.destination]
        }
        return nil
    }

    private func typed(_ expression: ExpressionTree, _ type: AttributeType) -> ExpressionTree {
        switch expression {
        case .aggregate(let parts): return .aggregate(parts.map { typed($0, type) })
        case .constant(.list(let values)): return .constant(.list(values.map { typed($0, type) }))
        case .constant(let value): return .constant(typed(value, type))
        default: return expression
        }
    }

    private func typed(_ value: PredicateValue, _ type: AttributeType) -> PredicateValue {
        guard case .string(let text) = value else { return value }
        switch type {
        case .date: return DateText.seconds(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) } ?? value
        case .uuid: return UUID(uuidString: text).map(PredicateValue.uuid) ?? value
        default: return value
        }
    }
}
