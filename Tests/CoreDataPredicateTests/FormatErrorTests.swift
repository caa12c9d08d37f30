import CoreDataTestSupport
import Foundation
import Testing
@testable import CoreDataPredicate

@Suite("Format language: bad input")
struct FormatErrorTests {
    @Test("Bad syntax is an error with the position and the reason", arguments: [
        ("", 0, "the format is empty"), ("  \n", 0, "the format is empty"),
        ("name NOT IN {1}", 5, "“NOT IN” is not part of the language; write NOT (key IN collection)"),
        ("name == 'abc", 8, "the string that begins here has no closing '"),
        ("name == \"abc\\\"", 8, "the string that begins here has no closing \""),
        ("==", 0, "expected an operand, but found “==”"), ("a ==", 4, "expected an operand, but the format ends here"),
        ("AND", 0, "“AND” is a reserved word; for a key of that name write #AND"),
        ("a == 1 AND", 10, "expected an operand, but the format ends here"),
        ("a == 1 b == 2", 7, "expected AND, OR or the end, but found “b”"),
        ("a", 0, "a comparison operator such as == must follow this expression"),
        ("a == 1 AND b", 11, "a comparison operator such as == must follow this expression"),
        ("(a == 1", 7, "expected “)” to close the parenthesis, but the format ends here"),
        ("a == 1)", 6, "expected AND, OR or the end, but found “)”"),
        ("a IN {1, 2", 10, "expected “}” to close the list, but the format ends here"),
        ("a == %", 5, "“%” must be followed by a placeholder letter, such as %@ or %K"),
        ("a == %q", 5, "“%” must be followed by a placeholder letter, such as %@ or %K"),
        ("a == %Z", 5, "“%Z” is not a placeholder"), ("like > 3", 0, "“like” is a reserved word; for a key of that name write #like"),
        ("a == 1.2.3", 5, "“1.2.3” is neither a number nor a key"), ("a == 0x1F.5", 5, "“0x1F.5” is neither"), ("a == 1_000", 5, "“1_000” is neither"),
        ("a == .5.5", 5, "“.5.5” is neither"), ("a == 1..2", 5, "“1..2” is neither"), ("a == 1e5.2", 5, "“1e5.2” is neither"),
        ("a == 5.name", 5, "“5.name” is neither"), ("a == 1.2.3.4 AND b == 1", 5, "“1.2.3.4” is neither"), ("a == 0b12", 5, "“0b12” is not a number"),
        ("a == 0o8", 5, "“0o8” is not a number"), ("a == 0x", 5, "“0x” is not a number"), ("a == 1e", 5, "“1e” is neither"), ("a == .", 5, ""),
        ("a == 3abc", 5, "“3abc” is neither a number nor a key"), ("a == 0xZZ", 5, "“0xZZ” is not a number"),
        ("a == 1e999", 5, "“1e999” is too large a number"), ("a ==[x] 'b'", 5, "“x” is not a comparison option; there are c, d, n and l"),
        ("a == $", 5, "“$” must be followed by the name of a variable"), ("a. == 1", 3, "expected a key after the dot, but found “==”"),
        ("a == foo(1)", 5, "there is no function “foo”"), ("a == sqrt(1, 2)", 5, "sqrt: takes 1 argument, not 2"),
        ("a == sqrt:(1, 2)", 5, "sqrt: takes 1 argument, not 2"), ("ANY a", 5, "expected a comparison operator, but the format ends here"),
        ("ANY (a == 1)", 0, "ANY needs a comparison after it"), ("(a == 1) == 2", 9, "a predicate cannot be compared with =="),
        ("a == (b == 1)", 5, "an expression is needed here, and this is a predicate"),
        ("SUBQUERY(a, x, x == 1).@count > 0", 12, "expected a variable such as $x, but found “x”"),
        ("a UTI-CONFORMS-TO 'b'", 2, "UTI-CONFORMS-TO exists only on Apple's systems"),
        ("a == \u{0}1", 5, "unexpected character “U+0”"), ("😀 == ;", 6, "unexpected character “;”"), ("a ? b", 2, "unexpected character “?”"),
        ("a == '\\u12'", 6, "“\\u” must be followed by four hexadecimal digits"), ("a == '\\uD800x'", 6, "half of a surrogate pair is no character"),
        ("a == “b”", 5, "unexpected character ““”"), ("NOT", 3, "expected an operand, but the format ends here"),
        ("NOT a", 4, "a comparison operator such as == must follow this expression"), ("a == 1 == 2", 7, "expected AND, OR or the end, but found “==”"),
        ("FETCH(a, b, NO) == 1", 0, "write %@ here and pass what NSFetchRequestExpression.expression(forFetch:context:countOnly:) makes"),
        ("a == CAST(b)", 11, "expected “,” after CAST's operand, but found “)”"),
    ])
    func syntax(format: String, position: Int, reason: String) {
        let error = #expect(throws: PredicateFormatError.self) { try PredicateFormat.parse(format) }
        #expect(error?.position == position, "\(error?.reason ?? "")")
        #expect(error?.reason.hasPrefix(reason) == true, "\(error?.reason ?? "")")
        #expect(error?.format == format)
    }

    @Test("A long format is quoted around the mistake, in whole characters, and its position stays that of the format")
    func excerpts() throws {
        for pad in ["a == 1 AND ", "é == '😀👨‍👩‍👧' OR "] {
            let head = String(repeating: pad, count: 300), tail = String(repeating: " AND b == 2", count: 300)
            for (format, part) in [(head + "b LIEK 'x'" + tail, "b LIEK 'x'"), ("b LIEK 'x'" + tail, "“b LIEK 'x'"), (head + "b ==", "b ==”")] {
                let error = try #require(throws: PredicateFormatError.self) { try PredicateFormat.parse(format) }
                #expect(error.description.count < 260 && error.description.contains(part), "\(error)")
                #expect(error.format == format)
                let bridged = error as NSError
                #expect(bridged.domain == NSCocoaErrorDomain && bridged.code == 2048 && bridged.localizedDescription == error.description)
            }
        }
    }

    @Test("Twenty thousand levels of anything are an error, not a crash", arguments: [
        "(", "NOT ", "!", "a == -", "-", "~", "+", "{", "abs(", "SUBQUERY(", "TERNARY(", "FUNCTION(", "a[", "(a == 1) AND (", "a + (",
    ])
    func nesting(opening: String) {
        let format = "a == " + String(repeating: opening, count: 20_000) + "b"
        for format in [format, String(format.dropFirst(5))] {
            let error = #expect(throws: PredicateFormatError.self) { try PredicateFormat.parse(format) }
            #expect(error?.reason.hasPrefix("the format nests more than") == true || error?.reason.hasPrefix("expected") == true
                || error?.reason.hasPrefix("a") == true || error?.reason.hasPrefix("“NOT") == true)
        }
    }

    @Test("Ten thousand indexes or set operators in a row are an error too: their tree would be as deep", arguments: [
        ("[0]", "the format nests more than 200 levels deep"), (" UNION b", "the format nests more than 200 levels deep"),
        ("[0].x", "the format nests more than 200 levels deep"),
        (" ** 2", "more than 200 operators in a row are only possible for + and -, and for *"),
        (" / 2", "more than 200 operators in a row are only possible for + and -, and for *"),
    ])
    func chains(link: String, reason: String) {
        let error = #expect(throws: PredicateFormatError.self) {
            try PredicateFormat.parse("a == 1 AND a" + String(repeating: link, count: 10_000) + " == 1")
        }
        #expect(error?.reason == reason)
    }

    @Test("Nesting up to the limit parses, and long flat formats do")
    func allowed() throws {
        for count in [190, 5_000, 100_000] {
            let nested = String(repeating: "(", count: count) + "a == (" + String(repeating: "(", count: count) + "1"
                + String(repeating: ")", count: 2 * count + 1)
            #expect(try parse(nested) == parse("a == 1"), "\(count)")
        }
        let flat = Array(repeating: "a == 1", count: 20_000).joined(separator: " OR ")
        guard case .or(let parts) = try parse(flat) else { return #expect(Bool(false)) }
        #expect(parts.count == 20_000)
        guard case .comparison(let comparison) = try parse("a." + Array(repeating: "b", count: 5_000).joined(separator: ".") + " == 1"),
              case .keyPath(_, let keys) = comparison.left else { return #expect(Bool(false)) }
        #expect(keys.count == 5_001)
    }

    @Test("No garbage traps the parser")
    func garbage() {
        let pieces = [
            "a", "==", "(", ")", "{", "}", "[", "]", "'", "\"", "%@", "%K", "%", "$x", "@", "@count", "#", ".", ",", "-", "NOT", "ANY", "IN", "1",
            "0x", "1.5", "\\", "\u{0}", "😀", "SUBQUERY(", "CAST(", "BETWEEN", "&", "|", "~", "**", "sum:", "FIRST", " ", "e\u{301}", "{length = 2",
        ]
        var generator = SplitMix(seed: 7)
        var parsed = 0
        for _ in 0..<20_000 {
            let format = (0..<Int.random(in: 1...9, using: &generator)).map { _ in pieces.randomElement(using: &generator) ?? "" }
                .joined(separator: Bool.random(using: &generator) ? " " : "")
            let arguments = PublicFormats.arguments(for: format)
            if (try? PredicateFormat.parse(format, arguments: arguments)) != nil { parsed += 1 }
            if (try? PredicateFormat.parseExpression(format, arguments: arguments)) != nil { parsed += 1 }
        }
        #expect(parsed > 100)
    }
}

/// A small seeded generator, so that a failure comes back.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
