import Foundation

/// One word of a format string and where it begins (index into the lexer's scalars).
struct FormatToken: Sendable {
    var kind: Kind
    var position: Int

    enum Kind: Equatable, Sendable {
        case identifier(String)
        /// `#name`: never a keyword.
        case escaped(String)
        /// `@count`
        case collectionOperator(String)
        /// `$name`
        case variable(String)
        case string(String)
        /// A literal number, UUID or data.
        case literal(PredicateValue)
        case placeholder(FormatPlaceholder)
        case symbol(Symbol)
        case end
    }

    enum Symbol: String, CaseIterable, Sendable {
        case openParenthesis = "(", closeParenthesis = ")", openBrace = "{", closeBrace = "}"
        case openBracket = "[", closeBracket = "]", comma = ",", dot = ".", colon = ":"
        case equal = "==", notEqual = "!=", lessOrEqual = "<=", greaterOrEqual = ">=", less = "<", greater = ">"
        case and = "&&", or = "||", not = "!"
        case plus = "+", minus = "-", times = "*", divide = "/", power = "**"
        case bitAnd = "&", bitOr = "|", bitXor = "^", bitNot = "~", shiftLeft = "<<", shiftRight = ">>"
    }

    /// The token as an error message quotes it.
    var text: String {
        switch kind {
        case .identifier(let name): name
        case .escaped(let name): "#" + name
        case .collectionOperator(let name): name
        case .variable(let name): "$" + name
        case .string(let text): "'\(text)'"
        case .literal(let value): PredicatePrinter.text(of: .constant(value))
        case .placeholder(let placeholder): placeholder.text
        case .symbol(let symbol): symbol.rawValue
        case .end: "the end"
        }
    }

    /// The identifier in capitals: keywords are free in case.
    var keyword: String? {
        if case .identifier(let name) = kind { name.uppercased() } else { nil }
    }
}

/// `%@`, `%K`, `%ld`, `%1$@`.
struct FormatPlaceholder: Equatable, Sendable {
    var specifier: Character
    /// Index into the arguments.
    var index: Int
    var text: String
}
