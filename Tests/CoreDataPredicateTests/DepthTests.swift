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
        let closed = String(repeating: "abs(", count: 180) + "x" + String(repeating: ")", count: 180)
        #expect(await onThread(stack: 4096) {
            guard let tree = try? PredicateFormat.parse(closed + " == 1"), let back = try? PredicateFormat.parse(PredicatePrinter.text(of: tree))
            else { return false }
            return back == tree && tree.freeVariables.isEmpty && (try? Row(1, ["x": .integer(1)]).matches(closed + " == 1")) == true
        })
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
