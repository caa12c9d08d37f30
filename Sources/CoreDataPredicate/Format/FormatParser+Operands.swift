import Foundation

extension FormatParser {
    mutating func parseOperand() throws(PredicateFormatError) -> Node {
        switch token.kind {
        case .literal(let value): return constant(value)
        case .string(let text): return constant(.string(text))
        case .variable(let name):
            advance()
            return .expression(.variable(name))
        case .escaped(let name), .collectionOperator(let name):
            advance()
            return .expression(.keyPath(.evaluatedObject, [name]))
        case .placeholder(let placeholder): return try parsePlaceholder(placeholder)
        case .identifier(let name): return try parseWord(name)
        case .symbol(.openParenthesis):
            advance()
            let node = try parseDisjunction()
            try expect(.closeParenthesis, "to close the parenthesis")
            return node
        case .symbol(.openBrace):
            advance()
            let elements = try parseList(until: .closeBrace, "to close the list")
            return .expression(.aggregate(elements))
        default: throw unexpected("expected an operand", after: previousWord)
        }
    }

    private mutating func constant(_ value: PredicateValue) -> Node {
        advance()
        return .expression(.constant(value))
    }

    private mutating func parseWord(_ name: String) throws(PredicateFormatError) -> Node {
        let capitals = name.uppercased()
        if following.kind == .symbol(.openParenthesis) || following.kind == .symbol(.colon) {
            if let call = try parseCall(name, capitals) { return .expression(call) }
        }
        switch capitals {
        case "TRUEPREDICATE", "FALSEPREDICATE":
            advance()
            return .predicate(.constant(capitals == "TRUEPREDICATE"))
        case "TRUE", "YES": return constant(.boolean(true))
        case "FALSE", "NO": return constant(.boolean(false))
        case "NULL", "NIL": return constant(.null)
        case "SELF":
            advance()
            return .expression(.evaluatedObject)
        case "ANYKEY":
            advance()
            return .expression(.anyKey)
        default: break
        }
        if ReservedWords.cannotBeginOperand(capitals) {
            throw error("“\(name)” is a reserved word; for a key of that name write #\(name)", at: position)
        }
        advance()
        return .expression(.keyPath(.evaluatedObject, [name]))
    }

    private mutating func parsePlaceholder(_ placeholder: FormatPlaceholder) throws(PredicateFormatError) -> Node {
        let node: Node
        switch placeholder.specifier {
        case "K":
            var keys = try keys(placeholder)
            // %K with "self" or "self.name" is SELF, as at Apple's.
            if keys[0].uppercased() == "SELF" { keys.removeFirst() }
            node = .expression(keys.isEmpty ? .evaluatedObject : .keyPath(.evaluatedObject, keys))
        case "@":
            switch argument(placeholder) {
            case .value(let value): node = .expression(.constant(value))
            case .expression(let tree): node = .expression(tree)
            case .predicate(let tree): node = .predicate(tree)
            }
        default: node = .expression(.constant(try formatted(placeholder)))
        }
        advance()
        return node
    }

    /// The argument of a C placeholder: %f and its kin make reals, %s strings, the others take any number as it is.
    private func formatted(_ placeholder: FormatPlaceholder) throws(PredicateFormatError) -> PredicateValue {
        let argument = argument(placeholder)
        guard case .value(let value) = argument else { throw mismatch(placeholder, "a number") }
        switch (placeholder.specifier, value) {
        case ("s", .string), ("S", .string), ("c", .string), ("C", .string): return value
        case ("s", _), ("S", _): throw mismatch(placeholder, "a string")
        case (_, .boolean(let flag)): return .integer(flag ? 1 : 0)
        case ("f", .integer(let number)), ("F", .integer(let number)), ("e", .integer(let number)),
             ("E", .integer(let number)), ("g", .integer(let number)), ("G", .integer(let number)),
             ("a", .integer(let number)), ("A", .integer(let number)):
            return Double(exactly: number).map(PredicateValue.real) ?? value
        case (_, .integer), (_, .real), (_, .decimal): return value
        default: throw mismatch(placeholder, "a number")
        }
    }

    private func mismatch(_ placeholder: FormatPlaceholder, _ wanted: String) -> PredicateFormatError {
        error(
            "\(placeholder.text) takes \(wanted); argument \(placeholder.index + 1) is \(argument(placeholder).kind)",
            at: position)
    }

    /// Expressions between commas, up to and with the closing symbol.
    mutating func parseList(
        until close: FormatToken.Symbol, _ purpose: String
    ) throws(PredicateFormatError) -> [ExpressionTree] {
        if take(close) { return [] }
        var elements: [ExpressionTree] = []
        repeat {
            elements.append(try parseElement())
        } while take(.comma)
        try expect(close, purpose)
        return elements
    }

    mutating func parseElement() throws(PredicateFormatError) -> ExpressionTree {
        let start = position
        let node = try parseBinary(minimum: 0)
        return try expression(node, at: start)
    }
}
