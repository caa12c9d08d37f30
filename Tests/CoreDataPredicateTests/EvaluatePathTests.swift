import Foundation
import Testing
@testable import CoreDataPredicate

@Suite("Evaluation: long paths through collections")
struct EvaluatePathTests {
    /// Ten rows of which each leads to all, and back.
    private func circle() -> Row {
        let rows = (1...10).map { Row(Int64($0), ["n": .integer(Int64($0)), "name": .string("r\($0)")]) }
        for row in rows { (row.values["a"], row.values["b"]) = (.list(rows.map(\.reference)), .list(rows.map(\.reference))) }
        return rows[0]
    }

    @Test("Asking members along a path in circles takes each once a step, not each way there", arguments: [
        ("ANY %@.n == 99", false), ("ANY %@.n == 7", true), ("ALL %@.n < 99", true), ("NONE %@.name == 'x'", true), ("7 IN %@.n", true), ("%@.n CONTAINS 99", false),
        ("ANY %@.name IN {'x', 'r3'}", true), ("NOT (ANY %@.name BEGINSWITH 'q')", true),
    ], [NilRules.memory, .sql])
    func circles(_ entry: (format: String, expected: Bool), _ rules: NilRules) throws {
        let path = (0..<12).map { $0 % 2 == 0 ? "a" : "b" }.joined(separator: ".")
        let clock = ContinuousClock()
        let row = circle()
        let begin = clock.now
        let answer = try row.matches(entry.format.replacingOccurrences(of: "%@", with: path), rules: rules)
        #expect(answer == entry.expected)
        #expect(clock.now - begin < .seconds(5), "10 to the 12th would never end")
    }

    @Test("What is counted or summed up counts as often as it is reached", arguments: [
        "a.b.@count == 100", "a.b.n.@count == 100", "a.b.@sum.n == 550", "a.b.n.@sum == 550", "SUBQUERY(a.b, $x, $x.n == 3).@count == 10", "count:(a.b) == 100",
        "(a.b)[SIZE] == 100", "ANY a.b.@count == 100", "a.b.@avg.n == 5.5",
    ])
    func counts(_ format: String) throws { #expect(try circle().matches(format)) }
}
