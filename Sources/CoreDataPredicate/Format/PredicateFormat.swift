/// The predicate format language: text and arguments to trees.
package enum PredicateFormat {
    /// A whole predicate. Throws the position (UTF-16 offset) and the reason when `format` is none, or when the arguments
    /// do not fit its placeholders.
    package static func parse(
        _ format: String, arguments: [PredicateArgument] = []
    ) throws(PredicateFormatError) -> PredicateTree {
        try reading(format, arguments) { (parser: inout FormatParser, node, start) throws(PredicateFormatError) in
            let tree = try parser.predicate(node, at: start)
            try parser.expectEnd()
            guard let bounded = TreeDepth.bounded(tree) else { throw parser.tooDeep(TreeDepth.limit) }
            return bounded
        }
    }

    /// A lone expression, as `NSExpression(format:)` takes it.
    package static func parseExpression(
        _ format: String, arguments: [PredicateArgument] = []
    ) throws(PredicateFormatError) -> ExpressionTree {
        try reading(format, arguments) { (parser: inout FormatParser, node, start) throws(PredicateFormatError) in
            let tree = try parser.expression(node, at: start)
            try parser.expectEnd()
            guard TreeDepth.depth(of: tree) <= TreeDepth.limit else { throw parser.tooDeep(TreeDepth.limit) }
            return tree
        }
    }

    private typealias Finish<Tree> = @Sendable (inout FormatParser, FormatParser.Node, Int) throws(PredicateFormatError) -> Tree

    private static func reading<Tree: Sendable>(
        _ format: String, _ arguments: [PredicateArgument], _ finish: @escaping Finish<Tree>
    ) throws(PredicateFormatError) -> Tree {
        let parser = try FormatParser(format, arguments: arguments)
        let levels = parser.nesting
        guard levels <= FormatNesting.deepest else { throw parser.tooDeep(FormatNesting.deepest) }
        guard levels > FormatNesting.shallow else { return try read(parser, finish) }
        return try FormatNesting.onDeepStack(levels: levels) { () throws(PredicateFormatError) in try read(parser, finish) }
    }

    private static func read<Tree>(_ start: FormatParser, _ finish: Finish<Tree>) throws(PredicateFormatError) -> Tree {
        var parser = start
        let position = parser.position
        let node = try parser.parseDisjunction()
        return try finish(&parser, node, position)
    }
}
