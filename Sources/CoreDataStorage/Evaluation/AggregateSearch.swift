import CoreDataPredicate

/// Finds what an expression sums up over many rows.
package enum AggregateSearch {
    /// Functions of a collection.
    package static let functions: Set<String> = ["sum:", "count:", "min:", "max:", "average:", "median:", "mode:", "stddev:"]
    package static let operators: Set<String> = [
        "@count", "@sum", "@avg", "@min", "@max", "@distinctUnionOfObjects", "@unionOfObjects", "@distinctUnionOfSets",
        "@distinctUnionOfArrays", "@unionOfArrays", "@unionOfSets",
    ]

    /// Whether the expression has an aggregate over the fetched rows in it.
    package static func contains(_ expression: ExpressionTree) -> Bool {
        switch expression {
        case .keyPath(.evaluatedObject, let keys): isAggregate(keys)
        case .function(let name, let arguments): functions.contains(name) || arguments.contains(where: contains)
        case .cast(let operand, _): contains(operand)
        case .call(let operand, _, let arguments): contains(operand) || arguments.contains(where: contains)
        case .conditional(_, let then, let otherwise): contains(then) || contains(otherwise)
        default: false
        }
    }

    /// `@sum.salary`: an operator at the start of a path works on the fetched rows.
    package static func isAggregate(_ keys: [String]) -> Bool { keys.first?.hasPrefix("@") ?? false }

    static func endsInNumber(_ keys: [String]) -> Bool {
        keys.contains { ["@count", "@sum", "@avg", "@min", "@max"].contains($0) }
    }
}
