import Foundation

/// What of a predicate no archive can hold: closures, objects that live in a context, parts of a `#Predicate`.
enum ArchiveRefusal {
    /// Why the predicate cannot be archived; nil when it can.
    static func reason(_ tree: PredicateTree) -> String? {
        switch tree {
        case .constant: return nil
        case .and(let parts), .or(let parts): return parts.lazy.compactMap(reason).first
        case .not(let part): return reason(part)
        case .block(let block):
            return block.readsObject ? typed : "A predicate with a closure cannot be archived."
        case .comparison(let comparison):
            if comparison.operation == .custom { return "A predicate that compares by a selector cannot be archived." }
            if comparison.options.contains(.swiftNil) { return typed }
            return reason(comparison.left) ?? reason(comparison.right)
        }
    }

    private static let typed = "An NSPredicate made of a #Predicate cannot be archived. Archive the Predicate itself: it is Codable."

    /// Why the expression cannot be archived; nil when it can.
    static func reason(_ tree: ExpressionTree) -> String? {
        switch tree {
        case .evaluatedObject, .variable, .anyKey: nil
        case .constant(let value): reason(value)
        case .keyPath(let operand, _), .cast(let operand, _): reason(operand)
        case .function(_, let arguments), .aggregate(let arguments): arguments.lazy.compactMap(reason).first
        case .call(let operand, _, let arguments): reason(operand) ?? arguments.lazy.compactMap(reason).first
        case .subquery(let collection, _, let predicate): reason(collection) ?? reason(predicate)
        case .conditional(let test, let then, let otherwise): reason(test) ?? reason(then) ?? reason(otherwise)
        case .element(let operand, .at(let index)): reason(operand) ?? reason(index)
        case .element(let operand, _): reason(operand)
        case .set(_, let left, let right): reason(left) ?? reason(right)
        case .block: "An expression that is a closure cannot be archived."
        }
    }

    private static func reason(_ value: PredicateValue) -> String? {
        switch value {
        case .reference(let object):
            "A predicate that names the object \(object.referent.predicateText) cannot be archived: it lives in a context. Archive its URI."
        case .object: "A predicate with a constant that is no string, number, date, UUID, URL, Data or collection of these cannot be archived."
        case .list(let values, _): values.lazy.compactMap(reason).first
        default: nil
        }
    }
}
