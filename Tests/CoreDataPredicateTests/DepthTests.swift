import Foundation
import Testing
@testable import CoreDataPredicate

@Suite("Depth")
struct DepthTests {
    /// Runs the work on a thread with a stack of its own size and waits for it.
    private func onThread(stack kilobytes: Int, _ work: @escaping @Sendable () -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: work()) }
            thread.stackSize = kilobytes * 1024
            thread.start()
        }
    }

    @Test("The deepest format there may be fits half of a thread's usual stack, debug builds included", arguments: [
        "(", "NOT (", "a == abs(", "{", "a IN {", "SUBQUERY(a, $x, ", "TERNARY(a == 1, 1, ", "a == 1 AND (",
    ])
    func deepest(opening: String) async {
        let format = String(repeating: opening, count: 1_000)
        #expect(await onThread(stack: 4096) {
            (try? PredicateFormat.parse(format)) == nil && (try? PredicateFormat.parseExpression(format)) == nil
        })
    }

    @Test("The deepest tree there may be is read, printed, compared and evaluated in half of a usual stack", arguments: [
        ("abs(", "x", ")", 490), ("(1 + ", "x", " - 1)", 245), ("TERNARY(x == 1, ", "x", ", 2)", 240), ("", "x", " + 1 - 1", 100), ("", "x", " + 1 - 1", 600), ("~~", "x", "", 240),
    ])
    func closed(opening: String, operand: String, closing: String, count: Int) async {
        let format = String(repeating: opening, count: count) + operand + String(repeating: closing, count: count) + " == 1"
        #expect(await onThread(stack: 4096) {
            guard let tree = try? PredicateFormat.parse(format), let back = try? PredicateFormat.parse(PredicatePrinter.text(of: tree))
            else { return false }
            return back == tree && back.hashValue == tree.hashValue && tree.freeVariables.isEmpty
                && (try? PredicateEvaluation.evaluate(tree, subject: Row(1, ["x": .integer(1)]), rules: .sql)) == true
        })
    }

    @Test("Compounds of one kind and negations may nest five thousand deep: they are folded", arguments: [
        ("(a == 1 AND ", ")", true), ("(a == 2 OR ", ")", true), ("NOT (", ")", true), ("!", "", true),
    ])
    func folded(opening: String, closing: String, isTrue: Bool) async {
        let format = String(repeating: opening, count: 5_000) + "a == 1" + String(repeating: closing, count: 5_000)
        #expect(await onThread(stack: 4096) { (try? Row(1, ["a": .integer(1)]).matches(format)) == isTrue })
    }

    @Test("Kinds that alternate a thousand levels deep are an error")
    func alternating() {
        let format = String(repeating: "(a == 1 OR (a == 1 AND ", count: 1_000) + "a == 1" + String(repeating: "))", count: 1_000)
        let error = #expect(throws: PredicateFormatError.self) { try PredicateFormat.parse(format) }
        #expect(error?.reason == "the format nests more than 500 levels deep")
    }

    @Test("Sums and products of twenty thousand terms are balanced, and come to the same")
    func sums() throws {
        let row = Row(1, ["x": .integer(1)])
        #expect(try row.matches("x" + String(repeating: " + x - 1 + 2", count: 7_000) + " == 14001"))
        #expect(try row.matches("x" + String(repeating: " * x", count: 20_000) + " == 1"))
        #expect(try row.matches("1000" + String(repeating: " - x", count: 20_001) + " == -19001"))
        let tree = try parse("x" + String(repeating: " - 1", count: 3_000) + " < 0")
        #expect(try PredicateFormat.parse(PredicatePrinter.text(of: tree)) == tree)
    }

    @Test("A predicate joined two thousand times over, as reduce does, evaluates, prints and goes away")
    func joined() throws {
        var tree = try parse("x == 0")
        for number in 1..<2_000 { tree = .or([tree, .comparison(Comparison(.key("x"), .equal, .constant(.integer(Int64(number)))))]) }
        #expect(try PredicateEvaluation.evaluate(tree, subject: Row(1, ["x": .integer(1_999)]), rules: .sql))
        #expect(PredicatePrinter.text(of: tree).hasSuffix("x == 1999"))
        #expect(tree.hashValue == tree.hashValue)
    }
}
