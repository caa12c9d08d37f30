import CoreDataPredicate
import CoreDataSchema

/// Makes the rows of a dictionary fetch: columns, groups, HAVING, sorting, distinct.
///
/// Invariant: with GROUP BY or an aggregate column each row stands for a group; otherwise for one stored row.
struct DictionaryFetch {
    private let plan: DictionaryPlan
    private let sort: [SortTerm]
    private let resolver: RowResolver

    init(_ plan: DictionaryPlan, _ sort: [SortTerm], _ resolver: RowResolver) {
        self.plan = plan
        self.sort = sort
        self.resolver = resolver
    }

    private struct Line {
        var values: [PredicateValue]
        /// A stored row the line stands for; nil for the group of no rows.
        var row: RowBlock?
    }

    func rows(from stored: [RowBlock]) throws -> [[PredicateValue]] {
        let lines = plan.isGrouped ? try grouped(stored) : try stored.map(line)
        let sorted = try ValueSort.sort(lines, by: sort, value: sortValue)
        if !plan.isDistinct { return sorted.map(\.values) }
        var seen = Set<[PredicateValue]>()
        return sorted.map(\.values).filter { seen.insert($0).inserted }
    }

    private func sortValue(_ line: Line, _ term: SortTerm) throws -> PredicateValue {
        if term.keyPath.count == 1, let column = plan.columns.firstIndex(where: { $0.name == term.keyPath[0] }) {
            return line.values[column]
        }
        return try line.row.map { try resolver.value(of: $0, at: term.keyPath) } ?? .null
    }

    private func line(_ row: RowBlock) throws -> Line {
        Line(values: try plan.columns.map { ColumnType.convert(try value($0.expression, row), to: $0.type) }, row: row)
    }

    private func value(_ expression: ExpressionTree, _ row: RowBlock?) throws -> PredicateValue {
        switch expression {
        case .constant(let value): return value
        case .keyPath(.evaluatedObject, let keys) where !keys.contains { $0.hasPrefix("@") }:
            return try row.map { try resolver.value(of: $0, at: keys) } ?? .null
        case .evaluatedObject: return row.map { .reference(PredicateReference(BareReference($0.key))) } ?? .null
        default: return try RowEvaluation.value(of: expression, for: row.map { RowSubject($0, resolver) })
        }
    }

    private func grouped(_ stored: [RowBlock]) throws -> [Line] {
        var lines: [Line] = []
        for group in try groups(stored) {
            let aggregation = Aggregation(rows: group) { try value($0, $1) }
            let values = try plan.columns.map { column in
                ColumnType.convert(try value(try aggregation.resolve(column.expression), group.first), to: column.type)
            }
            if let having = plan.having, !(try passes(having, values, aggregation, group.first)) { continue }
            lines.append(Line(values: values, row: group.first))
        }
        return lines
    }

    /// Rows with equal values of the grouped keys, groups in the order of those values.
    private func groups(_ stored: [RowBlock]) throws -> [[RowBlock]] {
        if plan.groupBy.isEmpty { return [stored] }
        let expressions = plan.groupBy.map(plan.groupExpression)
        var places: [[PredicateValue]: Int] = [:]
        var groups: [(values: [PredicateValue], rows: [RowBlock])] = []
        for row in stored {
            let values = try expressions.map { try value($0, row) }
            if let place = places[values] {
                groups[place].rows.append(row)
            } else {
                places[values] = groups.count
                groups.append((values, [row]))
            }
        }
        let terms = plan.groupBy.indices.map { SortTerm(keyPath: ["\($0)"], isAscending: true) }
        return ValueSort.sort(groups, by: terms) { group, term in group.values[Int(term.keyPath[0]) ?? 0] }.map(\.rows)
    }

    /// HAVING names columns as variables or keys, and may aggregate for itself.
    private func passes(
        _ having: PredicateTree, _ values: [PredicateValue], _ aggregation: Aggregation, _ row: RowBlock?
    ) throws -> Bool {
        var columns: [String: PredicateValue] = [:]
        for (column, value) in zip(plan.columns, values) { columns[column.name] = value }
        let tree = try having.replacing { expression in
            switch expression {
            case .keyPath(.evaluatedObject, let keys) where keys.count == 1 && columns[keys[0]] != nil:
                columns[keys[0]].map(ExpressionTree.constant)
            case .variable(let name): columns[name].map(ExpressionTree.constant)
            default: try aggregation.constant(expression)
            }
        }
        return try RowEvaluation.isTrue(tree, for: row.map { RowSubject($0, resolver) })
    }
}
