import Foundation

extension FormatParser {
    /// Infix operators by precedence, all of them left-associative; 0 are the set operators.
    mutating func parseBinary(minimum: Int) throws(PredicateFormatError) -> Node {
        let start = position
        var node = try parseUnary()
        var sets = 0
        while true {
            if let infix = infixOperator, infix.precedence >= minimum {
                node = .expression(try parseChain(OperatorChain(try expression(node, at: start), precedence: infix.precedence)))
            } else if minimum == 0, let operation = setOperator {
                let left = try expression(node, at: start)
                sets += 1
                try checkDepth(sets, Self.longestChain)
                advance()
                let rightStart = position
                let right = try parseBinary(minimum: 1)
                node = .expression(.set(operation, left, try expression(right, at: rightStart)))
            } else {
                return node
            }
        }
    }

    /// The operators of the chain's precedence that follow, each with its right side.
    private mutating func parseChain(_ start: OperatorChain) throws(PredicateFormatError) -> ExpressionTree {
        var chain = start
        while let infix = infixOperator, infix.precedence == chain.precedence {
            advance()
            let rightStart = position
            let right = try parseBinary(minimum: chain.precedence + 1)
            chain.append(infix.selector, try expression(right, at: rightStart))
        }
        guard let tree = chain.tree else {
            throw error("more than \(OperatorChain.longest) operators in a row are only possible for + and -, and for *", at: position)
        }
        return tree
    }

    private var infixOperator: FunctionNames.Infix? {
        guard case .symbol(let symbol) = token.kind else { return nil }
        return FunctionNames.infix[symbol]
    }

    private var setOperator: SetOperation? {
        switch token.keyword {
        case "UNION": .union
        case "INTERSECT": .intersect
        case "MINUS": .minus
        default: nil
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
                try checkDepth(chained, Self.longestChain)
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
