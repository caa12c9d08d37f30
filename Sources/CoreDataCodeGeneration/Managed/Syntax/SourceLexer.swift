/// Cuts Swift source into tokens: comments are gone, strings are one token each, whatever stands in their interpolations.
struct SourceLexer {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var tokens: [SourceToken] = []
    private let keepsInterpolations: Bool

    /// Tokens of interpolations stand before the string they are in, if they are asked for.
    static func tokens(of text: String, keepsInterpolations: Bool = false) -> [SourceToken] {
        var lexer = SourceLexer(bytes: Array(text.utf8), keepsInterpolations: keepsInterpolations)
        lexer.run(untilClosing: false)
        return lexer.tokens
    }

    private init(bytes: [UInt8], keepsInterpolations: Bool) {
        self.bytes = bytes
        self.keepsInterpolations = keepsInterpolations
    }

    private func byte(_ offset: Int = 0) -> UInt8 { position + offset < bytes.count ? bytes[position + offset] : 0 }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where position < bytes.count {
            if bytes[position] == UInt8(ascii: "\n") { line += 1 }
            position += 1
        }
    }

    /// To the end, or to the parenthesis that closes an interpolation.
    private mutating func run(untilClosing: Bool) {
        var depth = 0
        while position < bytes.count {
            if untilClosing {
                if byte() == UInt8(ascii: "(") { depth += 1 }
                if byte() == UInt8(ascii: ")") {
                    if depth == 0 { return }
                    depth -= 1
                }
            }
            step()
        }
    }

    private mutating func step() {
        switch byte() {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): advance()
        case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"): skipLine()
        case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"): skipBlock()
        case UInt8(ascii: "/") where startsRegex: skipRegex()
        case UInt8(ascii: "\""): string(hashes: 0)
        case UInt8(ascii: "#"): hash()
        case UInt8(ascii: "`"): escapedWord()
        case let byte where Self.isDigit(byte): word(.number)
        case let byte where Self.isWordByte(byte): word(.word)
        case UInt8(ascii: "-") where byte(1) == UInt8(ascii: ">"): symbol(2)
        default: symbol(1)
        }
    }

    private mutating func skipLine() { while position < bytes.count, byte() != UInt8(ascii: "\n") { advance() } }

    /// Block comments nest.
    private mutating func skipBlock() {
        var depth = 0
        repeat {
            if byte() == UInt8(ascii: "/"), byte(1) == UInt8(ascii: "*") {
                depth += 1
                advance(2)
            } else if byte() == UInt8(ascii: "*"), byte(1) == UInt8(ascii: "/") {
                depth -= 1
                advance(2)
            } else {
                advance()
            }
        } while depth > 0 && position < bytes.count
    }

    private mutating func symbol(_ length: Int) {
        let start = position
        advance(length)
        append(.symbol, String(decoding: bytes[start..<position], as: UTF8.self), from: start)
    }

    /// Adds a token that ends here.
    private mutating func append(_ kind: SourceToken.Kind, _ text: String, from start: Int, at startLine: Int? = nil) {
        tokens.append(SourceToken(kind: kind, text: text, line: startLine ?? line, start: start, end: position))
    }

    private mutating func word(_ kind: SourceToken.Kind) {
        let start = position
        while Self.isWordByte(byte()) { advance() }
        append(kind, String(decoding: bytes[start..<position], as: UTF8.self), from: start)
    }

    private mutating func escapedWord() {
        advance()
        let start = position
        while position < bytes.count, byte() != UInt8(ascii: "`"), byte() != UInt8(ascii: "\n") { advance() }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if byte() == UInt8(ascii: "`") { advance() }
        append(.escapedWord, text, from: start - 1)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "$"): true
        default: isDigit(byte) || byte >= 0x80
        }
    }
}

// MARK: Strings, directives, regular expressions

extension SourceLexer {
    private mutating func hash() {
        var count = 0
        while byte(count) == UInt8(ascii: "#") { count += 1 }
        if byte(count) == UInt8(ascii: "\"") {
            advance(count)
            return string(hashes: count)
        }
        if byte(count) == UInt8(ascii: "/") { return extendedRegex(hashes: count) }
        let start = position, startLine = line
        advance(count)
        let wordStart = position
        while Self.isWordByte(byte()) { advance() }
        let word = String(decoding: bytes[wordStart..<position], as: UTF8.self)
        guard ["if", "elseif", "else", "endif"].contains(word) else {
            append(.symbol, String(decoding: bytes[start..<position], as: UTF8.self), from: start, at: startLine)
            return
        }
        let end = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        let text = word + String(decoding: bytes[position..<end], as: UTF8.self)
        position = end
        append(.directive, text, from: start, at: startLine)
    }

    private func closes(_ quotes: Int, _ hashes: Int) -> Bool {
        (0..<quotes).allSatisfy { byte($0) == UInt8(ascii: "\"") } && (0..<hashes).allSatisfy { byte(quotes + $0) == UInt8(ascii: "#") }
    }

    /// At the opening quote, behind the hashes.
    private mutating func string(hashes: Int) {
        let startLine = line, start = position, first = position - hashes
        let quotes = byte(1) == UInt8(ascii: "\"") && byte(2) == UInt8(ascii: "\"") ? 3 : 1
        advance(quotes)
        while position < bytes.count, !closes(quotes, hashes) {
            if quotes == 1, byte() == UInt8(ascii: "\n") { break }
            guard byte() == UInt8(ascii: "\\"), (0..<hashes).allSatisfy({ byte(1 + $0) == UInt8(ascii: "#") }) else {
                advance()
                continue
            }
            advance(1 + hashes)
            if byte() == UInt8(ascii: "(") {
                advance()
                let kept = tokens.count
                run(untilClosing: true)
                if !keepsInterpolations { tokens.removeSubrange(kept...) }
            }
            advance()
        }
        let text = String(decoding: bytes[min(start + quotes, position)..<position], as: UTF8.self)
        if position < bytes.count, byte() != UInt8(ascii: "\n") { advance(quotes + hashes) }
        append(.string, text, from: first, at: startLine)
    }

    private mutating func extendedRegex(hashes: Int) {
        let startLine = line, start = position
        advance(hashes + 1)
        while position < bytes.count {
            if byte() == UInt8(ascii: "\\") {
                advance(2)
            } else if byte() == UInt8(ascii: "/"), (0..<hashes).allSatisfy({ byte(1 + $0) == UInt8(ascii: "#") }) {
                advance(1 + hashes)
                break
            } else {
                advance()
            }
        }
        append(.string, "", from: start, at: startLine)
    }

    /// A slash where an operand must begin, with its partner on the same line.
    private var startsRegex: Bool {
        guard let next = Optional(byte(1)), next != UInt8(ascii: " "), next != UInt8(ascii: "\n"), next != UInt8(ascii: "=") else { return false }
        if let last = tokens.last {
            let before = last.kind == .symbol ? !")]}>?!".contains(last.text) : ["return", "in", "case", "where"].contains(last.text)
            guard before, last.kind != .string else { return false }
        }
        var index = position + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") {
            if bytes[index] == UInt8(ascii: "\\") { index += 1 } else if bytes[index] == UInt8(ascii: "/") { return true }
            index += 1
        }
        return false
    }

    private mutating func skipRegex() {
        let start = position
        advance()
        while position < bytes.count, byte() != UInt8(ascii: "/"), byte() != UInt8(ascii: "\n") {
            advance(byte() == UInt8(ascii: "\\") ? 2 : 1)
        }
        advance()
        append(.string, "", from: start)
    }
}
