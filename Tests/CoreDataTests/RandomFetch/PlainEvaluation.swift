import Foundation

/// What a comparison with nil means: see ARCHITECTURE, “Nil in predicates”.
enum PlainRules {
    /// `evaluate(with:)` and unsaved objects: nil is a value for `==`, `!=` and IN; any other comparison with it is false.
    case memory
    /// Stores: any comparison with nil is unknown, unless a written nil asks for it; only what is true is found.
    case sql
}

/// The reference: evaluates the test's own predicates on the test's own values, in the plainest words.
final class PlainEvaluation {
    let world: PlainWorld
    let rules: PlainRules
    /// Comparisons in which nil took part.
    private(set) var meetings: Set<PlainComparison> = []

    init(_ world: PlainWorld, _ rules: PlainRules) {
        self.world = world
        self.rules = rules
    }

    func holds(_ predicate: PlainPredicate, _ number: Int) -> Bool { truth(predicate, [nil: number]) == true }

    /// Objects by name; nil is SELF.
    typealias Names = [String?: Int]

    private func truth(_ predicate: PlainPredicate, _ names: Names) -> Bool? {
        switch predicate {
        case .truth(let value): return value
        case .not(let part): return truth(part, names).map { !$0 }
        case .and(let parts):
            let truths = parts.map { truth($0, names) }
            return truths.contains(false) ? false : truths.contains(nil) ? nil : true
        case .or(let parts):
            let truths = parts.map { truth($0, names) }
            return truths.contains(true) ? true : truths.contains(nil) ? nil : false
        case .compare(let comparison): return truth(comparison, names)
        }
    }

    private func truth(_ comparison: PlainComparison, _ names: Names) -> Bool? {
        let left = value(comparison.left, names), right = value(comparison.right, names)
        if comparison.quantifier == .direct { return compare(comparison, left, right) }
        let elements = left.elements ?? (left.isNone ? [] : [left])
        let truths = elements.map { compare(comparison, $0, right) == true }
        switch comparison.quantifier {
        case .all: return truths.allSatisfy { $0 }
        case .none: return !truths.contains(true)
        default: return truths.contains(true)
        }
    }

    private func note(_ comparison: PlainComparison, _ values: PlainValue...) {
        if values.contains(.none) { meetings.insert(comparison) }
    }

    /// One value against one, or against a list of them.
    private func compare(_ comparison: PlainComparison, _ left: PlainValue, _ right: PlainValue) -> Bool? {
        note(comparison, left, right)
        switch comparison.operation {
        case .equal, .notEqual:
            let asked = comparison.left == .constant(.none) || comparison.right == .constant(.none)
            guard let equal = equal(left, right, comparison.options, asked: asked) else { return nil }
            return comparison.operation == .equal ? equal : !equal
        case .isIn: return isMember(left, of: right, comparison.right, comparison)
        case .contains where left.elements != nil: return isMember(right, of: left, comparison.left, comparison)
        case .between:
            let bounds = right.elements ?? []
            note(comparison, bounds[0], bounds[1])
            let low = ordered(left, bounds[0], comparison.options) { $0 >= 0 }
            let high = ordered(left, bounds[1], comparison.options) { $0 <= 0 }
            return low == false || high == false ? false : low == nil || high == nil ? nil : true
        case .less: return ordered(left, right, comparison.options) { $0 < 0 }
        case .lessOrEqual: return ordered(left, right, comparison.options) { $0 <= 0 }
        case .greater: return ordered(left, right, comparison.options) { $0 > 0 }
        case .greaterOrEqual: return ordered(left, right, comparison.options) { $0 >= 0 }
        default: return matches(comparison, left, right)
        }
    }

    private func equal(_ left: PlainValue, _ right: PlainValue, _ options: PlainOptions, asked: Bool = false) -> Bool? {
        if left.isNone || right.isNone { return rules == .memory || asked ? left.isNone && right.isNone : nil }
        // Lists in their order; whether their members are nil is always known.
        if let a = left.elements, let b = right.elements {
            return a.count == b.count && zip(a, b).allSatisfy { $0.isNone ? $1.isNone : !$1.isNone && PlainValue.order($0, $1, options) == 0 }
        }
        return PlainValue.order(left, right, options) == 0
    }

    private func ordered(_ left: PlainValue, _ right: PlainValue, _ options: PlainOptions, _ accepts: (Int) -> Bool) -> Bool? {
        if left.isNone || right.isNone { return rules == .memory ? false : nil }
        return PlainValue.order(left, right, options).map(accepts) ?? false
    }

    private func isMember(_ value: PlainValue, of list: PlainValue, _ source: PlainExpression, _ comparison: PlainComparison) -> Bool? {
        guard let elements = list.elements else { return rules == .memory ? false : nil }
        if elements.isEmpty { return false }
        note(comparison, elements.contains(.none) ? .none : value)
        let truths = elements.map { equal(value, $0, comparison.options) }
        if truths.contains(true) { return true }
        // Of a relationship it is always known who belongs to it.
        if case .path = source { return false }
        return truths.contains(nil) ? nil : false
    }

    private func matches(_ comparison: PlainComparison, _ left: PlainValue, _ right: PlainValue) -> Bool? {
        if left.isNone || right.isNone { return rules == .memory ? false : nil }
        guard let text = left.string else { return false }
        if case .pattern(let pattern) = comparison.right { return pattern.matches(text, comparison.options) }
        guard let part = right.string else { return false }
        switch comparison.operation {
        case .begins: return PlainText.begins(text, part, comparison.options)
        case .ends: return PlainText.ends(text, part, comparison.options)
        case .contains: return PlainText.contains(text, part, comparison.options)
        default: return PlainText.isLike(text, part, comparison.options)
        }
    }
}

// MARK: expressions

extension PlainEvaluation {
    func value(_ expression: PlainExpression, _ names: Names) -> PlainValue {
        switch expression {
        case .constant(let value): return value
        case .pattern(let pattern): return .text(pattern.text)
        case .list(let elements): return .many(elements.map { value($0, names) })
        case .path(let variable, let keys): return names[variable].map { follow(keys, from: $0) } ?? .none
        case .arithmetic(let symbol, let a, let b): return PlainArithmetic.combine(symbol, value(a, names), value(b, names))
        case .call(let name, let arguments): return PlainArithmetic.call(name, arguments.map { value($0, names) })
        case .aggregate(let name, let variable, let collection, let key):
            let members = names[variable].map { follow(collection, from: $0) } ?? .none
            // Over a broken link a store finds no members, and key-value coding finds nil.
            if members.isNone, rules == .memory { return .none }
            return PlainArithmetic.aggregate(name, (members.elements ?? []).map { member in
                if case .thing(let number) = member, !key.isEmpty { follow([key], from: number) } else { member }
            })
        case .subqueryCount(let variable, let collection, let element, let predicate):
            let members = names[variable].map { follow(collection, from: $0) } ?? .none
            let count = (members.elements ?? []).count { member in
                guard case .thing(let number) = member else { return false }
                var inner = names
                inner[element] = number
                return truth(predicate, inner) == true
            }
            return .whole(Int64(count))
        case .conditional(let test, let a, let b): return truth(test, names) == true ? value(a, names) : value(b, names)
        case .element(let collection, let first, let key):
            let members = names[nil].map { follow(collection, from: $0) }?.elements ?? []
            guard case .thing(let number)? = first ? members.first : members.last else { return .none }
            return follow([key], from: number)
        }
    }

    /// A value, `.none` for a broken link, or many once the path has passed a to-many: nil at the end is one of them.
    func follow(_ keys: [String], from number: Int) -> PlainValue {
        let value = walk(keys, from: number)
        // No members are behind a broken link, for a store.
        return value.isNone && rules == .sql && passesMany(keys, world.things[number]?.kind) ? .many([]) : value
    }

    private func walk(_ keys: [String], from number: Int) -> PlainValue {
        guard let key = keys.first else { return .thing(number) }
        guard let thing = world.things[number] else { return .none }
        let rest = Array(keys.dropFirst())
        guard let link = thing.kind.link(key) else { return thing.values[key] ?? .none }
        let members = thing.links[key] ?? []
        guard link.isToMany else {
            guard let member = members.first else { return .none }
            return follow(rest, from: member)
        }
        return .many(members.flatMap { member -> [PlainValue] in
            let value = follow(rest, from: member)
            if let inner = value.elements { return inner }
            // A member without the link leads nowhere; what is nil at the very end is an element.
            let isBroken = rest.count > 1 && follow(Array(rest.dropLast()), from: member).isNone
            return isBroken ? [] : [value]
        })
    }

    private func passesMany(_ keys: [String], _ kind: FetchKind?) -> Bool {
        guard let key = keys.first, let link = kind?.link(key) else { return false }
        return link.isToMany || passesMany(Array(keys.dropFirst()), link.destination)
    }
}
