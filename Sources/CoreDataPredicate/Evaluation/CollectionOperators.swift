import Foundation

/// Key-value coding's collection operators, `@count` aside, over the values the rest of the path gave.
///
/// nil takes no part in any of them, as in SQL's aggregates; an empty sum is 0, the other numbers of nothing are nil.
enum CollectionOperators {
    static func apply(_ name: String, to values: [PredicateValue], isOrdered: Bool) throws -> PredicateValue {
        switch name {
        case "@sum": return try Statistics.sum(values)
        case "@avg": return try Statistics.average(values)
        case "@min": return Statistics.extreme(values, .orderedAscending)
        case "@max": return Statistics.extreme(values, .orderedDescending)
        case "@distinctUnionOfObjects", "@distinctUnionOfArrays":
            return .list(SetOperations.distinct(flattened(values)), isOrdered: isOrdered)
        case "@distinctUnionOfSets": return .list(SetOperations.distinct(flattened(values)), isOrdered: false)
        case "@unionOfObjects", "@unionOfSets", "@unionOfArrays": return .list(flattened(values), isOrdered: isOrdered)
        case "@firstObject": return values.first ?? .null
        case "@lastObject": return values.last ?? .null
        default: throw PredicateEvaluationError.noSuchKey(name, kind: "a collection")
        }
    }

    private static func flattened(_ values: [PredicateValue]) -> [PredicateValue] {
        values.flatMap { value in
            if case .list(let inner, _) = value { inner } else if value.isNull { [PredicateValue]() } else { [value] }
        }
    }
}
