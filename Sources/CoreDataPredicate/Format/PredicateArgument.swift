/// What stands behind one placeholder of a format string.
///
/// Invariant: a key path for `%K` is a `.value(.string)`; whether a string is a key or a constant is the placeholder's say.
package enum PredicateArgument: Sendable, Hashable {
    case value(PredicateValue)
    /// An expression given for `%@` takes the placeholder's place as it is.
    case expression(ExpressionTree)
    /// A predicate given for `%@` takes the placeholder's place as it is.
    case predicate(PredicateTree)

    /// The argument's kind in an error message.
    var kind: String {
        switch self {
        case .expression: "an expression"
        case .predicate: "a predicate"
        case .value(let value): value.kind
        }
    }
}

extension PredicateValue {
    /// The value's kind in an error message.
    package var kind: String {
        switch self {
        case .null: "nil"
        case .boolean: "a Boolean"
        case .integer, .real, .decimal: "a number"
        case .string: "a string"
        case .date: "a date"
        case .data: "data"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .reference: "an object"
        case .list: "a collection"
        case .object: "an opaque object"
        }
    }
}
