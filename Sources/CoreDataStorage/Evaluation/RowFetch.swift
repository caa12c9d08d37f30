import CoreDataPredicate
import CoreDataSchema

/// Answers a checked plan from rows in memory, with SQL's rules for nil.
package enum RowFetch {
    /// `rows` are the candidates: every row of the plan's entities, in primary-key order.
    package static func answer(_ plan: FetchPlan, from rows: [RowBlock], _ resolver: RowResolver) throws -> FetchOutcome {
        let rows = try matching(plan.predicate, rows, resolver)
        switch plan.result {
        case .count: return .count(window(rows, plan).count)
        case .rows: return .rows(window(try sorted(rows, plan.sort, resolver), plan))
        case .keys: return .keys(window(try sorted(rows, plan.sort, resolver), plan).map(\.key))
        case .dictionaries(let dictionary):
            return .dictionaries(window(try DictionaryFetch(dictionary, plan.sort, resolver).rows(from: rows), plan))
        }
    }

    /// The rows for which the predicate is true: neither false nor unknown.
    package static func matching(_ predicate: PredicateTree?, _ rows: [RowBlock], _ resolver: RowResolver) throws -> [RowBlock] {
        guard let predicate else { return rows }
        return try rows.filter { try RowEvaluation.isTrue(predicate, for: RowSubject($0, resolver)) }
    }

    package static func sorted(_ rows: [RowBlock], _ terms: [SortTerm], _ resolver: RowResolver) throws -> [RowBlock] {
        try ValueSort.sort(rows, by: terms) { try resolver.value(of: $0, at: $1.keyPath) }
    }

    private static func window<Element>(_ elements: [Element], _ plan: FetchPlan) -> [Element] {
        if plan.offset <= 0 && plan.limit <= 0 { return elements }
        let rest = elements.dropFirst(max(0, plan.offset))
        return Array(plan.limit > 0 ? rest.prefix(plan.limit) : rest)
    }
}
