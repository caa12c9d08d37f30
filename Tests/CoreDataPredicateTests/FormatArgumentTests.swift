import Foundation
import Testing
@testable import CoreDataPredicate

@Suite("Format language: arguments")
struct FormatArgumentTests {
    @Test("PR03, PR04: %K is a key, %@ a constant, and quotes keep both literal", arguments: [
        (FormatCase("%K like %@", .string("firstName"), .string("Adam")), "firstName LIKE \"Adam\""),
        (FormatCase("%@ like %@", .string("firstName"), .string("Adam")), "\"firstName\" LIKE \"Adam\""),
        (FormatCase("name == '%@'"), "name == \"%@\""), (FormatCase("name == \"%K 100%\""), "name == \"%K 100%\""),
        (FormatCase("%K == %@", .string("self"), .integer(1)), "SELF == 1"), (FormatCase("%K.%K == 1", .string("a.b"), .string("c")), "a.b.c == 1"),
        (FormatCase("%K == 1", .string("size")), "#size == 1"), (FormatCase("a == %@", .null), "a == nil"),
        (FormatCase("a == %d AND b == %ld", .boolean(true), .integer(-5)), "a == 1 AND b == -5"),
        (FormatCase("a == %f AND b == %.2lf", .integer(3), .real(1.5)), "a == 3 AND b == 1.5"),
        (FormatCase("a == %s AND b == %c", .string("x"), .integer(65)), "a == \"x\" AND b == 65"),
        (FormatCase("a == %2$@ AND b == %1$@", .integer(1), .integer(2)), "a == 2 AND b == 1"),
        (FormatCase("a IN %@", .list([.string("x"), .integer(2)])), "a IN {\"x\", 2}"),
        (FormatCase("a BETWEEN {%@, %d}", .integer(1), .integer(2)), "a BETWEEN {1, 2}"),
        (FormatCase("a == %x AND b == %llu AND c == %i AND d == %u", .integer(1), .integer(2), .integer(3), .integer(4)),
         "a == 1 AND b == 2 AND c == 3 AND d == 4"),
    ])
    func placeholders(item: FormatCase, text: String) throws {
        #expect(PredicatePrinter.text(of: try item.parse()) == text)
    }

    @Test("An expression or a predicate given for %@ takes its place")
    func trees() throws {
        let sum = try PredicateFormat.parseExpression("a + 1")
        #expect(try PredicateFormat.parse("%@ * 2 > 0", arguments: [.expression(sum)]) == parse("(a + 1) * 2 > 0"))
        let inner = try parse("a == 1 OR b == 2")
        #expect(try PredicateFormat.parse("%@ AND c == 3", arguments: [.predicate(inner)]) == parse("(a == 1 OR b == 2) AND c == 3"))
    }

    @Test("Arguments that do not fit are errors that say where and why", arguments: [
        (FormatCase("a == %@ AND b == %@", .integer(1)), 17, "the format needs 2 arguments, 1 was given"),
        (FormatCase("a == %@"), 5, "the format needs 1 argument, 0 were given"),
        (FormatCase("a == 1", .integer(1)), 6, "the format needs 0 arguments, 1 was given"),
        (FormatCase("%K == 1", .integer(3)), 0, "%K takes a key path as a string; argument 1 is a number"),
        (FormatCase("%K == 1", .null), 0, "%K takes a key path as a string; argument 1 is nil"),
        (FormatCase("%K == 1", .string("a..b")), 0, "argument 1, “a..b”, is not a key path"),
        (FormatCase("%K == 1", .string("")), 0, "argument 1, “”, is not a key path"),
        (FormatCase("b == %d", .string("x")), 5, "%d takes a number; argument 1 is a string"),
        (FormatCase("😀 == %d", .null), 6, "%d takes a number; argument 1 is nil"),
        (FormatCase("b == %s", .integer(1)), 5, "%s takes a string; argument 1 is a number"),
    ])
    func mismatches(item: FormatCase, position: Int, reason: String) {
        let error = #expect(throws: PredicateFormatError.self) { try item.parse() }
        #expect(error?.position == position)
        #expect(error?.reason == reason)
    }
}
