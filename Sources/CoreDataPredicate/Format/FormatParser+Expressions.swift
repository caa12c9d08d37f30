import Foundation

extension FormatParser {
    /// Infix operators by precedence, all of them left-associative; 0 are the set operators.
    mutating func parseBinary(minimum: Int) throws(PredicateFormatError) -> Node {
        let start = position
        var node = try parseUnary()
        var chained = 0
        while let (precedence, combine) = infixOperator(), precedence >= minimum {
            let left = try expression(node, at: start)
            chained += 1
            try checkDepth(chained)
            advance()
            let rightStart = position
            let right = try parseBinary(minimum: precedence + 1)
            node = .expression(combine(left, try expression(right, at: rightStart)))
        }
        return node
    }

    private typealias Combine = (ExpressionTree, ExpressionTree) -> ExpressionTree

    private func infixOperator() -> (Int, Combine)? {
        switch token.kind {
        case .symbol(let symbol):
            guard let infix = FunctionNames.infix[symbol] else { return nil }
            return (infix.precedence, { .function(infix.selector, [$0, $1]) })
        case .identifier(let name):
            switch name.uppercased() {
            case "UNION": return (0, { .set(.union, $0, $1) })
            case "INTERSECT": return (0, { .set(.intersect, $0, $1) })
            case "MINUS": return (0, { .set(.minus, $0, $1) })
            default: return nil
            }
        default: return nil
        }
    }

    private mutating func parseUnary() throws(PredicateFormatError) -> Node {
        try enter()
        let node: Node
        if isAt(.minus) {
            node = try parseNegative()
        } else if take(.plus) {
            let start = position
            let operand = try parseUnary()
            node = .expression(try expression(operand, at: start))
        } else if take(.bitNot) {
            let start = position
            let operand = try parseUnary()
            node = .expression(.function("onesComplement:", [try expression(operand, at: start)]))
        } else {
            let start = position
            let operand = try parseOperand()
            node = try parsePostfix(of: operand, at: start)
        }
        leave()
        return node
    }

    /// A negative number is a constant; anything else negated is a product with -1.
    private mutating func parseNegative() throws(PredicateFormatError) -> Node {
        advance()
        if case .literal(let value) = token.kind, let negated = Self.negated(value) {
            advance()
            return .expression(.constant(negated))
        }
        let start = position
        let operand = try parseUnary()
        return .expression(.function("multiply:by:", [.constant(.integer(-1)), try expression(operand, at: start)]))
    }

    private static func negated(_ value: PredicateValue) -> PredicateValue? {
        switch value {
        case .integer(let number): .integer(-number)
        case .real(let number): .real(-number)
        case .decimal(let number): -number == Decimal(Int64.min) ? .integer(.min) : .decimal(-number)
        default: nil
        }
    }

    /// `.key`, `.@operator`, `.%K` and `[index]` behind an operand.
    private mutating func parsePostfix(of node: Node, at start: Int) throws(PredicateFormatError) -> Node {
        guard isAt(.dot) || isAt(.openBracket) else { return node }
        var tree = try expression(node, at: start)
        var chained = 0
        while true {
            chained += 1
            if take(.dot) {
                let keys = try parseKeyAfterDot()
                if case .keyPath(let base, let first) = tree { tree = .keyPath(base, first + keys) } else { tree = .keyPath(tree, keys) }
            } else if take(.openBracket) {
                try checkDepth(chained)
                tree = .element(tree, try parseIndex())
                try expect(.closeBracket, "after the index")
            } else {
                return .expression(tree)
            }
        }
    }

    /// After a dot every word is a key, keywords too.
    private mutating func parseKeyAfterDot() throws(PredicateFormatError) -> [String] {
        let keys: [String]
        switch token.kind {
        case .identifier(let name), .escaped(let name), .collectionOperator(let name): keys = [name]
        case .placeholder(let placeholder) where placeholder.specifier == "K": keys = try self.keys(placeholder)
        default: throw unexpected("expected a key after the dot")
        }
        advance()
        return keys
    }

    private mutating func parseIndex() throws(PredicateFormatError) -> ElementIndex {
        if following.kind == .symbol(.closeBracket) {
            if takeKeyword("FIRST") { return .first }
            if takeKeyword("LAST") { return .last }
            if takeKeyword("SIZE") { return .size }
        }
        let start = position
        let node = try parseBinary(minimum: 0)
        return .at(try expression(node, at: start))
    }
}
