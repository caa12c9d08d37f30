import Foundation

/// Text to tokens.
///
/// Invariant: `index` never passes `scalars.count`; every error carries the UTF-16 offset of the scalar it is about.
struct FormatLexer {
    let format: String
    let scalars: [Unicode.Scalar]
    var index = 0
    /// The next argument an unnumbered placeholder takes.
    private var nextArgument = 0
    private var tokens: [FormatToken] = []

    static func tokens(of format: String) throws(PredicateFormatError) -> (tokens: [FormatToken], scalars: [Unicode.Scalar]) {
        var lexer = FormatLexer(format)
        while try lexer.scanToken() {}
        lexer.tokens.append(FormatToken(kind: .end, position: lexer.scalars.count))
        return (lexer.tokens, lexer.scalars)
    }

    private init(_ format: String) {
        self.format = format
        scalars = Array(format.unicodeScalars)
    }

    func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        let target = index + distance
        return target < scalars.count ? scalars[target] : nil
    }

    func error(_ reason: String, at position: Int) -> PredicateFormatError {
        PredicateFormatError(format: format, position: Self.offset(of: position, in: scalars), reason: reason)
    }

    /// The UTF-16 offset of a scalar.
    static func offset(of position: Int, in scalars: [Unicode.Scalar]) -> Int {
        scalars.prefix(position).reduce(0) { $0 + UTF16.width($1) }
    }

    private mutating func scanToken() throws(PredicateFormatError) -> Bool {
        while let scalar = peek(), scalar.properties.isWhitespace { index += 1 }
        guard let scalar = peek() else { return false }
        let start = index
        tokens.append(FormatToken(kind: try scanKind(scalar), position: start))
        return true
    }

    private mutating func scanKind(_ scalar: Unicode.Scalar) throws(PredicateFormatError) -> FormatToken.Kind {
        switch scalar {
        case "'", "\"": return .string(try scanString())
        case "%": return .placeholder(try scanPlaceholder())
        case "$": return .variable(try scanName(after: "$", as: "a variable"))
        case "#": return .escaped(try scanName(after: "#", as: "a key"))
        case "@":
            if peek(1) == "#" { index += 1 }
            return .collectionOperator("@" + (try scanName(after: "@", as: "a collection operator")))
        default: break
        }
        if let uuid = scanUUID() { return .literal(.uuid(uuid)) }
        if let data = scanData() { return .literal(.data(data)) }
        if Self.isNameScalar(scalar) {
            let isNumber = Self.isDigit(scalar) && !followsDot
            return isNumber ? .literal(try scanNumber()) : .identifier(scanWord())
        }
        if scalar == ".", let next = peek(1), Self.isDigit(next), !followsOperand { return .literal(try scanNumber()) }
        return .symbol(try scanSymbol(scalar))
    }

    /// Whether the last token is a dot: what follows is a key, whatever it looks like.
    private var followsDot: Bool { tokens.last?.kind == .symbol(.dot) }

    private var followsOperand: Bool {
        switch tokens.last?.kind {
        case .identifier, .escaped, .collectionOperator, .variable, .placeholder, .string, .literal: true
        case .symbol(.closeParenthesis), .symbol(.closeBracket), .symbol(.closeBrace): true
        default: false
        }
    }

    private mutating func scanSymbol(_ scalar: Unicode.Scalar) throws(PredicateFormatError) -> FormatToken.Symbol {
        if let next = peek(1), let symbol = Self.pairs["\(scalar)\(next)"] {
            index += 2
            return symbol
        }
        guard let symbol = Self.singles[scalar] else {
            throw error("unexpected character “\(scalar.escapedForMessage)”", at: index)
        }
        index += 1
        return symbol
    }

    private static let pairs: [String: FormatToken.Symbol] = [
        "==": .equal, "!=": .notEqual, "<>": .notEqual, "<=": .lessOrEqual, "=<": .lessOrEqual, ">=": .greaterOrEqual,
        "=>": .greaterOrEqual, "&&": .and, "||": .or, "**": .power, "<<": .shiftLeft, ">>": .shiftRight,
    ]
    private static let singles: [Unicode.Scalar: FormatToken.Symbol] = [
        "=": .equal, "<": .less, ">": .greater, "!": .not, "&": .bitAnd, "|": .bitOr, "^": .bitXor, "~": .bitNot,
        "+": .plus, "-": .minus, "*": .times, "/": .divide, "(": .openParenthesis, ")": .closeParenthesis,
        "{": .openBrace, "}": .closeBrace, "[": .openBracket, "]": .closeBracket, ",": .comma, ".": .dot, ":": .colon,
    ]

    private mutating func scanName(after sign: Character, as what: String) throws(PredicateFormatError) -> String {
        let start = index
        index += 1
        let name = scanWord()
        guard !name.isEmpty else { throw error("“\(sign)” must be followed by the name of \(what)", at: start) }
        return name
    }

    mutating func scanWord() -> String {
        var word = String.UnicodeScalarView()
        while let scalar = peek(), Self.isNameScalar(scalar) {
            word.append(scalar)
            index += 1
        }
        // UTI-CONFORMS-TO and UTI-EQUALS are single words with hyphens in them.
        if String(word).uppercased() == "UTI", peek() == "-" {
            let rest = String(String.UnicodeScalarView(scalars[index...].prefix(12))).uppercased()
            for tail in ["-CONFORMS-TO", "-EQUALS"] where rest.hasPrefix(tail) {
                index += tail.count
                return "UTI" + tail
            }
        }
        return String(word)
    }

    private mutating func scanPlaceholder() throws(PredicateFormatError) -> FormatPlaceholder {
        let start = index
        index += 1
        var digits = ""
        var number: Int?
        while let scalar = peek(), "0123456789.-+ #'$hlqjztL".unicodeScalars.contains(scalar) {
            if scalar == "$" { number = Int(digits) }
            digits.unicodeScalars.append(scalar)
            index += 1
        }
        guard let last = peek() else {
            throw error("“%” must be followed by a placeholder letter, such as %@ or %K", at: start)
        }
        guard "@KdiuoxXDOUcCsSfFeEgGaA".unicodeScalars.contains(last) else {
            throw error("“%\(digits)\(last.escapedForMessage)” is not a placeholder", at: start)
        }
        index += 1
        if digits.contains("$") {
            guard let number, number > 0, number < 1_000_000 else {
                throw error("a placeholder's number begins at 1, as in %1$@", at: start)
            }
            return FormatPlaceholder(specifier: Character(last), index: number - 1, text: "%\(digits)\(last)")
        }
        defer { nextArgument += 1 }
        return FormatPlaceholder(specifier: Character(last), index: nextArgument, text: "%\(digits)\(last)")
    }

    static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

    static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            return scalar == "_" || isDigit(scalar) || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
        }
        switch scalar.properties.generalCategory {
        case .otherSymbol, .modifierSymbol, .mathSymbol, .currencySymbol, .format, .privateUse: return true
        default: return scalar.properties.isXIDContinue
        }
    }
}

extension Unicode.Scalar {
    /// The scalar in an error message: control characters by number.
    var escapedForMessage: String {
        properties.generalCategory == .control ? "U+" + String(value, radix: 16, uppercase: true) : String(self)
    }
}
