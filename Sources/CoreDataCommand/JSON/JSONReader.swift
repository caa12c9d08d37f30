import Foundation

/// Reads JSON as it comes, from a file of any size: what has been handed out is not kept.
///
/// Invariant: `line` is the line of the next byte, from 1.
final class JSONReader {
    /// What is wrong with the text, and on which line.
    struct Mistake: Error {
        let line: Int
        let reason: String
    }

    /// nil when all there is stands in the buffer.
    private let file: FileHandle?
    private var buffer: [UInt8] = []
    private var position = 0
    private(set) var line = 1
    private var depth = 0
    private static let deepest = 512

    init(_ file: FileHandle) throws {
        self.file = file
        // A byte order mark says nothing here.
        if try peek() == 0xEF { for _ in 0..<3 { _ = try next() } }
    }

    /// Reads a text.
    init(text: String) throws {
        file = nil
        buffer = Array(text.utf8)
    }

    // MARK: Bytes

    /// nil at the end.
    @inline(__always)
    private func peek() throws -> UInt8? {
        if position < buffer.count { return buffer[position] }
        return try refill()
    }

    private func refill() throws -> UInt8? {
        buffer = [UInt8](try file?.read(upToCount: 1 << 18) ?? Data())
        position = 0
        return buffer.first
    }

    @inline(__always)
    private func next() throws -> UInt8? {
        guard let byte = try peek() else { return nil }
        position += 1
        if byte == 10 { line += 1 }
        return byte
    }

    func mistake(_ reason: String) -> Mistake { Mistake(line: line, reason: reason) }

    /// The next byte that is no white space, left where it is; nil at the end.
    func token() throws -> UInt8? {
        while let byte = try peek() {
            switch byte {
            case 32, 9, 13: position += 1
            case 10: position += 1; line += 1
            default: return byte
            }
        }
        return nil
    }

    func take(_ byte: UInt8) throws -> Bool {
        guard try token() == byte else { return false }
        position += 1
        return true
    }

    func expect(_ byte: UInt8, _ what: String) throws {
        guard try take(byte) else {
            let found = try token().map { "“\(Character(UnicodeScalar($0)))”" } ?? "the end"
            throw mistake("\(what) is expected, not \(found)")
        }
    }

    // MARK: Values

    func value() throws -> JSONValue {
        guard let byte = try token() else { throw mistake("a value is expected, not the end") }
        switch byte {
        case UInt8(ascii: "{"): return .object(try members())
        case UInt8(ascii: "["): return .array(try elements())
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), 48...57: return .number(try number())
        default: throw mistake("a value is expected, not “\(Character(UnicodeScalar(byte)))”")
        }
    }

    func members() throws -> [JSONValue.Member] {
        try expect(UInt8(ascii: "{"), "“{”")
        return try restOfMembers()
    }

    /// The members of an object whose brace has been read.
    func restOfMembers(after first: [JSONValue.Member] = []) throws -> [JSONValue.Member] {
        var members = first
        try enter()
        if first.isEmpty {
            if try take(UInt8(ascii: "}")) { depth -= 1; return [] }
            members.append(try member())
        }
        // Few keys are compared with each other faster than they are hashed.
        var known: Set<String>?
        while try !take(UInt8(ascii: "}")) {
            try expect(UInt8(ascii: ","), "“,” or “}”")
            let member = try member()
            if known == nil, members.count == 24 { known = Set(members.map(\.key)) }
            let isTwice = known.map { $0.contains(member.key) } ?? members.contains { $0.key == member.key }
            if isTwice { throw mistake("the key “\(member.key)” stands twice in one object") }
            known?.insert(member.key)
            members.append(member)
        }
        depth -= 1
        return members
    }

    private func member() throws -> JSONValue.Member {
        let key = try self.key()
        return JSONValue.Member(key: key, value: try value())
    }

    /// A key with its colon.
    func key() throws -> String {
        guard try token() == UInt8(ascii: "\"") else { throw mistake("a key in quotes is expected") }
        let key = try string()
        try expect(UInt8(ascii: ":"), "“:”")
        return key
    }

    private func elements() throws -> [JSONValue] {
        try expect(UInt8(ascii: "["), "“[”")
        try enter()
        var values: [JSONValue] = []
        if try take(UInt8(ascii: "]")) { depth -= 1; return [] }
        repeat { values.append(try value()) } while try take(UInt8(ascii: ","))
        try expect(UInt8(ascii: "]"), "“,” or “]”")
        depth -= 1
        return values
    }

    private func enter() throws {
        depth += 1
        if depth > JSONReader.deepest { throw mistake("this is nested more than \(JSONReader.deepest) deep") }
    }

    private func word(_ word: String, _ value: JSONValue) throws -> JSONValue {
        for byte in word.utf8 where try next() != byte { throw mistake("“\(word)” is misspelt") }
        return value
    }

    private func number() throws -> String {
        var text: [UInt8] = []
        func digits() throws {
            let start = text.count
            while let byte = try peek(), (48...57).contains(byte) { text.append(byte); position += 1 }
            if text.count == start { throw mistake("“\(String(decoding: text, as: UTF8.self))” is no number") }
        }
        if try peek() == UInt8(ascii: "-") { text.append(UInt8(ascii: "-")); position += 1 }
        try digits()
        if try peek() == UInt8(ascii: ".") { text.append(UInt8(ascii: ".")); position += 1; try digits() }
        if let byte = try peek(), byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") {
            text.append(byte)
            position += 1
            if let sign = try peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { text.append(sign); position += 1 }
            try digits()
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func text(_ bytes: ArraySlice<UInt8>) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw mistake("a text is not UTF-8") }
        return text
    }

    private func string() throws -> String {
        position += 1
        // Most texts lie in the buffer as they are.
        if let end = plainEnd() {
            defer { position = end + 1 }
            return try text(buffer[position..<end])
        }
        var bytes: [UInt8] = []
        while let byte = try next() {
            switch byte {
            case UInt8(ascii: "\""): return try text(bytes[...])
            case UInt8(ascii: "\\"): try escape(into: &bytes)
            case 0..<0x20: throw mistake("a text may not hold the control character \(byte): write it as \\u")
            default: bytes.append(byte)
            }
        }
        throw mistake("a text does not end")
    }

    /// The closing quote's place, when nothing before it needs a closer look.
    private func plainEnd() -> Int? {
        buffer.withUnsafeBufferPointer { bytes in
            var index = position
            while index < bytes.count {
                let byte = bytes[index]
                if byte == UInt8(ascii: "\"") { return index }
                if byte == UInt8(ascii: "\\") || byte < 0x20 { return nil }
                index += 1
            }
            return nil
        }
    }

    private func escape(into bytes: inout [UInt8]) throws {
        guard let byte = try next() else { throw mistake("a text does not end") }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(byte)
        case UInt8(ascii: "b"): bytes.append(8)
        case UInt8(ascii: "f"): bytes.append(12)
        case UInt8(ascii: "n"): bytes.append(10)
        case UInt8(ascii: "r"): bytes.append(13)
        case UInt8(ascii: "t"): bytes.append(9)
        case UInt8(ascii: "u"): bytes.append(contentsOf: String(Character(try scalar())).utf8)
        default: throw mistake("“\\\(Character(UnicodeScalar(byte)))” means nothing in a text")
        }
    }

    private func scalar() throws -> UnicodeScalar {
        var code = UInt32(try unit())
        if (0xD800..<0xDC00).contains(code) {
            guard try next() == UInt8(ascii: "\\"), try next() == UInt8(ascii: "u") else { throw mistake("half a surrogate pair") }
            let low = UInt32(try unit())
            guard (0xDC00..<0xE000).contains(low) else { throw mistake("half a surrogate pair") }
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = UnicodeScalar(code) else { throw mistake("half a surrogate pair") }
        return scalar
    }

    private func unit() throws -> UInt16 {
        var value: UInt16 = 0
        for _ in 0..<4 {
            guard let byte = try next(), let digit = Character(UnicodeScalar(byte)).hexDigitValue else {
                throw mistake("“\\u” needs four hexadecimal digits")
            }
            value = value << 4 | UInt16(digit)
        }
        return value
    }
}
