extension FormatParser {
    /// OR binds loosest.
    mutating func parseDisjunction() throws(PredicateFormatError) -> Node {
        var start = position
        let first = try parseConjunction()
        guard isAtOr else { return first }
        var parts = [try predicate(first, at: start)]
        while isAtOr {
            advance()
            start = position
            let node = try parseConjunction()
            parts.append(try predicate(node, at: start))
        }
        return .predicate(.or(parts))
    }

    private mutating func parseConjunction() throws(PredicateFormatError) -> Node {
        var start = position
        let first = try parseNegation()
        guard isAtAnd else { return first }
        var parts = [try predicate(first, at: start)]
        while isAtAnd {
            advance()
            start = position
            let node = try parseNegation()
            parts.append(try predicate(node, at: start))
        }
        return .predicate(.and(parts))
    }

    private var isAtOr: Bool { isAt(.or) || token.keyword == "OR" }
    private var isAtAnd: Bool { isAt(.and) || token.keyword == "AND" }

    /// NOT binds tighter than AND and looser than a comparison: `NOT host IN list` negates the IN.
    private mutating func parseNegation() throws(PredicateFormatError) -> Node {
        guard isAt(.not) || token.keyword == "NOT" else { return try parseComparison() }
        try enter()
        advance()
        let start = position
        let node = try parseNegation()
        let operand = try predicate(node, at: start)
        leave()
        return .predicate(.not(operand))
    }

    private mutating func parseComparison() throws(PredicateFormatError) -> Node {
        let word = token.text
        let wordStart = position
        let quantifier = takeQuantifier()
        let node = try parseBinary(minimum: 0)
        guard case .expression(let left) = node else {
            if quantifier != nil { throw error("\(word) needs a comparison after it", at: wordStart) }
            if try comparisonOperator() != nil {
                throw error("a predicate cannot be compared with \(token.text)", at: position)
            }
            return node
        }
        guard let operation = try comparisonOperator() else {
            if quantifier != nil { throw unexpected("expected a comparison operator") }
            return node
        }
        advance()
        let options = try parseOptions()
        let rightStart = position
        let right = try parseBinary(minimum: 0)
        let comparison = PredicateTree.comparison(Comparison(
            left, operation, try expression(right, at: rightStart), modifier: quantifier?.modifier ?? .direct,
            options: options))
        return .predicate(quantifier == .never ? .not(comparison) : comparison)
    }

    private enum Quantifier {
        case every, some, never
        var modifier: ComparisonModifier { self == .every ? .all : .any }
    }

    private mutating func takeQuantifier() -> Quantifier? {
        let quantifier: Quantifier
        switch token.keyword {
        case "ANY", "SOME": quantifier = .some
        case "ALL": quantifier = .every
        case "NONE": quantifier = .never
        default: return nil
        }
        advance()
        return quantifier
    }

    private func comparisonOperator() throws(PredicateFormatError) -> ComparisonOperator? {
        switch token.kind {
        case .symbol(let symbol): return Self.symbolOperators[symbol]
        case .identifier(let name):
            let word = name.uppercased()
            if word.hasPrefix("UTI-") { throw error("\(word) exists only on Apple's systems", at: position) }
            return Self.wordOperators[word]
        default: return nil
        }
    }

    private static let symbolOperators: [FormatToken.Symbol: ComparisonOperator] = [
        .equal: .equal, .notEqual: .notEqual, .less: .lessThan, .lessOrEqual: .lessThanOrEqual,
        .greater: .greaterThan, .greaterOrEqual: .greaterThanOrEqual,
    ]
    private static let wordOperators: [String: ComparisonOperator] = [
        "BETWEEN": .between, "IN": .isIn, "BEGINSWITH": .beginsWith, "ENDSWITH": .endsWith, "CONTAINS": .contains,
        "LIKE": .like, "MATCHES": .matches,
    ]

    /// `[cd]` after an operator, blanks allowed before it.
    private mutating func parseOptions() throws(PredicateFormatError) -> ComparisonOptions {
        guard take(.openBracket) else { return [] }
        guard case .identifier(let letters) = token.kind else {
            throw unexpected("expected the options c, d, n or l in brackets")
        }
        var options: ComparisonOptions = []
        for letter in letters.lowercased() {
            switch letter {
            case "c": options.insert(.caseInsensitive)
            case "d": options.insert(.diacriticInsensitive)
            case "n": options.insert(.normalized)
            case "l": options.insert(.localeSensitive)
            default: throw error("“\(letter)” is not a comparison option; there are c, d, n and l", at: position)
            }
        }
        advance()
        try expect(.closeBracket, "after the options")
        return options
    }
}
