import Foundation
import Testing
@testable import CoreDataPredicate

@Suite("Evaluation: collections, functions and variables")
struct EvaluateCollectionTests {
    @Test("PR26–PR33, DD07: quantifiers, operators and SUBQUERY", arguments: [
        ("ANY children.age > 30", true), ("ANY children.age > 50", false), ("SOME children.age == 20", true), ("ALL children.age > 10", false), ("ALL empty.age > 10", true),
        ("ALL numbers > 0", true), ("ALL numbers > 1", false), ("NONE children.age > 50", true), ("NOT (ANY children.age > 30)", false), ("NONE empty.age < 18", true), ("ANY empty.age < 18", false),
        ("ANY children.name == nil", true), ("ANY children.name CONTAINS[c] 'a'", true), ("ANY children.dept.name == 'Dept'", true), ("ANY children.dept.name == nil", false),
        ("ANY children.age == 20 AND ANY children.name == 'B'", true), ("SUBQUERY(children, $x, $x.age == 20 AND $x.name == 'B').@count > 0", false),
        ("SUBQUERY(children, $x, $x.age == 20 AND $x.name == 'A').@count == 1", true), ("SUBQUERY(children, $x, $x.age > 10).@count == 2", true),
        ("SUBQUERY(children, $c, $c.age > age).@count == 2", true), ("SUBQUERY(children, $c, SUBQUERY($c.tags, $t, $t == 'x' AND $c.age > 30).@count > 0).@count == 1", true),
        ("SUBQUERY(empty, $x, TRUEPREDICATE).@count == 0", true), ("SUBQUERY(nothing, $x, TRUEPREDICATE).@count == 0", true), ("SUBQUERY(children, $x, $x.name == nil).@count == 1", true),
        ("ANY SUBQUERY(children, $x, $x.age > 1).name == 'B'", true), ("children.@count == 3", true), ("empty.@count == 0", true), ("children.tags.@count == 3", true), ("children.@sum.age == 60", true),
        ("empty.@sum.age == 0", true), ("children.@avg.age == 30", true), ("children.@max.age == 40", true), ("children.@min.age == 20", true), ("empty.@max.age == nil", true), ("empty.@avg.age == nil", true),
        ("children.@distinctUnionOfObjects.tags.@count == 2", true), ("children.@unionOfObjects.name.@count == 2", true), ("children.@avg.age.doubleValue > 29", true), ("children.tags CONTAINS 'y'", true),
        ("'y' IN children.tags", true), ("'z' IN children.tags", false), ("children.name CONTAINS 'B'", true), ("children.name CONTAINS 'C'", false), ("words CONTAINS 'b'", true), ("words CONTAINS[c] 'B'", true),
        ("numbers[FIRST] == 3", true), ("numbers[LAST] == 2", true), ("numbers[SIZE] == 3", true), ("numbers[1] == 1", true), ("numbers[9] == nil", true), ("children[0].age == 20", true), ("children[FIRST].name == 'A'", true),
        ("numbers == {3, 1, 2}", true), ("numbers == {1, 2, 3}", false), ("numbers == {1, 2}", false), ("words == {'a', 'b', 'b'}", false),
        ("numbers UNION {9} == {1, 2} UNION {3, 9}", true), ("numbers INTERSECT {1, 9} == {1} UNION {1}", true), ("numbers MINUS {1} == {2, 3} MINUS {}", true),
        ("words[0] == words[2]", true), ("ANY children.tags == 'y'", true), ("ANY children IN children", true), ("children.age.@max == 40", true), ("children.dept.@count == 2", true), ("ANY {1, 2} == 2", true), ("ALL {1, 2} IN {1, 2, 3}", true),
        ("distinct:(words) == {'a', 'b'}", true), ("{1, 2} IN {{1, 2}, {3}}", true),
    ])
    func collections(format: String, expected: Bool) throws {
        #expect(try sampleRow().matches(format) == expected)
        #expect(try sampleRow().matches(format, rules: .sql) == expected, "sql")
    }

    @Test("A collection where one value is needed is a typed error that says to quantify", arguments: ["children.age > 10", "words BEGINSWITH 'a'", "words LIKE 'a'", "numbers BETWEEN {1, 2}", "numbers IN {1, 2}"])
    func needsQuantifier(format: String) throws {
        let text = PredicatePrinter.text(of: try parse(format))
        #expect(throws: PredicateEvaluationError.needsQuantifier(text)) { try sampleRow().matches(format) }
    }

    @Test("PR41, PR42: arithmetic, functions, casts and conditionals", arguments: [
        ("age + three", PredicateValue.integer(8)), ("age / 2", .integer(2)), ("age / 2.0", .real(2.5)), ("real / 2", .real(1.25)), ("age / 0", .null), ("real / 0.0", .null), ("age - nothing", .null), ("2 ** 10", .integer(1024)),
        ("2 ** 0.5", .real(2.0.squareRoot())), ("2 ** 64", .real(18446744073709551616)), ("(-2) ** 3", .integer(-8)), ("modulus:by:(7, 4)", .integer(3)), ("modulus:by:(7, 0)", .null), ("9223372036854775807 + 1", .real(9223372036854775808)),
        ("price * 2", .decimal(Decimal(string: "6.20") ?? 0)), ("price + real", .real(5.6)), ("'1' + '1'", .integer(2)), ("flag + 1", .integer(2)), ("6 & 3", .integer(2)), ("6 | 3", .integer(7)), ("6 ^ 3", .integer(5)), ("1 << 4", .integer(16)),
        ("256 >> 4", .integer(16)), ("~0", .integer(-1)), ("1 << 64", .integer(0)), ("nothing & 1", .null), ("sum:(numbers)", .integer(6)), ("sum({1, 2.5})", .real(3.5)), ("count:(words)", .integer(3)), ("min:(numbers)", .integer(1)),
        ("max:(numbers)", .integer(3)), ("max:(age, three)", .integer(5)), ("average:(numbers)", .real(2)), ("median:({1, 9, 2, 4})", .real(3)), ("mode:({1, 2, 2})", .list([.integer(2)])), ("stddev:({2, 4})", .real(1)), ("sqrt:(9)", .real(3)),
        ("floor:(2.7)", .real(2)), ("ceiling:(2.1)", .real(3)), ("trunc:(-2.7)", .real(-2)), ("abs:(-3)", .integer(3)), ("abs:(big)", .integer(9_007_199_254_740_993)), ("ln:(1)", .real(0)), ("log:(100)", .real(2)), ("exp:(0)", .real(1)),
        ("uppercase:(name)", .string("JOHN")), ("lowercase(name)", .string("john")), ("length:(name)", .integer(4)), ("length:(nothing)", .null), ("canonical:('ÉA')", .string("ea")), ("noindex:(age)", .integer(5)), ("name.length", .integer(4)),
        ("CAST('12', 'NSNumber')", .integer(12)), ("CAST(12, 'NSString')", .string("12")), ("CAST(born, 'NSNumber')", .real(1000)), ("CAST(age, 'NSDate')", .date(Date(timeIntervalSinceReferenceDate: 5))), ("CAST(nothing, 'NSDate')", .null),
        ("CAST(real, 'NSDecimalNumber')", .decimal(Decimal(string: "2.5") ?? 0)), ("CAST(site, 'NSString')", .string("http://a.b/c")), ("TERNARY(age > 3, 'old', 'new')", .string("old")), ("TERNARY(nothing > 3, 'old', 'new')", .string("new")),
        ("FUNCTION(born, 'dateByAddingTimeInterval:', 5)", .date(Date(timeIntervalSinceReferenceDate: 1005))), ("FUNCTION(name, 'uppercaseString')", .string("JOHN")), ("FUNCTION(name, 'stringByAppendingString:', '!')", .string("John!")),
        ("FUNCTION(SELF, 'valueForKeyPath:', 'dept.name')", .string("Dept")), ("FUNCTION(numbers, 'sum:')", .integer(6)), ("age", .integer(5)), ("-age", .integer(-5)), ("age.stringValue", .string("5")), ("born + 60", .date(Date(timeIntervalSinceReferenceDate: 1060))),
    ])
    func expressions(format: String, expected: PredicateValue) throws { #expect(try sampleRow().value(format) == expected) }

    @Test("Integer division and integer sums stay integers; kinds are not mixed up by equality")
    func kinds() throws {
        guard case .integer = try sampleRow().value("7 / 2") else { return #expect(Bool(false)) }
        guard case .real = try sampleRow().value("7 / 2.0") else { return #expect(Bool(false)) }
        guard case .integer = try sampleRow().value("sum:(numbers)") else { return #expect(Bool(false)) }
        guard case .decimal = try sampleRow().value("price + 1") else { return #expect(Bool(false)) }
    }

    @Test("What cannot be computed is a typed error", arguments: [
        ("name + 1", PredicateEvaluationError.notANumber(function: "add:to:", kind: "a string")), ("1.5 & 1", .notANumber(function: "bitwiseAnd:with:", kind: "a fraction")), ("CAST('x', 'NSNumber')", .badCast(type: "NSNumber", kind: "a string")),
        ("CAST(1, 'Foo')", .unsupported("CAST knows no type “Foo”")), ("age[0]", .notACollection(operation: "An index", kind: "a number")), ("SUBQUERY(age, $x, TRUEPREDICATE)", .notACollection(operation: "SUBQUERY", kind: "a number")),
        ("age.@count", .notACollection(operation: "@count", kind: "a number")), ("words.@sum", .notANumber(function: "A sum", kind: "a string")), ("numbers.@foo", .noSuchKey("@foo", kind: "a collection")),
        ("FUNCTION(age, 'explode:', 1)", .unsupported("“explode:” cannot be called on a number here: there is no Objective-C runtime to send it to")),
    ])
    func errors(format: String, error: PredicateEvaluationError) { #expect(throws: error) { try sampleRow().value(format) } }

    @Test("PR39: variables are bound, a SUBQUERY's own stays, an unbound one is named")
    func substitution() throws {
        let tree = try parse("a == $x AND SUBQUERY(c, $y, $y.b == $x).@count > $n")
        #expect(tree.freeVariables == ["x", "n"])
        let bound = try tree.substituting(variables: ["x": .integer(1), "n": .integer(0), "y": .string("not this")])
        #expect(bound == (try parse("a == 1 AND SUBQUERY(c, $y, $y.b == 1).@count > 0")))
        #expect(throws: PredicateEvaluationError.unboundVariable("n")) { try tree.substituting(variables: ["x": .null]) }
        #expect(try PredicateEvaluation.evaluate(parse("age > $min"), subject: sampleRow(), variables: ["min": .integer(4)], rules: .sql))
        #expect(try PredicateFormat.parseExpression("$x + 1").substituting(variables: ["x": .integer(2)]) == PredicateFormat.parseExpression("2 + 1"))
    }

    @Test("A block gets the object and the variables, and its error is passed on")
    func blocks() throws {
        let row = sampleRow()
        let block = PredicateBlock(text: "BLOCKPREDICATE(0x1)") { object, variables in (object as? Row) === row && variables?["n"] as? Int == 3 }
        #expect(try PredicateEvaluation.evaluate(.not(.block(block)), subject: row, variables: ["n": .integer(4)], rules: .sql))
        #expect(try PredicateEvaluation.evaluate(.block(block), subject: row, variables: ["n": .integer(3)], rules: .memory))
        #expect(PredicatePrinter.text(of: .block(block)) == "BLOCKPREDICATE(0x1)")
        struct Refusal: Error {}
        #expect(throws: Refusal.self) { try PredicateEvaluation.evaluate(.block(PredicateBlock(text: "") { _, _ in throw Refusal() }), subject: row, rules: .memory) }
    }

    @Test("SO02, SO03, SO11: nil first, numbers by magnitude across kinds, texts by the comparison given")
    func ordering() {
        let values: [PredicateValue] = [.string("a"), .integer(3), .null, .string("B"), .real(2.5), .boolean(true), .decimal(4), .date(Date(timeIntervalSinceReferenceDate: 3.5)), .real(.nan)]
        let sorted = values.sorted { ValueOrdering.compare($0, $1) == .orderedAscending }
        #expect(Array(sorted.dropFirst(2)) == [.boolean(true), .real(2.5), .integer(3), .date(Date(timeIntervalSinceReferenceDate: 3.5)), .decimal(4), .string("B"), .string("a")])
        #expect(sorted.prefix(2).contains(.null))
        let caseless = [PredicateValue.string("B"), .string("a"), .string("C")].sorted { ValueOrdering.compare($0, $1) { $0.caseInsensitiveCompare($1) } == .orderedAscending }
        #expect(caseless == [.string("a"), .string("B"), .string("C")])
        #expect(ValueOrdering.compare(.url(URL(fileURLWithPath: "/a")), .url(URL(fileURLWithPath: "/b"))) == .orderedAscending)
        #expect(ValueOrdering.compare(Row(2).reference, Row(1).reference) == .orderedDescending)
    }

    @Test("A list of 100,000 values is searched in time")
    func largeList() throws {
        let list = PredicateValue.list((0..<100_000).map { .integer($0) })
        let row = Row(1, ["x": .integer(99_999)])
        for _ in 0..<5 { #expect(try row.matches("x IN %@", list)) }
    }
}
