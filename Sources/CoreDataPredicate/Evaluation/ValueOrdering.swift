import CoreDataSchema
import Foundation

/// A total order for sorting in memory, as SQLite sorts a column: nil, then numbers and dates, then texts, then bytes, then
/// objects by key.
package enum ValueOrdering {
    package static func compare(
        _ left: PredicateValue, _ right: PredicateValue,
        textCompare: (String, String) -> ComparisonResult = TextComparison.binary
    ) -> ComparisonResult {
        let ranks = (rank(left), rank(right))
        if ranks.0 != ranks.1 { return ranks.0 < ranks.1 ? .orderedAscending : .orderedDescending }
        switch (left, right) {
        case (.string(let a), .string(let b)): return textCompare(a, b)
        case (.url(let a), .url(let b)): return textCompare(a.absoluteString, b.absoluteString)
        case (.url(let a), .string(let b)): return textCompare(a.absoluteString, b)
        case (.string(let a), .url(let b)): return textCompare(a, b.absoluteString)
        case (.reference(let a), .reference(let b)):
            let (a, b) = (a.key.primaryKey, b.key.primaryKey)
            return a < b ? .orderedAscending : a > b ? .orderedDescending : .orderedSame
        default: return ValueComparison.order(left, right) ?? .orderedSame
        }
    }

    private static func rank(_ value: PredicateValue) -> Int {
        switch value {
        case .null: 0
        case .real(let number) where number.isNaN: 0
        case .boolean, .integer, .real, .decimal, .date: 1
        case .string, .url: 2
        case .data: 3
        case .uuid: 4
        case .reference: 5
        case .list: 6
        case .object: 7
        }
    }
}
