import Foundation

/// Sums and the like over values; nil takes no part.
package enum Statistics {
    /// Whole while every value is and the sum fits.
    package static func sum(_ values: [PredicateValue]) throws -> PredicateValue {
        var total = PredicateValue.integer(0)
        for value in values where !value.isNull { total = try Arithmetic.combine(.add, total, value, for: "A sum") }
        return total
    }

    static func average(_ values: [PredicateValue]) throws -> PredicateValue {
        let numbers = try doubles(values, for: "An average")
        return numbers.isEmpty ? .null : .real(numbers.reduce(0, +) / Double(numbers.count))
    }

    /// The least (`orderedAscending`) or greatest value.
    package static func extreme(_ values: [PredicateValue], _ order: ComparisonResult) -> PredicateValue {
        var best = PredicateValue.null
        for value in values where !value.isNull {
            if best.isNull || ValueOrdering.compare(value, best) == order { best = value }
        }
        return best
    }

    static func median(_ values: [PredicateValue]) throws -> PredicateValue {
        let numbers = try doubles(values, for: "median:").sorted()
        guard !numbers.isEmpty else { return .null }
        let middle = numbers.count / 2
        return .real(numbers.count % 2 == 1 ? numbers[middle] : (numbers[middle - 1] + numbers[middle]) / 2)
    }

    /// Every value that occurs most often, in order of first appearance.
    static func mode(_ values: [PredicateValue]) -> PredicateValue {
        var counts: [PredicateValue: Int] = [:]
        for value in values where !value.isNull { counts[value, default: 0] += 1 }
        guard let most = counts.values.max() else { return .list([]) }
        return .list(SetOperations.distinct(values.filter { counts[$0] == most }))
    }

    /// Of the whole population.
    static func deviation(_ values: [PredicateValue]) throws -> PredicateValue {
        let numbers = try doubles(values, for: "stddev:")
        guard !numbers.isEmpty else { return .null }
        let mean = numbers.reduce(0, +) / Double(numbers.count)
        return .real((numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(numbers.count)).squareRoot())
    }

    private static func doubles(_ values: [PredicateValue], for function: String) throws -> [Double] {
        try values.filter { !$0.isNull }.map { try Arithmetic.double($0, for: function) }
    }
}
