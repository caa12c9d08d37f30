/// How one identifier stands in a symbol: its length and itself, with letters for words that the symbol has already.
struct IdentifierSpelling {
    private let identifier: [UInt8]
    private let written: [UInt8]
    private(set) var words: [(start: Int, length: Int)]
    private let known: Int
    /// Words of the symbol at places of the identifier.
    private var replacements: [(position: Int, word: Int)] = []

    private static let mostWords = 26

    init(_ identifier: String, written: [UInt8], words: [(start: Int, length: Int)]) {
        self.identifier = Array(identifier.utf8)
        self.written = written
        self.words = words
        known = words.count
    }

    mutating func text() -> String {
        if identifier.contains(where: { $0 >= 0x80 || !Self.isSymbolByte($0) }) {
            let coded = Punycode.encoded(String(decoding: identifier, as: UTF8.self))
            let first = coded.utf8.first ?? 0
            return "00\(coded.utf8.count)" + (Self.isDigit(first) || first == UInt8(ascii: "_") ? "_" : "") + coded
        }
        findWords()
        return spelled()
    }

    private mutating func findWords() {
        var start: Int?
        for position in 0...identifier.count {
            let byte = position < identifier.count ? identifier[position] : 0
            if let begin = start, Self.isWordEnd(byte, after: identifier[position - 1]) {
                note(begin, position - begin)
                start = nil
            }
            if start == nil, !Self.isDigit(byte), byte != UInt8(ascii: "_"), byte != 0 { start = position }
        }
    }

    private mutating func note(_ start: Int, _ length: Int) {
        let word = identifier[start..<start + length]
        let found = words[..<known].firstIndex { written[$0.start..<$0.start + $0.length].elementsEqual(word) }
            ?? words[known...].firstIndex { identifier[$0.start..<$0.start + $0.length].elementsEqual(word) }
        if let found {
            replacements.append((start, found))
        } else if length >= 2, words.count < Self.mostWords {
            // Relative to the identifier until it is written.
            words.append((start, length))
        }
    }

    private mutating func spelled() -> String {
        var result = Array(replacements.isEmpty ? "".utf8 : "0".utf8)
        var position = 0, next = known
        let last = replacements.count - 1
        for (index, replacement) in (replacements + [(identifier.count, -1)]).enumerated() {
            if position < replacement.position {
                result += Array("\(replacement.position - position)".utf8)
                let first = position
                while position < replacement.position {
                    if next < words.count, words[next].start == position {
                        words[next].start = written.count + result.count
                        next += 1
                    }
                    // A piece may not begin with a digit, which would be read as part of its length.
                    result.append(position == first && Self.isDigit(identifier[position]) ? UInt8(ascii: "X") : identifier[position])
                    position += 1
                }
            }
            guard replacement.word >= 0 else { continue }
            position += words[replacement.word].length
            result.append((index < last ? UInt8(ascii: "a") : UInt8(ascii: "A")) + UInt8(replacement.word))
            if index == last, position == identifier.count { result.append(UInt8(ascii: "0")) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    private static func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }

    private static func isSymbolByte(_ byte: UInt8) -> Bool {
        isDigit(byte) || isUpper(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "$")
    }

    private static func isWordEnd(_ byte: UInt8, after previous: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || byte == 0 || !isUpper(previous) && isUpper(byte)
    }
}
