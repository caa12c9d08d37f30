import CoreDataPredicate

/// Finds what a column of a grouped dictionary fetch takes from single rows.
enum GroupedColumns {
    /// A part that is neither constant, nor grouped by, nor summed up, as text; nil when there is none.
    static func ungrouped(in expression: ExpressionTree, _ groups: [ExpressionTree]) -> String? {
        if groups.contains(expression) { return nil }
        switch expression {
        case .constant, .variable, .anyKey: return nil
        case .keyPath(.evaluatedObject, let keys):
            return AggregateSearch.isAggregate(keys) ? nil : keys.joined(separator: ".")
        case .function(let name, let arguments):
            if AggregateSearch.functions.contains(name) { return nil }
            return arguments.lazy.compactMap { ungrouped(in: $0, groups) }.first
        case .cast(let operand, _): return ungrouped(in: operand, groups)
        case .conditional(_, let then, let otherwise): return ungrouped(in: then, groups) ?? ungrouped(in: otherwise, groups)
        case .evaluatedObject, .keyPath, .call, .aggregate, .subquery, .element, .set, .block: return PredicatePrinter.text(of: expression)
        }
    }
}
