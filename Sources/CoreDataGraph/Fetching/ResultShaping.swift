import CoreDataPredicate
import CoreDataStorage

/// Puts a fetch's elements in order and cuts the window.
package enum ResultShaping {
    /// Sorted by `terms` (stable), without the first `offset`, at most `limit` (0 is no limit).
    package static func shape<Element>(
        _ elements: [Element], by terms: [SortTerm], offset: Int, limit: Int,
        value: (Element, SortTerm) throws -> PredicateValue
    ) rethrows -> [Element] {
        window(try ValueSort.sort(elements, by: terms, value: value), offset: offset, limit: limit)
    }

    /// Without the first `offset`, at most `limit` (0 and less is no limit); an offset beyond the end leaves nothing.
    package static func window<Element>(_ elements: [Element], offset: Int, limit: Int) -> [Element] {
        if offset <= 0 && (limit <= 0 || limit >= elements.count) { return elements }
        let rest = elements.dropFirst(max(0, offset))
        return Array(limit > 0 ? rest.prefix(limit) : rest)
    }
}
