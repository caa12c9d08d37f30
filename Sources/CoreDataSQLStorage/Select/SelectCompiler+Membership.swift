import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

/// IN and CONTAINS where one side is a collection.
extension SelectCompiler {
    /// `tags CONTAINS x`, `x IN tags`, `{…} CONTAINS x`; nil when neither side is a collection.
    func membership(_ comparison: Comparison) throws -> SQLFragment? {
        let (collection, element): (ExpressionTree, ExpressionTree)
        switch comparison.operation {
        case .contains: (collection, element) = (comparison.left, comparison.right)
        case .isIn: (collection, element) = (comparison.right, comparison.left)
        default: return nil
        }
        if let path = try toManyPath(collection) {
            if path.rest.contains(where: { $0.hasPrefix("@") }) { return nil }
            let members = try members(path)
            let equal = Comparison(collection, .equal, element, options: comparison.options)
            return exists(members, try compare(equal, members.element, nil))
        }
        guard comparison.operation == .contains else { return nil }
        switch collection {
        case .constant(.list), .aggregate:
            var flipped = comparison
            (flipped.left, flipped.operation, flipped.right) = (element, .isIn, collection)
            return try inList(flipped, try operand(element))
        default: return nil
        }
    }

    /// `left IN list`, or a text within a text.
    func inList(_ comparison: Comparison, _ left: Operand) throws -> SQLFragment {
        switch comparison.right {
        case .constant(.list(let values, _)): return try inValues(comparison, left, values)
        case .aggregate(let elements):
            var values: [PredicateValue] = []
            for element in elements {
                guard let value = try constantValue(element) else { return try inExpressions(comparison, left, elements) }
                values.append(value)
            }
            return try inValues(comparison, left, values)
        case .constant(.null): return SQLFragment("NULL")
        default: return try containsText(comparison, text: try operand(comparison.right), part: left)
        }
    }

    private func inExpressions(_ comparison: Comparison, _ left: Operand, _ elements: [ExpressionTree]) throws -> SQLFragment {
        let parts = try elements.map { element -> SQLFragment in
            // A nil in a list is only found where Swift's nil is meant.
            if case .constant(.null) = element, !comparison.options.contains(.swiftNil) { return SQLFragment("NULL") }
            return try compare(Comparison(comparison.left, .equal, element, options: comparison.options), left, nil).inParentheses
        }
        return parts.isEmpty ? SQLFragment("0") : try SelectCompiler.joined(parts, by: " OR ")
    }

    private func inValues(_ comparison: Comparison, _ left: Operand, _ values: [PredicateValue]) throws -> SQLFragment {
        var type = left.type
        if left.constant != nil { type = .any }
        var converted: [SQLValue] = []
        converted.reserveCapacity(values.count)
        for value in values where !value.isNull { converted.append(try convert(value, to: type)) }
        let hasNull = converted.count < values.count
        let flags = type.isText || type == .any ? foldFlags(comparison) : nil
        var text = try sql(left, as: type)
        if let flags {
            text = fold(text, flags)
            converted = converted.map { if case .text(let text) = $0 { .text(TextForms.fold(text, flags)) } else { $0 } }
        }
        let found = try search(text, converted)
        // Folded ones, and lists with nil, are bound otherwise: no statement is kept of them.
        if flags == nil, !hasNull { boundForms += Array(repeating: .value(type), count: found.values.count - text.values.count) }
        guard hasNull else { return found }
        // In SQL a nil in the list makes "not found" unknown; in Swift it finds nil.
        return found.inParentheses + " OR " + (comparison.options.contains(.swiftNil) ? text + " IS NULL" : SQLFragment("NULL"))
    }

    private func search(_ text: SQLFragment, _ values: [SQLValue]) throws -> SQLFragment {
        if values.isEmpty { return SQLFragment("0") }
        if values.count > SelectCompiler.longestBoundList {
            lists.append(values)
            return text + " IN temp.\(SelectCompiler.listTable(lists.count - 1))"
        }
        let padded = BoundList.padded(values)
        return text + SQLFragment(" IN (\(SQLiteRowStore.placeholders(padded.count)))", padded)
    }

    static func listTable(_ number: Int) -> String { "nl_list_\(number)" }
}
