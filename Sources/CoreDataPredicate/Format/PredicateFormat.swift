/// The predicate format language: text and arguments to trees.
package enum PredicateFormat {
    /// A whole predicate. Throws the position (UTF-16 offset) and the reason when `format` is none, or when the arguments
    /// do not fit its placeholders.
    package static func parse(
        _ format: String, arguments: [PredicateArgument] = []
    ) throws(PredicateFormatError) -> PredicateTree {
        var parser = try FormatParser(format, arguments: arguments)
        let start = parser.position
        let node = try parser.parseDisjunction()
        let tree = try parser.predicate(node, at: start)
        try parser.expectEnd()
        return tree
    }

    /// A lone expression, as `NSExpression(format:)` takes it.
    package static func parseExpression(
        _ format: String, arguments: [PredicateArgument] = []
    ) throws(PredicateFormatError) -> ExpressionTree {
        var parser = try FormatParser(format, arguments: arguments)
        let start = parser.position
        let node = try parser.parseDisjunction()
        let tree = try parser.expression(node, at: start)
        try parser.expectEnd()
        return tree
    }
}
