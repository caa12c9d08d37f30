import CoreDataPredicate
import CoreDataSchema

/// `count:(people)`, `sum:(people.wage)`: functions of a to-many in a dictionary fetch's columns.
enum ToManyFunctions {
    private static let operators = ["count:": "@count", "sum:": "@sum", "min:": "@min", "max:": "@max", "average:": "@avg"]

    /// The expression with such functions as collection operators of each row; over the rows of a group their sum, least or
    /// greatest. Other functions sum up the fetched rows and stay.
    static func rewritten(_ expression: ExpressionTree, of entity: EntityRuntime, isGrouped: Bool) -> ExpressionTree {
        expression.replacing { part in
            guard case .function(let name, let arguments) = part, let sign = operators[name], arguments.count == 1,
                  case .keyPath(.evaluatedObject, let keys) = arguments[0], let end = lastToMany(keys, entity)
            else { return nil }
            let rest = Array(keys[(end + 1)...])
            // An average of averages is another number.
            if isGrouped && name == "average:" || rest.contains(where: { $0.hasPrefix("@") }) { return nil }
            let counted = name == "count:" ? [sign] : [sign] + rest
            let each = ExpressionTree.keyPath(.evaluatedObject, Array(keys[...end]) + counted)
            return isGrouped ? .function(name == "count:" ? "sum:" : name, [each]) : each
        }
    }

    /// The place of the last to-many relationship of a key path; nil when it has none.
    private static func lastToMany(_ keys: [String], _ entity: EntityRuntime) -> Int? {
        var current = entity.resolved
        var last: Int?
        for (index, key) in keys.enumerated() {
            guard let relationship = current.property(named: key)?.relationship else { break }
            if relationship.isToMany { last = index }
            current = entity.resolvedModel.entities[relationship.destination]
        }
        return last
    }
}
