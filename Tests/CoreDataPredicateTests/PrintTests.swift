import CoreDataTestSupport
import Foundation
import Testing
@testable import CoreDataPredicate

@Suite("Format language: printing")
struct PrintTests {
    @Test("Prints as Apple's predicateFormat", arguments: [
        (FormatCase("name = 'a'"), "name == \"a\""), (FormatCase("SOME a = 1"), "ANY a == 1"), (FormatCase("NONE a = 1"), "NOT ANY a == 1"),
        (FormatCase("a between {1,2}"), "a BETWEEN {1, 2}"), (FormatCase("(a = 1 or b = 2) and c = 3"), "(a == 1 OR b == 2) AND c == 3"),
        (FormatCase("a = 1 or b = 2 and c = 3"), "a == 1 OR (b == 2 AND c == 3)"),
        (FormatCase("(a = 1 and b = 2) and c = 3"), "(a == 1 AND b == 2) AND c == 3"), (FormatCase("a=1 and b=2 and c=3"), "a == 1 AND b == 2 AND c == 3"),
        (FormatCase("not (x in {1})"), "NOT x IN {1}"), (FormatCase("!(a == 1 && b == 2)"), "NOT (a == 1 AND b == 2)"),
        (FormatCase("a == 1 and not b == 2"), "a == 1 AND NOT b == 2"), (FormatCase("not not a == 1"), "NOT NOT a == 1"),
        (FormatCase("flag == YES"), "flag == 1"), (FormatCase("flag == NO"), "flag == 0"), (FormatCase("a == NULL"), "a == nil"),
        (FormatCase("x == 3.5"), "x == 3.5"), (FormatCase("x == 3.0"), "x == 3"), (FormatCase("x == -7"), "x == -7"),
        (FormatCase("d == CAST(123, 'NSDate')"), "d == CAST(123.000000, \"NSDate\")"), (FormatCase("#size > 3"), "#size > 3"),
        (FormatCase("a contains [dc] 'x'"), "a CONTAINS[cd] \"x\""), (FormatCase("a ==[n] 'x'"), "a ==[n] \"x\""),
        (FormatCase("truepredicate"), "TRUEPREDICATE"), (FormatCase("a == 'q\"\\\\\n\t'"), "a == \"q\\\"\\\\\\n\\t\""),
        (FormatCase("subquery(c,$x,$x.a=1).@count>0"), "SUBQUERY(c, $x, $x.a == 1).@count > 0"), (FormatCase("count(a)>1"), "count:(a) > 1"),
        (FormatCase("a+b*c>(a+b)*c"), "a + b * c > (a + b) * c"), (FormatCase("a-(b-c)>0"), "a - (b - c) > 0"), (FormatCase("a[last]=b[0]"), "a[LAST] == b[0]"),
        (FormatCase("function(a,'b:',1)=ternary(x=1,2,3)"), "FUNCTION(a, \"b:\", 1) == TERNARY(x == 1, 2, 3)"),
        (FormatCase("a union b = c intersect (d minus e)"), "a UNION b == c INTERSECT (d MINUS e)"), (FormatCase("~a & 1 = 0"), "~a & 1 == 0"),
        (FormatCase("id == %@", .uuid(UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF") ?? UUID())), "id == 6F9619FF-8B86-D011-B42D-00C04FC964FF"),
        (FormatCase("d == %@", .data(Data([1, 0xAB]))), "d == {length = 2, bytes = 0x01ab}"), (FormatCase("a IN {}"), "a IN {}"),
        (FormatCase("now() > d"), "now() > d"), (FormatCase("anykey == 1"), "ANYKEY == 1"), (FormatCase("self in {1}"), "SELF IN {1}"),
    ])
    func prints(item: FormatCase, text: String) throws {
        let tree = try item.parse()
        #expect(PredicatePrinter.text(of: tree) == text)
        #expect(try PredicateFormat.parse(text) == tree)
    }

    @Test("Compounds of one and of none")
    func smallCompounds() throws {
        let one = try parse("a == 1")
        #expect(PredicatePrinter.text(of: .and([])) == "TRUEPREDICATE")
        #expect(PredicatePrinter.text(of: .or([])) == "FALSEPREDICATE")
        #expect(PredicatePrinter.text(of: .and([.or([one]), one])) == "a == 1 AND a == 1")
        #expect(PredicatePrinter.text(of: .not(.or([one]))) == "NOT a == 1")
    }

    @Test("Every constant parses back to itself", arguments: [
        PredicateValue.null, .boolean(true), .integer(.max), .integer(.min), .real(0.1), .real(-1e-300), .real(1e300), .real(.nan), .real(-.infinity), .real(-0.0),
        .decimal(Decimal(string: "1234567890.12345678901234567") ?? 0), .decimal(Decimal(string: "-0.000000000000000000001") ?? 0),
        .decimal(Decimal(string: "123456789012345678901234567890") ?? 0), .string(""), .string("%@ %K $x #y"), .string("\u{0}\u{7f}\r\n\\'\"😀"), .string("e\u{301}"),
        .date(Date(timeIntervalSinceReferenceDate: 779_123_456.123_456_7)), .date(.distantPast), .date(.distantFuture), .data(Data()), .data(Data(0...255)), .uuid(UUID()),
        .url(URL(fileURLWithPath: "/tmp/a b")), .list([]), .list([.null, .string("a"), .list([.integer(1), .real(2.5)])]),
    ])
    func constants(value: PredicateValue) throws {
        let tree = PredicateTree.comparison(Comparison(.key("a"), .equal, .constant(value)))
        let text = PredicatePrinter.text(of: tree)
        let back = try PredicateFormat.parse(text)
        #expect(back == tree, "\(text)")
        #expect(back.hashValue == tree.hashValue, "\(text)")
    }

    @Test("Every line of the public corpus parses, prints and parses back to an equal tree")
    func corpus() throws {
        guard let lines = PublicFormats.read() else { return Corpus.skip("predicates.txt") }
        for line in lines {
            let tree = try PredicateFormat.parse(line, arguments: PublicFormats.arguments(for: line))
            let text = PredicatePrinter.text(of: tree)
            #expect(try PredicateFormat.parse(text) == tree, "\(line) → \(text)")
        }
        Corpus.say("predicates.txt: \(lines.count) formats")
        #expect(lines.count > 300)
    }

    @Test("Ten thousand random trees print and parse back to equal trees")
    func generated() throws {
        var generator = TreeGenerator(seed: 42)
        for _ in 0..<10_000 {
            let tree = generator.predicate(depth: 4)
            let text = PredicatePrinter.text(of: tree)
            let back = try PredicateFormat.parse(text)
            #expect(back == tree, "\(text)")
            if back != tree { return }
            #expect(PredicatePrinter.text(of: back) == text)
        }
    }
}
