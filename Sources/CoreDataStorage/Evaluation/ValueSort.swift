import CoreDataPredicate

/// Sorts anything by sort terms.
package enum ValueSort {
    /// Stable: equal elements keep their order. `value` is asked once for each element and term.
    package static func sort<Element>(
        _ elements: [Element], by terms: [SortTerm], value: (Element, SortTerm) throws -> PredicateValue
    ) rethrows -> [Element] {
        if terms.isEmpty || elements.count < 2 { return elements }
        var keys = ContiguousArray<PredicateValue>()
        keys.reserveCapacity(elements.count * terms.count)
        for element in elements {
            for term in terms { keys.append(try value(element, term)) }
        }
        let width = terms.count
        let places = elements.indices.sorted { left, right in
            for (index, term) in terms.enumerated() {
                let order = term.comparison.compare(keys[left * width + index], keys[right * width + index])
                if order != 0 { return term.isAscending ? order < 0 : order > 0 }
            }
            return left < right
        }
        return places.map { elements[$0] }
    }
}
