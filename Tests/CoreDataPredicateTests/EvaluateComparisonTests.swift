import Foundation
import Testing
@testable import CoreDataPredicate

@Suite("Evaluation: comparisons")
struct EvaluateComparisonTests {
    @Test("PR09, PR10, PR13, PR43, PR44: numbers, dates and their kin", arguments: [
        ("age == 5", true), ("age == 5.0", true), ("age == 5.5", false), ("age < 5.5", true), ("real == 2.5", true), ("real > 2", true), ("price == 3.1", true),
        ("price == 3.10", true), ("price > 3.09", true), ("price == 3", false), ("big == 9007199254740993", true), ("big == 9007199254740992", false),
        ("big > 9007199254740992.0", true), ("big == 9007199254740992.0", false), ("flag == YES", true), ("flag == 1", true), ("flag == 1.0", true), ("off == 0", true),
        ("off == FALSE", true), ("flag != 0", true), ("age BETWEEN {5, 5}", true), ("age BETWEEN {1, 4}", false), ("age BETWEEN {10, 1}", false),
        ("age BETWEEN {1, 10}", true), ("age IN {1, 5}", true), ("age IN {5.0}", true), ("age IN {'5'}", true), ("age IN {1}", false), ("name IN 'a John b'", true),
        ("name IN[c] {'JOHN'}", true), ("name IN {'JOHN'}", false), ("three == '3'", true), ("three == '3.0'", true), ("three == 'three'", false), ("three != 'three'", true),
        ("three < '10'", true), ("text3 == 3", true), ("text3 < 10", false), ("text3 < '10'", false), ("three == ' 3'", false), ("three == ''", false),
        ("born > CAST(999, 'NSDate')", true), ("born BETWEEN {CAST(1000, 'NSDate'), CAST(1001, 'NSDate')}", true), ("born == 1000", true), ("born + 5 == CAST(1005, 'NSDate')", true),
        ("born - CAST(400, 'NSDate') == 600", true), ("id == '6f9619ff-8b86-d011-b42d-00c04fc964ff'", true), ("id == 6F9619FF-8B86-D011-B42D-00C04FC964FF", true),
        ("id == 'nonsense'", false), ("id != 'nonsense'", true), ("site == 'http://a.b/c'", true), ("data == {length = 2, bytes = 0x0102}", true), ("data < {length = 1, bytes = 0x02}", true),
        ("data == 'x'", false), ("name < 5", false), ("name > 5", true), ("name == 5", false), ("#size == 7", true), ("age == -5", false), ("-age == -5", true),
        ("age == 99999999999999999999", false), ("age < 99999999999999999999", true), ("age == CAST('nan', 'NSNumber')", false), ("age < CAST('inf', 'NSNumber')", true),
    ])
    func numbers(format: String, expected: Bool) throws { #expect(try sampleRow().matches(format) == expected) }

    @Test("PR14–PR20, DD03: texts", arguments: [
        ("John", "BEGINSWITH 'jo'", false), ("john", "BEGINSWITH 'jo'", true), ("John", "BEGINSWITH[c] 'jo'", true), ("testą", "LIKE 'testa'", false), ("TESTA", "LIKE[c] 'testa'", true),
        ("testą", "LIKE[c] 'testa'", false), ("testą", "LIKE[d] 'testa'", true), ("TESTĄ", "LIKE[d] 'testa'", false), ("TESTĄ", "LIKE[cd] 'testa'", true), ("testa", "LIKE 'testa'", true),
        ("TESTĄ", "==[cd] 'testa'", true), ("myName", "LIKE[cd] '*name'", true), ("myName", "CONTAINS[cd] 'NAM'", true), ("myNamé", "ENDSWITH[cd] 'name'", true), ("abc", "LIKE 'a?c'", true),
        ("abc", "LIKE 'a*'", true), ("abc", "LIKE 'b'", false), ("abc", "LIKE '*'", true), ("", "LIKE '*'", true), ("", "LIKE ''", true), ("", "LIKE '?'", false), ("abc", "LIKE 'a*b*c'", true),
        ("a*b", "LIKE 'a\\*b'", true), ("axb", "LIKE 'a\\*b'", false), ("a*b", "LIKE 'a\\\\*b'", true), ("a\\b", "LIKE 'a\\\\\\\\b'", true), ("100%", "CONTAINS '%'", true), ("100", "CONTAINS '%'", false),
        ("a_b", "CONTAINS '_'", true), ("ab", "CONTAINS '_'", false), ("a\nb", "LIKE 'a*b'", true), ("👩‍🚀x", "LIKE '*x'", true), ("abc", "MATCHES 'ab'", false), ("abc", "MATCHES '[a-c]+'", true),
        ("ab", "MATCHES 'a|ab'", true), ("ABC", "MATCHES[c] 'abc'", true), ("ABC", "MATCHES 'abc'", false), ("ábc", "MATCHES[d] 'abc'", true), ("ábc", "MATCHES '\\\\p{L}+'", true), ("a1", "MATCHES '\\w\\d'", true),
        ("a\n", "MATCHES 'a'", false), ("Pakistan", "==[c] 'PAKISTAN'", true), ("Pakistan", "!=[c] 'PAKISTAN'", false), ("Éa", "==[cd] 'ea'", true), ("Éa", "==[c] 'ea'", false),
        ("é", "== 'e\u{301}'", false), ("é", "==[c] 'e\u{301}'", true), ("é", "==[d] 'e\u{301}'", true), ("é", "CONTAINS 'e'", false), ("e\u{301}", "CONTAINS 'e'", true), ("é", "==[n] 'e\u{301}'", false),
        ("A", "==[cn] 'a'", false), ("straße", "==[c] 'STRASSE'", true), ("ΣΑΣ", "==[c] 'σας'", true), ("İ", "==[c] 'i'", false), ("İ", "==[cd] 'i'", true), ("ı", "==[c] 'i'", false), ("ﬁ", "==[c] 'FI'", true),
        ("B", "< 'a'", true), ("B", "<[c] 'a'", false), ("z", "< 'é'", true), ("z", "<[d] 'é'", false), ("abc", "CONTAINS ''", true), ("abc", "BEGINSWITH ''", true), ("abc", "ENDSWITH 'bc'", true),
        ("abc", "ENDSWITH 'abcd'", false), ("", "CONTAINS 'a'", false), ("ab\u{0}c", "CONTAINS '\\u0000c'", true), ("こんにちは", "CONTAINS 'にち'", true), ("हिन्दी", "==[d] 'हन्द'", false), ("x", "BETWEEN[c] {'A', 'Z'}", true),
        ("aab", "CONTAINS 'ab'", true), ("aaab", "LIKE '*aab'", true), ("a", "IN 'abc'", true), ("A", "IN[c] 'abc'", true),
    ])
    func texts(text: String, condition: String, expected: Bool) throws {
        let row = Row(1, ["t": .string(text)])
        #expect(try row.matches("t " + condition) == expected)
        #expect(try row.matches("t " + condition, rules: .sql) == expected)
    }

    @Test("A bad pattern is a typed error", arguments: ["[", "a)(b", "*", "(", "a{2,1}"])
    func badPattern(pattern: String) {
        #expect(throws: PredicateEvaluationError.badPattern(pattern)) { try sampleRow().matches("name MATCHES %@", .string(pattern)) }
    }

    @Test("A pattern of stars ends in time")
    func slowPattern() throws {
        let text = String(repeating: "a", count: 2_000)
        #expect(try !Row(1, ["t": .string(text)]).matches("t LIKE %@", .string(String(repeating: "*a", count: 50) + "b")))
    }

    @Test("PR23: constants and compounds", arguments: [
        ("TRUEPREDICATE AND FALSEPREDICATE", false), ("TRUEPREDICATE OR FALSEPREDICATE", true), ("!TRUEPREDICATE", false), ("NOT FALSEPREDICATE", true), ("1 + 2 > 2", true), ("5 IN {1, 5}", true),
    ])
    func constants(format: String, expected: Bool) throws { #expect(try Row().matches(format) == expected) }

    @Test("PR22: the truth table of a OR b AND c")
    func truthTable() throws {
        for bits in 0..<8 {
            let (a, b, c) = (bits & 1 == 1, bits & 2 == 2, bits & 4 == 4)
            let row = Row(1, ["a": .boolean(a), "b": .boolean(b), "c": .boolean(c)])
            #expect(try row.matches("a == 1 OR b == 1 AND c == 1") == (a || (b && c)))
            #expect(try row.matches("(a == 1 OR b == 1) AND c == 1") == ((a || b) && c))
            #expect(try row.matches("NOT a == 1 AND b == 1") == (!a && b))
        }
    }

    @Test("PR25, PR45: objects by identity, IDs by row")
    func references() throws {
        let row = sampleRow()
        let (same, other) = (Row(1), Row(2))
        same.isBare = true
        #expect(try row.matches("SELF == %@", row.reference))
        #expect(try row.matches("SELF == %@", same.reference))
        #expect(try !row.matches("SELF == %@", other.reference))
        #expect(try row.matches("SELF != %@", other.reference))
        #expect(try row.matches("SELF IN %@", .list([other.reference, same.reference])))
        #expect(try !row.matches("NOT (SELF IN %@)", .list([same.reference])))
        #expect(try row.matches("dept == %@", Row(20).reference))
        #expect(try !row.matches("dept == nil"))
        #expect(try !row.matches("dept == 20"))
    }

    @Test("An unknown key is the subject's own error; a value that has no such key is ours")
    func unknownKeys() {
        #expect(throws: Row.UnknownKey(key: "nope")) { try sampleRow().matches("nope == 1") }
        #expect(throws: Row.UnknownKey(key: "nope")) { try sampleRow().matches("dept.nope == 1") }
        #expect(throws: Row.UnknownKey(key: "nope")) { try sampleRow().matches("ANY children.nope == 1") }
        #expect(throws: PredicateEvaluationError.noSuchKey("nope", kind: "a number")) { try sampleRow().matches("age.nope == 1") }
        #expect(throws: PredicateEvaluationError.unboundVariable("x")) { try sampleRow().matches("age == $x") }
        #expect(throws: PredicateEvaluationError.badBounds(kind: "a number")) { try sampleRow().matches("age BETWEEN 3") }
        #expect(throws: PredicateEvaluationError.badBounds(kind: "a list of another length")) { try sampleRow().matches("age BETWEEN {3}") }
    }

    @Test("A bare ID has no values: a path through it is nil")
    func bareReference() throws {
        let bare = Row(5)
        bare.isBare = true
        #expect(try Row(1, ["dept": bare.reference]).matches("dept.name == nil"))
    }

    @Test("Folding is the same whichever side is folded, and folding twice changes nothing")
    func folding() {
        let samples = ["", "Abc", "ÀÉÎõü", "straße", "ẞ", "İstanbul", "ısı", "ΣΊΣΥΦΟΣ", "ﬃ", "Å", "ǅ", "Ω", "ſ", "K", "Ąą", "ё", "Й", "한국어", "が", "नमस्ते", "שָׁלוֹם", "مُحَمَّد", "👩‍🚀É", "e\u{301}\u{323}", "\u{0}A", "ŉ", "ᾳ"]
        for options in [[], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]] as [ComparisonOptions] {
            for sample in samples {
                let folded = TextFolding.fold(sample, options: options)
                #expect(TextFolding.fold(folded, options: options).isLiterally(folded), "\(sample) \(options.text)")
                if options.contains(.caseInsensitive), sample != "ısı", sample != "İstanbul", sample != "ᾳ" {
                    #expect(TextFolding.fold(sample.uppercased(), options: options).isLiterally(folded), "\(sample) \(options.text)")
                }
            }
        }
        // Long texts are folded piece by piece, wherever the pieces end.
        for sample in samples where !sample.isEmpty {
            for options in [.caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]] as [ComparisonOptions] {
                let long = String(repeating: sample + "É", count: 700), short = TextFolding.fold(sample + "É", options: options)
                #expect(TextFolding.fold(long, options: options).isLiterally(String(repeating: short, count: 700)), "\(sample) \(options.text)")
            }
        }
        #expect(TextFolding.fold("Zażółć Gęślą", options: [.caseInsensitive, .diacriticInsensitive]) == "zazołc gesla")
    }
}

extension String {
    func isLiterally(_ other: String) -> Bool { Array(utf8) == Array(other.utf8) }
}
