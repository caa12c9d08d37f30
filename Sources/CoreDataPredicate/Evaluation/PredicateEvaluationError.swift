import CoreDataSchema

/// Why a predicate has no answer for a subject. Errors of the subject itself (unknown keys) are passed on as they are.
package enum PredicateEvaluationError: DescribedError, Hashable {
    case unboundVariable(String)
    /// A MATCHES pattern that is no regular expression.
    case badPattern(String)
    /// A collection compared as if it were one value.
    case needsQuantifier(String)
    case notANumber(function: String, kind: String)
    case notACollection(operation: String, kind: String)
    case noSuchKey(String, kind: String)
    case badBounds(kind: String)
    case badCast(type: String, kind: String)
    case unsupported(String)

    package var description: String {
        switch self {
        case .unboundVariable(let name): "The variable $\(name) has no value; give it one with withSubstitutionVariables"
        case .badPattern(let pattern): "“\(pattern)” is not a regular expression that MATCHES can use"
        case .needsQuantifier(let comparison): "A collection has no single value: write ANY, ALL or NONE before \(comparison)"
        case .notANumber(let function, let kind): "\(function) takes numbers, not \(kind)"
        case .notACollection(let operation, let kind): "\(operation) takes a collection, not \(kind)"
        case .noSuchKey(let key, let kind): "\(kind) has no key “\(key)”"
        case .badBounds(let kind): "BETWEEN takes a list of two bounds, not \(kind)"
        case .badCast(let type, let kind): "CAST cannot make an \(type) of \(kind)"
        case .unsupported(let what): what
        }
    }
}
