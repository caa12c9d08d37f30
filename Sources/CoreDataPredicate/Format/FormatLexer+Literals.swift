import Foundation

extension FormatLexer {
    /// A quoted string. `\n \t \r \\ \' \" \uXXXX` are escapes; any other backslash stays, for LIKE and MATCHES patterns.
    mutating func scanString() throws(PredicateFormatError) -> String {
        let start = index
        let quote = scalars[index]
        index += 1
        var text = String.UnicodeScalarView()
        while let scalar = peek() {
            index += 1
            if scalar == quote { return String(text) }
            if scalar == "\\", let next = peek() {
                try scanEscape(next, into: &text)
            } else {
                text.append(scalar)
            }
        }
        throw error("the string that begins here has no closing \(quote)", at: start)
    }

    private mutating func scanEscape(
        _ next: Unicode.Scalar, into text: inout String.UnicodeScalarView
    ) throws(PredicateFormatError) {
        switch next {
        case "n": text.append("\n")
        case "t": text.append("\t")
        case "r": text.append("\r")
        case "\\", "'", "\"": text.append(next)
        case "u":
            text.append(try scanUnicodeEscape())
            return
        default:
            text.append("\\")
            text.append(next)
        }
        index += 1
    }

    /// `uXXXX`, a surrogate pair as two of them.
    private mutating func scanUnicodeEscape() throws(PredicateFormatError) -> Unicode.Scalar {
        let start = index - 1
        let first = try scanHexUnit(start: start)
        guard (0xD800..<0xE000).contains(first) else {
            guard let scalar = Unicode.Scalar(first) else { throw error("“\\u” names no character", at: start) }
            return scalar
        }
        guard first < 0xDC00, peek() == "\\", peek(1) == "u" else {
            throw error("half of a surrogate pair is no character", at: start)
        }
        index += 1
        let second = try scanHexUnit(start: start)
        guard (0xDC00..<0xE000).contains(second),
              let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) else {
            throw error("half of a surrogate pair is no character", at: start)
        }
        return scalar
    }

    private mutating func scanHexUnit(start: Int) throws(PredicateFormatError) -> UInt32 {
        index += 1
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let scalar = peek(), let digit = Character(scalar).hexDigitValue, scalar.isASCII else {
                throw error("“\\u” must be followed by four hexadecimal digits", at: start)
            }
            value = value << 4 | UInt32(digit)
            index += 1
        }
        return value
    }

    /// Decimal, 0x, 0o, 0b and floating-point literals, `30.` and `.5` included (the grammar's "C style numeric constant"). Whole numbers beyond 64 bits and fractions that a Double
    /// would round become decimals.
    mutating func scanNumber() throws(PredicateFormatError) -> PredicateValue {
        let start = index
        if peek() == "0", let prefix = peek(1), let radix = Self.radices[prefix] {
            index += 2
            let digits = scanWord()
            try refuseTail(from: start)
            if let value = Int64(digits, radix: radix) { return .integer(value) }
            if let value = UInt64(digits, radix: radix) { return .decimal(Decimal(value)) }
            throw error("“0\(prefix)\(digits)” is not a number", at: start)
        }
        var text = scanDigits()
        var isWhole = true
        if peek() == "." {
            index += 1
            let digits = scanDigits()
            text += digits.isEmpty ? "" : "." + digits
            isWhole = false
        }
        if let scalar = peek(), scalar == "e" || scalar == "E" {
            let signed = peek(1) == "-" || peek(1) == "+"
            if let digit = peek(signed ? 2 : 1), Self.isDigit(digit) {
                text += "e" + (signed ? String(scalars[index + 1]) : "")
                index += signed ? 2 : 1
                text += scanDigits()
                isWhole = false
            }
        }
        try refuseTail(from: start)
        guard let value = Self.number(text.hasPrefix(".") ? "0" + text : text, isWhole: isWhole) else {
            throw error("“\(text)” is too large a number", at: start)
        }
        return value
    }

    /// Nothing may hang on a number: `1.2.3`, `12ab` and `5.name` are no numbers and no keys.
    private mutating func refuseTail(from start: Int) throws(PredicateFormatError) {
        guard let scalar = peek(), scalar == "." || Self.isNameScalar(scalar) else { return }
        while let scalar = peek(), scalar == "." || Self.isNameScalar(scalar) { index += 1 }
        let word = String(String.UnicodeScalarView(scalars[start..<index]))
        throw error("“\(word.count > 40 ? word.prefix(40) + "…" : word)” is neither a number nor a key", at: start)
    }

    private static let radices: [Unicode.Scalar: Int] = ["x": 16, "X": 16, "o": 8, "O": 8, "b": 2, "B": 2]

    private static func number(_ text: String, isWhole: Bool) -> PredicateValue? {
        if isWhole, let value = Int64(text) { return .integer(value) }
        guard let double = Double(text), double.isFinite else { return nil }
        if let exact = Decimal(string: text), exact != NumberOrdering.decimal(double) { return .decimal(exact) }
        return .real(double)
    }

    private mutating func scanDigits() -> String {
        var digits = ""
        while let scalar = peek(), Self.isDigit(scalar) {
            digits.unicodeScalars.append(scalar)
            index += 1
        }
        return digits
    }

    /// A bare UUID, as a UUID constant prints.
    mutating func scanUUID() -> UUID? {
        guard index + 36 <= scalars.count, scalars[index + 8] == "-", scalars[index + 13] == "-",
              let uuid = UUID(uuidString: String(String.UnicodeScalarView(scalars[index..<index + 36]))) else { return nil }
        if let next = peek(36), Self.isNameScalar(next) || next == "-" { return nil }
        index += 36
        return uuid
    }

    /// `{length = 3, bytes = 0x010203}`, as a data constant prints.
    mutating func scanData() -> Data? {
        guard peek() == "{" else { return nil }
        let saved = index
        index += 1
        var bytes = Data()
        guard scan("length"), scan("="), let length = Int(scanPaddedDigits()), scan(","), scan("bytes"), scan("="),
              scan("0x"), scanBytes(into: &bytes), scan("}"), bytes.count == length else {
            index = saved
            return nil
        }
        return bytes
    }

    private mutating func scan(_ text: String) -> Bool {
        while let scalar = peek(), scalar.properties.isWhitespace { index += 1 }
        for scalar in text.unicodeScalars {
            guard peek() == scalar else { return false }
            index += 1
        }
        return true
    }

    private mutating func scanPaddedDigits() -> String {
        while let scalar = peek(), scalar.properties.isWhitespace { index += 1 }
        return scanDigits()
    }

    private mutating func scanBytes(into bytes: inout Data) -> Bool {
        while let scalar = peek(), scalar.isASCII, let high = Character(scalar).hexDigitValue {
            guard let next = peek(1), next.isASCII, let low = Character(next).hexDigitValue else { return false }
            bytes.append(UInt8(high << 4 | low))
            index += 2
        }
        return true
    }
}
