import CoreData
import CoreDataPredicate
import CoreDataTestSupport

/// A model made to measure for one format: what its key paths must lead through, and its arguments be.
///
/// An attribute is a number where the format compares it with one, else a text.
final class FittingModel {
    final class Node {
        var numbers: Set<String> = []
        var texts: Set<String> = []
        /// Relationships; true is to-many.
        var links: [String: (isToMany: Bool, node: Node)] = [:]

        func link(_ name: String, isToMany: Bool) -> Node {
            let node = links[name]?.node ?? Node()
            links[name] = (isToMany || links[name]?.isToMany == true, node)
            return node
        }
    }

    let root = Node()
    /// By mark: what the argument stands for.
    private(set) var values: [String: Any] = [:]
    private var variables: [String: Node] = [:]

    /// Walks twice: a later part may say that a key of an earlier one is a relationship.
    init(_ tree: PredicateTree) {
        walk(tree)
        walk(tree)
    }

    private func walk(_ tree: PredicateTree) {
        switch tree {
        case .constant, .block: break
        case .and(let parts), .or(let parts): parts.forEach(walk)
        case .not(let part): walk(part)
        case .comparison(let comparison): walk(comparison)
        }
    }

    private func walk(_ comparison: Comparison) {
        let isNumber = [comparison.left, comparison.right].contains(where: standsForNumber)
        let objects = [comparison.left, comparison.right].map {
            follow($0, isNumber: isNumber, isQuantified: comparison.modifier != .direct)
        }.contains(true)
        for side in [comparison.left, comparison.right] {
            guard case .constant(.string(let mark)) = side, PublicFormats.isMark(mark) else { continue }
            let one: Any = objects ? NSNull() : isNumber ? 1 : "text"
            values[mark] = switch comparison.operation {
            case .isIn: objects ? [] : [one]
            case .between: [one, one]
            default: one
            }
        }
    }

    private func standsForNumber(_ expression: ExpressionTree) -> Bool {
        switch expression {
        case .constant(.integer), .constant(.real), .constant(.boolean), .constant(.decimal), .function: true
        case .keyPath(_, let keys): keys.last == "@count"
        default: false
        }
    }

    /// Notes what the expression needs; whether it ends in objects.
    private func follow(_ expression: ExpressionTree, isNumber: Bool, isQuantified: Bool) -> Bool {
        switch expression {
        case .evaluatedObject: return true
        case .keyPath(.evaluatedObject, let keys): return follow(keys, from: root, isNumber, isQuantified)
        case .keyPath(.variable(let name), let keys):
            return follow(keys, from: variables[name] ?? Node(), isNumber, isQuantified)
        case .keyPath(.subquery(let collection, let variable, let condition), _):
            subquery(collection, variable, condition)
            return false
        case .keyPath(.element(.keyPath(.evaluatedObject, let list), _), let keys):
            return follow(keys, from: root.link(list[0], isToMany: true), isNumber, false)
        case .function(_, let arguments):
            for argument in arguments { _ = follow(argument, isNumber: true, isQuantified: isQuantified) }
            return false
        default: return false
        }
    }

    private func subquery(_ collection: ExpressionTree, _ variable: String, _ condition: PredicateTree) {
        guard case .keyPath(let base, let keys) = collection else { return }
        var start = root
        if case .variable(let name) = base { start = variables[name] ?? start }
        let hidden = variables[variable]
        variables[variable] = start.link(keys[0], isToMany: true)
        walk(condition)
        variables[variable] = hidden
    }

    private func follow(_ keys: [String], from start: Node, _ isNumber: Bool, _ isQuantified: Bool) -> Bool {
        var node = start
        for (index, key) in keys.enumerated() {
            let next = index + 1 < keys.count ? keys[index + 1] : nil
            if next == nil, !(isQuantified && index == 0), node.links[key] == nil {
                if isNumber { node.numbers.insert(key) } else { node.texts.insert(key) }
                return false
            }
            node = node.link(key, isToMany: next?.hasPrefix("@") == true || isQuantified && index == 0)
            if next == nil { return true }
            if next?.hasPrefix("@") == true { return false }
        }
        return false
    }

    func make() -> NSManagedObjectModel {
        var entities: [NSEntityDescription] = []
        _ = entity(root, named: "Root", &entities)
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    private func entity(_ node: Node, named name: String, _ entities: inout [NSEntityDescription]) -> NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = name
        entities.append(entity)
        var properties: [NSPropertyDescription] = []
        for key in node.numbers.union(node.texts).subtracting(node.links.keys) {
            let attribute = NSAttributeDescription()
            attribute.name = key
            attribute.attributeType = node.numbers.contains(key) ? .integer64AttributeType : .stringAttributeType
            properties.append(attribute)
        }
        for (key, link) in node.links {
            let relationship = NSRelationshipDescription()
            let back = NSRelationshipDescription()
            let destination = self.entity(link.node, named: name + "_" + key, &entities)
            (relationship.name, relationship.destinationEntity, relationship.maxCount) = (key, destination, link.isToMany ? 0 : 1)
            relationship.isOrdered = link.isToMany
            (back.name, back.destinationEntity, back.maxCount) = ("back_" + key, entity, 1)
            (relationship.inverseRelationship, back.inverseRelationship) = (back, relationship)
            (relationship.isOptional, back.isOptional) = (true, true)
            destination.properties.append(back)
            properties.append(relationship)
        }
        entity.properties += properties
        return entity
    }
}
