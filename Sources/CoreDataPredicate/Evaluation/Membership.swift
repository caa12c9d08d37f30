import Foundation

/// IN, and CONTAINS of a collection: membership by `==`, or a text within a text.
enum Membership {
    /// With three values: nil in anything, and a miss in a collection that holds nil, are unknown; nothing is in an empty one.
    static func contains(
        _ value: PredicateValue, in collection: PredicateValue, options: ComparisonOptions, isTwoValued: Bool,
        comparison: @autoclosure () -> Comparison
    ) throws -> Bool? {
        switch collection {
        case .null: return isTwoValued ? false : nil
        case .list(let elements, _):
            if elements.isEmpty { return false }
            if value.isNull { return isTwoValued ? elements.contains(where: \.isNull) : nil }
            return try search(value, elements, options: options, isTwoValued: isTwoValued, comparison: comparison)
        default:
            if value.isNull { return isTwoValued ? false : nil }
            guard let text = collection.asText else {
                throw PredicateEvaluationError.notACollection(operation: "IN", kind: collection.kind)
            }
            guard let part = value.asText else { return false }
            return TextMatching.contains(text, part, options: options.comparing)
        }
    }

    private static func search(
        _ value: PredicateValue, _ elements: [PredicateValue], options: ComparisonOptions, isTwoValued: Bool,
        comparison: () -> Comparison
    ) throws -> Bool? {
        var hasNull = false
        var isNested = false
        for element in elements {
            if element.isNull {
                hasNull = true
            } else if ValueComparison.equal(value, element, options: options.comparing) {
                return true
            } else if element.isList {
                isNested = true
            }
        }
        // A collection is only ever a member of a collection of collections.
        if value.isList, !isNested { throw PredicateEvaluationError.needsQuantifier(PredicatePrinter.text(of: comparison())) }
        return hasNull && !isTwoValued ? nil : false
    }
}
