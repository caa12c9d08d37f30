/// What was compared with what, and how often: operator × type × nil × path.
struct FetchCoverage {
    private struct Cell: Hashable {
        let operation: String
        let type: String
        let path: String
    }

    private var counts: [Cell: (all: Int, withNil: Int)] = [:]
    private(set) var predicates = 0
    private(set) var found = 0

    mutating func note(_ predicate: PlainPredicate, meetings: Set<PlainComparison>, isEmpty: Bool) {
        predicates += 1
        if !isEmpty { found += 1 }
        for comparison in predicate.comparisons {
            let operation = comparison.quantifier.rawValue + comparison.operation.rawValue + comparison.options.format
            let cell = Cell(operation: operation, type: comparison.type, path: comparison.shape)
            var count = counts[cell] ?? (0, 0)
            count.all += 1
            if meetings.contains(comparison) { count.withNil += 1 }
            counts[cell] = count
        }
    }

    func count(_ operation: PlainOperator, _ type: FetchType) -> Int {
        counts.reduce(0) { total, entry in
            let isSame = entry.key.type == type.rawValue && entry.key.operation.split(separator: "[")[0] == operation.rawValue
            return total + (isSame ? entry.value.all : 0)
        }
    }

    var shapes: Set<String> { Set(counts.keys.map(\.path)) }

    /// One block a kind of path, one line an operator, one column a type: how often, and how often with nil.
    var table: String {
        var lines: [String] = []
        for path in shapes.sorted() {
            let cells = counts.filter { $0.key.path == path }
            let types = Set(cells.map(\.key.type)).sorted(), operations = Set(cells.map(\.key.operation)).sorted()
            if cells.reduce(0, { $0 + $1.value.all }) < 20 { continue }
            lines.append("\npath \(path)")
            lines.append(pad("", 16) + types.map { pad($0, 13) }.joined())
            for operation in operations {
                lines.append(pad(operation, 16) + types.map { type in
                    let count = counts[Cell(operation: operation, type: type, path: path)]
                    return pad(count.map { "\($0.all)/\($0.withNil)" } ?? "·", 13)
                }.joined())
            }
        }
        return lines.joined(separator: "\n")
    }

    private func pad(_ text: String, _ width: Int) -> String { text + String(repeating: " ", count: max(1, width - text.count)) }
}
