import Foundation
import Testing
@testable import CoreDataPredicate

@Suite("Format language: grammar")
struct FormatGrammarTests {
    @Test("PR01, PR02: synonyms, keyword case and blanks make the same tree", arguments: [
        ("a = 1", "a == 1"), ("a=>1", "a >= 1"), ("a =< 1", "a <= 1"), ("a <> 1", "a != 1"), ("a==1&&b==2", "a == 1 AND b == 2"),
        ("a == 1 || b == 2", "a == 1 or b == 2"), ("! a == 1", "not a == 1"), ("name LIKE \"a\"", "name   like\t'a'\n"),
        ("a == YES", "a == true"), ("a == NIL", "a == null"), ("SOME a = 1", "any a == 1"), ("a beginswith[CD] 'x'", "a BEGINSWITH [cd] \"x\""),
        ("x == 0x1F", "x == 31"), ("x == 0b101", "x == 5"), ("x == 0o17", "x == 15"), ("x == 1e3", "x == 1000.0"),
        ("x == .5", "x == 0.5"), ("x == 30.", "x == 30.0"), ("x == 30. AND y == 1.", "x == 30 AND y == 1"), ("x == {1., .5}", "x == {1, 0.5}"), ("x == 2.e3", "x == 2000.0"), ("x == 1E+3", "x == 1000"), ("x == -.5", "x == -0.5"), ("x == 0XfF", "x == 255"), ("x == - 5", "x == -5"), ("#size > 3", "(#size) > (3)"), ("sum(x) > 1", "sum:(x) > 1"), ("trueprediCATE", "TRUEPREDICATE"),
        ("a.b.c == 1", "a . b.c == 1"), ("x[first] == 1", "x[ FIRST ] == 1"), ("NOT (a == 1)", "NOT a == 1"), ("SELF.a == 1", "a == 1"),
        ("a == '\\u0041'", "a == 'A'"), ("a == '\\uD83D\\uDE00'", "a == '😀'"), ("a == 'it\\'s'", "a == \"it's\""),
        ("a BETWEEN {1,2}", "a between { 1 , 2 }"), ("$X == a", "($X) = a"), ("a + b * c > 1", "a + (b * c) > 1"),
        ("a & 4 == 0", "(a & 4) == 0"), ("1 + 2 > 2", "(1 + 2) > 2"), ("-3 == x", "(-3) == x"), ("a - -3 > b", "a --3 > b"),
        ("a ** 2 * b > 0", "(a ** 2) * b > 0"), ("a | b ^ c & d << 1 == 0", "(a | (b ^ (c & (d << 1)))) == 0"),
    ])
    func synonyms(left: String, right: String) throws { #expect(try parse(left) == parse(right)) }

    @Test("PR22: NOT binds tighter than AND, AND tighter than OR", arguments: [
        ("a == 1 OR b == 1 AND c == 1", "a == 1 OR (b == 1 AND c == 1)"),
        ("a == 1 AND b == 1 OR c == 1", "(a == 1 AND b == 1) OR c == 1"),
        ("NOT a == 1 AND b == 1", "(NOT a == 1) AND b == 1"), ("NOT host IN {'a'}", "NOT (host IN {'a'})"),
        ("!(x == 1) || y == 2", "(NOT x == 1) OR y == 2"),
        ("NOT SUBQUERY(c, $x, $x.a == 1).@count > 0 AND b == 1", "(NOT (SUBQUERY(c, $x, $x.a == 1).@count > 0)) AND b == 1"),
    ])
    func precedence(left: String, right: String) throws { #expect(try parse(left) == parse(right)) }

    @Test("Trees that differ stay different", arguments: [
        ("(a == 1 OR b == 1) AND c == 1", "a == 1 OR b == 1 AND c == 1"), ("a == 1", "a == '1'"), ("a == 'é'", "a == 'e\u{301}'"),
        ("(a - b) - c > 0", "a - (b - c) > 0"), ("ANY a == 1", "ALL a == 1"), ("a == b", "a == 'b'"), ("a ==[c] 'x'", "a == 'x'"),
        ("a == nil", "a == 0"), ("-a > 0", "a > 0"), ("#self == 1", "self == 1"), ("x == 9007199254740993", "x == 9007199254740992.0"),
    ])
    func different(left: String, right: String) throws { #expect(try parse(left) != parse(right)) }

    @Test("Each form makes the tree it says")
    func trees() throws {
        let name = ExpressionTree.key("name")
        func comparison(_ operation: ComparisonOperator, _ right: ExpressionTree, _ modifier: ComparisonModifier = .direct) -> PredicateTree {
            .comparison(Comparison(name, operation, right, modifier: modifier))
        }
        #expect(try parse("NONE name == 1") == .not(comparison(.equal, .constant(.integer(1)), .any)))
        #expect(try parse("NOT ANY name == 1") == parse("NONE name == 1"))
        #expect(try parse("name == $x.%K", .string("a.b")) == comparison(.equal, .keyPath(.variable("x"), ["a", "b"])))
        #expect(try parse("name IN {1, b}") == comparison(.isIn, .aggregate([.constant(.integer(1)), .key("b")])))
        #expect(try parse("name == CAST(0, 'NSDate')") == comparison(.equal, .constant(.date(Date(timeIntervalSinceReferenceDate: 0)))))
        #expect(try parse("name == CAST(b, 'NSDate')") == comparison(.equal, .cast(.key("b"), "NSDate")))
        #expect(try parse("name == TERNARY(a == 1, 2, 3)")
            == comparison(.equal, .conditional(parse("a == 1"), .constant(.integer(2)), .constant(.integer(3)))))
        #expect(try parse("name == FUNCTION(b, 'dateByAddingTimeInterval:', 5)")
            == comparison(.equal, .call(operand: .key("b"), selector: "dateByAddingTimeInterval:", arguments: [.constant(.integer(5))])))
        #expect(try parse("name == a.b[2].c")
            == comparison(.equal, .keyPath(.element(.key("a.b"), .at(.constant(.integer(2)))), ["c"])))
        #expect(try parse("name == now()") == comparison(.equal, .function("now", [])))
        #expect(try parse("name == uppercase:(a)") == comparison(.equal, .function("uppercase:", [.key("a")])))
        #expect(try parse("name == add:to:(1, a)") == comparison(.equal, .function("add:to:", [.constant(.integer(1)), .key("a")])))
        #expect(try parse("name == a UNION b MINUS c")
            == comparison(.equal, .set(.minus, .set(.union, .key("a"), .key("b")), .key("c"))))
        #expect(try parse("ANYKEY CONTAINS 'x'")
            == .comparison(Comparison(.anyKey, .contains, .constant(.string("x")))))
        #expect(try parse("@sum.items.price < 1")
            == .comparison(Comparison(.keyPath(.evaluatedObject, ["@sum", "items", "price"]), .lessThan, .constant(.integer(1)))))
        #expect(try parse("name == -9223372036854775808") == comparison(.equal, .constant(.integer(.min))))
        #expect(try parse("name == 18446744073709551615") == comparison(.equal, .constant(.decimal(Decimal(UInt64.max)))))
    }

    @Test("Keys: non-ASCII, keywords after a dot, words that only begin a call", arguments: [
        ("größe == 1", ["größe"]), ("a.size == 1", ["a", "size"]), ("a.in.any.#and == 1", ["a", "in", "any", "and"]),
        ("cast.name == 1", ["cast", "name"]), ("union == 1", ["union"]), ("名前 == 1", ["名前"]), ("👩‍🚀x == 1", ["👩‍🚀x"]), ("a1_b == 1", ["a1_b"]),
        ("a.@avg.b == 1", ["a", "@avg", "b"]), ("a.@distinctUnionOfObjects.b == 1", ["a", "@distinctUnionOfObjects", "b"]),
        ("#and == 1", ["and"]), ("@#count == 1", ["@count"]), ("a.0 == 1", ["a", "0"]), ("nilly == 1", ["nilly"]),
    ])
    func keys(format: String, keys: [String]) throws {
        #expect(try parse(format) == .comparison(Comparison(.keyPath(.evaluatedObject, keys), .equal, .constant(.integer(1)))))
    }

    @Test("A constant list equals the same list written out, with the same hash")
    func lists() throws {
        let given = try parse("a IN %@", .list([.integer(1), .string("x"), .list([.boolean(true)])]))
        let written = try parse("a IN {1, 'x', {1}}")
        #expect(given == written)
        #expect(given.hashValue == written.hashValue)
    }
}
