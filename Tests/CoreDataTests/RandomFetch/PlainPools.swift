import CoreDataTestSupport
import Foundation

/// Values the random test draws from: few, so that they meet.
struct PlainPools {
    /// Texts of one data set: constants are made of them too.
    let texts: [String]
    private let identifiers: [UUID]

    init(_ random: inout SeededGenerator, isASCII: Bool = false) {
        let own = (0..<14).map { _ in Self.text(Int.random(in: 0...5, using: &random), &random) }
        texts = (isASCII ? [] : own) + ["", "abc", "Abc", "100%", "a_b", "a*b"]
        identifiers = (0..<6).map { _ in
            let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
            return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        }
    }

    private static func text(_ length: Int, _ random: inout SeededGenerator) -> String {
        // A small part of the alphabet at a time, in all its cases and forms.
        let letters = PlainText.letters
        return (0..<length).map { _ in
            Int.random(in: 0..<3, using: &random) == 0
                ? letters[Int.random(in: 0..<letters.count, using: &random)].text
                : ["a", "A", "b", "\u{E9}", "e\u{301}", "E", "e", "\u{105}", "u", "\u{DC}"].randomElement(using: &random) ?? ""
        }.joined()
    }

    func value(_ type: FetchType, _ random: inout SeededGenerator) -> PlainValue {
        func pick<Element>(_ list: [Element]) -> Element { list[Int.random(in: 0..<list.count, using: &random)] }
        switch type {
        case .int16: return .whole(Int64(pick([-3, -1, 0, 1, 2, 3, 5, 7, 8, 32767, -32768])))
        case .int32: return .whole(Int64(pick([-5, 0, 1, 2, 3, 4, 6, 9, 12, 100, 2_147_483_647])))
        case .int64: return .whole(pick([-2, 0, 1, 2, 3, 10, 9_007_199_254_740_993, 9_007_199_254_740_992, .max, .min]))
        case .double: return .real(pick([-2.5, -1, 0, 0.1, 0.25, 1, 1.5, 2, 2.75, 3, 1e15, -0.0, 1e300]))
        case .float: return .real(Double(pick([-1.5, 0, 0.1, 0.5, 1, 2, 3.25] as [Float])))
        case .decimal: return .exact(Decimal(string: pick(["-1.5", "0", "0.1", "1", "2", "2.5", "3", "3.33", "5.11", "12345.678"])) ?? 0)
        case .string: return .text(pick(texts))
        case .bool: return .truth(Bool.random(using: &random))
        case .date: return .moment(pick([-1000.5, 0, 1, 10, 1000, 86_400, 700_000_000.25]))
        case .binary: return .bytes(pick([[], [0], [1, 2], [1, 2, 3], [255], [0x61, 0x62]]))
        case .uuid: return .identifier(pick(identifiers))
        case .uri: return .address(pick(["http://a.b/c", "http://a.b/C", "https://example.org/x?y=1", "file:///tmp/a%20b", "mailto:a@b.c"]))
        case .transformable: return .text(pick(["one", "two"]))
        }
    }

    /// ASCII letters and digits, whose order in every locale is plain.
    func code(_ random: inout SeededGenerator) -> PlainValue {
        let letters = Array("aAbBcC129")
        return .text(String((0..<Int.random(in: 1...3, using: &random)).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] }))
    }

    /// A part of some text: whole letters of the alphabet, so that folding does not cut one in two.
    func part(of text: String, _ random: inout SeededGenerator, from: Bool = false, to: Bool = false) -> String {
        let letters = Self.letters(text)
        if letters.isEmpty { return "" }
        let start = from ? 0 : Int.random(in: 0..<letters.count, using: &random)
        let end = to ? letters.count : min(letters.count, start + Int.random(in: 0...2, using: &random))
        return letters[start..<max(start, end)].joined()
    }

    static func letters(_ text: String) -> [String] {
        var rest = Array(text.unicodeScalars)[...]
        var letters: [String] = []
        while let first = rest.first {
            let known = PlainText.letters.filter { rest.starts(with: $0.scalars) }.max { $0.scalars.count < $1.scalars.count }
            let length = known?.scalars.count ?? 1
            letters.append(known?.text ?? String(first))
            rest = rest.dropFirst(length)
        }
        return letters
    }
}
