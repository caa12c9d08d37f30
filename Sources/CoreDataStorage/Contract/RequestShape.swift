import CoreDataPredicate
import CoreDataSchema

/// What requests have in common that differ in constants only: a predicate of comparisons of key paths with plain values (IN, BETWEEN
/// and BEGINSWITH too), joined by AND, OR and NOT, and what is sorted by.
///
/// Made of a request that was checked and whose constants may stand as they are. Both follow from the kinds of the constants, never
/// from their values: the next request of the shape need not be checked, and a store can keep the statement.
package final class RequestShape: Sendable {
    package let sort: [SortTerm]
    private let predicate: PredicateTree?

    /// nil for predicates that say more.
    package init?(_ predicate: PredicateTree?, sort: [SortTerm]) {
        self.predicate = predicate
        self.sort = sort
        if constants(of: predicate) == nil { return nil }
    }

    /// The constants of a predicate of this shape, in order; nil when it is of another.
    package func constants(of other: PredicateTree?) -> [PredicateValue]? {
        guard let predicate, let other else { return predicate == nil && other == nil ? [] : nil }
        var constants: [PredicateValue] = []
        return RequestShape.collect(predicate, other, &constants) ? constants : nil
    }

    private static func collect(_ tree: PredicateTree, _ other: PredicateTree, _ constants: inout [PredicateValue]) -> Bool {
        switch (tree, other) {
        case (.and(let parts), .and(let others)), (.or(let parts), .or(let others)):
            guard parts.count == others.count else { return false }
            for index in parts.indices where !collect(parts[index], others[index], &constants) { return false }
            return true
        case (.not(let part), .not(let other)): return collect(part, other, &constants)
        case (.comparison(let comparison), .comparison(let other)): return collect(comparison, other, &constants)
        default: return false
        }
    }

    private static func collect(_ comparison: Comparison, _ other: Comparison, _ constants: inout [PredicateValue]) -> Bool {
        guard comparison.operation == other.operation, comparison.modifier == .direct, other.modifier == .direct,
              comparison.options == other.options,
              case .keyPath(.evaluatedObject, let keys) = comparison.left, case .keyPath(.evaluatedObject, let otherKeys) = other.left,
              keys == otherKeys, !keys.contains(where: { $0.hasPrefix("@") }),
              let values = bound(comparison), let others = bound(other), values.count == others.count, let value = values.first,
              kind(value) == kind(others[0])
        else { return false }
        constants += others
        return true
    }

    /// What a statement binds for a comparison, all of one kind; nil when its values decide on more.
    private static func bound(_ comparison: Comparison) -> [PredicateValue]? {
        switch comparison.operation {
        case .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
            guard case .constant(let value) = comparison.right, kind(value) != nil else { return nil }
            return [value]
        case .beginsWith:
            // As a range, from the text to the end of all that begin so: an empty one has none.
            guard case .constant(.string(let text)) = comparison.right, !text.isEmpty else { return nil }
            return [.string(text), .string(text)]
        case .between: return list(comparison.right).flatMap { $0.count == 2 ? $0 : nil }
        case .isIn: return list(comparison.right).map(BoundList.padded)
        default: return nil
        }
    }

    /// A list of values of one kind, none of them nil.
    private static func list(_ expression: ExpressionTree) -> [PredicateValue]? {
        var values: [PredicateValue] = []
        switch expression {
        case .constant(.list(let list, _)): values = list
        case .aggregate(let parts):
            for part in parts {
                guard case .constant(let value) = part else { return nil }
                values.append(value)
            }
        default: return nil
        }
        guard let first = values.first.flatMap(kind), first != 0, values.allSatisfy({ kind($0) == first }) else { return nil }
        return values
    }

    /// nil for what is no single value.
    private static func kind(_ value: PredicateValue) -> Int? {
        switch value {
        case .null: 0
        case .boolean: 1
        case .integer: 2
        case .real: 3
        case .decimal: 4
        case .string: 5
        case .date: 6
        case .data: 7
        case .uuid: 8
        case .url: 9
        case .reference: 10
        case .list, .object: nil
        }
    }
}

/// The shapes of requests a model has seen, newest last.
package final class RequestShapes: Sendable {
    private static let limit = 32
    private let known: LockedValue<[[RequestShape]]>

    package init(entities: Int) { known = LockedValue(Array(repeating: [], count: entities)) }

    package func find(_ entity: Int, _ predicate: PredicateTree?, _ sort: [SortTerm]) -> (RequestShape, [PredicateValue])? {
        // Matched outside of the lock: another thread may ask meanwhile.
        for shape in known.withLock({ $0[entity] }).reversed() where shape.sort == sort {
            if let constants = shape.constants(of: predicate) { return (shape, constants) }
        }
        return nil
    }

    package func add(_ shape: RequestShape, _ entity: Int) {
        known.withLock { known in
            if known[entity].count >= Self.limit { known[entity].removeFirst() }
            known[entity].append(shape)
        }
    }
}
