/// UNION, INTERSECT and MINUS: sets, their members in order of first appearance. A single value counts as a set of one.
enum SetOperations {
    static func combine(_ operation: SetOperation, _ left: PredicateValue, _ right: PredicateValue) throws -> PredicateValue {
        let (a, b) = (elements(left), elements(right))
        switch operation {
        case .union: return .list(distinct(a + b), isOrdered: false)
        case .intersect:
            let others = Set(b)
            return .list(distinct(a.filter(others.contains)), isOrdered: false)
        case .minus:
            let others = Set(b)
            return .list(distinct(a.filter { !others.contains($0) }), isOrdered: false)
        }
    }

    static func distinct(_ values: [PredicateValue]) -> [PredicateValue] {
        var seen: Set<PredicateValue> = []
        return values.filter { seen.insert($0).inserted }
    }

    private static func elements(_ value: PredicateValue) -> [PredicateValue] {
        switch value {
        case .list(let elements, _): elements
        case .null: []
        default: [value]
        }
    }
}
