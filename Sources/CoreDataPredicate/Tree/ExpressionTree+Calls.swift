extension ExpressionTree {
    /// A function of the language; those the language has a form of its own for are that form.
    package static func calling(_ selector: String, _ arguments: [ExpressionTree]) -> ExpressionTree {
        switch (selector, arguments.count) {
        case ("objectFrom:withIndex:", 2): return .element(arguments[0], ElementIndex(arguments[1]))
        case ("castObject:toType:", 2):
            if case .constant(.string(let type)) = arguments[1] { return .cast(arguments[0], type) }
        default: break
        }
        return .function(selector, arguments)
    }
}

extension ElementIndex {
    /// The index as `objectFrom:withIndex:` takes it: a place, or the word of a symbolic one.
    init(_ expression: ExpressionTree) {
        self = switch expression {
        case .constant(.string("FIRST")): .first
        case .constant(.string("LAST")): .last
        case .constant(.string("SIZE")): .size
        default: .at(expression)
        }
    }
}
