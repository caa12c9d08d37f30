/// Walks through tokens.
struct TokenReader {
    let tokens: [SourceToken]
    private(set) var position = 0

    init(_ tokens: [SourceToken]) { self.tokens = tokens }

    var isAtEnd: Bool { position >= tokens.count }
    var current: SourceToken? { position < tokens.count ? tokens[position] : nil }
    var line: Int { current?.line ?? tokens.last?.line ?? 1 }
    func peek(_ offset: Int = 1) -> SourceToken? { position + offset < tokens.count ? tokens[position + offset] : nil }

    @discardableResult
    mutating func next() -> SourceToken? {
        guard position < tokens.count else { return nil }
        position += 1
        return tokens[position - 1]
    }

    mutating func take(symbol: String) -> Bool {
        guard current?.isSymbol(symbol) == true else { return false }
        position += 1
        return true
    }

    mutating func take(word: String) -> Bool {
        guard current?.isWord(word) == true else { return false }
        position += 1
        return true
    }

    /// Skips a bracketed group, at whose opening bracket it stands, and answers what is inside.
    @discardableResult
    mutating func group() -> [SourceToken] {
        let start = position
        var depth = 0
        repeat {
            guard let token = next() else { break }
            if token.kind == .symbol {
                if "([{".contains(token.text) { depth += 1 } else if ")]}".contains(token.text) { depth -= 1 }
            }
        } while depth > 0
        return Array(tokens[min(start + 1, position)..<max(start + 1, position - 1)])
    }
}

// MARK: Types

extension TokenReader {
    /// The type that begins here; nil when none does.
    mutating func type() -> TypeSyntax? {
        skipTypeAttributes()
        guard var result = simpleType() else { return nil }
        var parts = [result]
        while current?.isSymbol("&") == true {
            next()
            skipTypeAttributes()
            guard let part = simpleType() else { return nil }
            parts.append(part)
        }
        if parts.count > 1 { result = .composition(parts) }
        if current?.isSymbol("->") == true || current?.isWord("throws") == true || current?.isWord("async") == true {
            while let token = current, token.isWord("throws") || token.isWord("async") { next() }
            guard take(symbol: "->") else { return result }
            let output = type()
            return .other("\(result.text) -> \(output?.text ?? "")")
        }
        return result
    }

    private mutating func skipTypeAttributes() {
        while true {
            if take(symbol: "@") {
                next()
                if current?.isSymbol("(") == true { group() }
            } else if let token = current, token.kind == .word,
                      ["any", "inout", "borrowing", "consuming", "__owned", "__shared", "sending", "isolated"].contains(token.text),
                      peek().map({ $0.isName || $0.isSymbol("(") || $0.isSymbol("[") || $0.isSymbol("@") }) == true {
                next()
            } else {
                return
            }
        }
    }

    private mutating func simpleType() -> TypeSyntax? {
        guard let token = current else { return nil }
        var result: TypeSyntax
        if token.isSymbol("[") {
            next()
            guard let element = type() else { return nil }
            if take(symbol: ":") {
                guard let value = type() else { return nil }
                result = .dictionary(element, value)
            } else {
                result = .array(element)
            }
            guard take(symbol: "]") else { return nil }
        } else if token.isSymbol("(") {
            guard let elements = tuple() else { return nil }
            result = elements.count == 1 ? elements[0] : .tuple(elements)
        } else if token.isWord("some") || token.isWord("repeat") || token.isWord("each") {
            next()
            result = .other("\(token.text) \(simpleType()?.text ?? "")")
        } else if token.isName {
            guard let name = name() else { return nil }
            result = name
        } else {
            return nil
        }
        while let token = current, token.isSymbol("?") || token.isSymbol("!") {
            next()
            result = .optional(result)
        }
        return result
    }

    private mutating func tuple() -> [TypeSyntax]? {
        next()
        var elements: [TypeSyntax] = []
        while !take(symbol: ")") {
            if isAtEnd { return nil }
            if current?.isName == true, peek()?.isSymbol(":") == true {
                next()
                next()
            } else if current?.isName == true, peek()?.isName == true, peek(2)?.isSymbol(":") == true {
                next()
                next()
                next()
            }
            guard let element = type() else { return nil }
            elements.append(element)
            _ = take(symbol: ",")
        }
        return elements
    }

    private mutating func name() -> TypeSyntax? {
        var components: [TypeSyntax.Component] = []
        repeat {
            guard let token = next(), token.isName else { return nil }
            if token.isWord("Type") || token.isWord("Protocol"), !components.isEmpty {
                return .other("\(TypeSyntax.named(components).text).\(token.text)")
            }
            var component = TypeSyntax.Component(name: token.text)
            if take(symbol: "<") {
                while !take(symbol: ">") {
                    guard !isAtEnd, let argument = type() else { return nil }
                    component.arguments.append(argument)
                    _ = take(symbol: ",")
                }
            }
            components.append(component)
        } while peek()?.isName == true && take(symbol: ".")
        return .named(components)
    }
}
