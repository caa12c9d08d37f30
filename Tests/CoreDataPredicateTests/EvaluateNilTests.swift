import Foundation
import Testing
@testable import CoreDataPredicate

@Suite("Evaluation: nil")
struct EvaluateNilTests {
    /// Names A, B and nil, as the letters "A", "B" and "-" of those that match.
    private func matching(_ format: String, rules: NilRules, swiftNil: Bool = false) throws -> String {
        var tree = try PredicateFormat.parse(format)
        if swiftNil { tree = tree.withSwiftNil }
        return try [PredicateValue.string("A"), .string("B"), .null].filter {
            try PredicateEvaluation.evaluate(tree, subject: Row(1, ["name": $0]), rules: rules)
        }.map { if case .string(let text) = $0 { text } else { "-" } }.joined()
    }

    @Test("PR05, PR06, PR07, PR12, PR21: a nil name by memory's rules, by SQL's and by Swift's", arguments: [
        ("name == nil", "-", "-", "-"), ("name != nil", "AB", "AB", "AB"), ("nil == name", "-", "-", "-"), ("NOT name == nil", "AB", "AB", "AB"),
        ("name == 'A'", "A", "A", "A"), ("name != 'A'", "B-", "B", "B-"), ("NOT (name == 'A')", "B-", "B", "B-"), ("NOT (name != 'A')", "A", "A", "A"),
        ("name IN {'A'}", "A", "A", "A"), ("NOT (name IN {'A'})", "B-", "B", "B-"), ("name IN {}", "", "", ""), ("NOT (name IN {})", "AB-", "AB-", "AB-"),
        ("name IN {'A', nil}", "A-", "A", "A-"), ("NOT (name IN {'A', nil})", "B", "", "B"), ("name CONTAINS 'A'", "A", "A", "A"),
        ("NOT (name CONTAINS 'A')", "B-", "B", "B-"), ("NOT (name LIKE 'A')", "B-", "B", "B-"), ("NOT (name MATCHES 'A')", "B-", "B", "B-"),
        ("NOT (name BEGINSWITH 'A')", "B-", "B", "B-"), ("NOT (name ENDSWITH[cd] 'a')", "B-", "B", "B-"), ("name < 'B'", "A", "A", "A"),
        ("NOT (name < 'B')", "B-", "B", "B-"), ("name < nil", "", "", ""), ("NOT (name >= nil)", "AB-", "", "AB-"), ("name BETWEEN {'A', 'A'}", "A", "A", "A"),
        ("NOT (name BETWEEN {'A', 'A'})", "B-", "B", "B-"), ("NOT (name BETWEEN {'B', nil})", "AB-", "A", "AB-"),
        ("name == 'A' OR name != 'A'", "AB-", "AB", "AB-"), ("name == 'A' OR name == nil", "A-", "A-", "A-"), ("name != 'A' AND TRUEPREDICATE", "B-", "B", "B-"),
        ("NOT (name == 'A' AND FALSEPREDICATE)", "AB-", "AB-", "AB-"), ("NOT (name == 'A' OR FALSEPREDICATE)", "B-", "B", "B-"), ("name == name", "AB-", "AB", "AB-"),
        ("lowercase:(name) == 'a'", "A", "A", "A"), ("lowercase:(name) != 'a'", "B-", "B", "B-"), ("TERNARY(name == 'A', 1, 0) == 0", "B-", "B-", "B-"),
        ("ANY name != 'A'", "B", "B", "B"),
    ])
    func rules(format: String, memory: String, sql: String, swift: String) throws {
        #expect(try matching(format, rules: .memory) == memory, "memory")
        #expect(try matching(format, rules: .sql) == sql, "sql")
        #expect(try matching(format, rules: .sql, swiftNil: true) == swift, "swift over sql")
        #expect(try matching(format, rules: .memory, swiftNil: true) == swift, "swift over memory")
    }

    @Test("PR08, PR24: nil is neither less nor more, and not NO", arguments: [
        ("x < 5", false, false), ("x > 5", false, false), ("NOT (x > 5)", true, false), ("x == NO", false, false), ("x == NO OR x == nil", true, true),
        ("x + 1 == 2", false, false), ("x + 1 == nil", true, true), ("x == 0", false, false),
    ])
    func numbers(format: String, memory: Bool, sql: Bool) throws {
        let row = Row(1, ["x": .null])
        #expect(try row.matches(format, rules: .memory) == memory)
        #expect(try row.matches(format, rules: .sql) == sql)
    }

    @Test("PR38, DD07: a broken path matches neither way in SQL, but is nil")
    func brokenPaths() throws {
        let row = sampleRow()
        for rules in [NilRules.memory, .sql] {
            #expect(try !row.matches("nodept.boss.name == 'x'", rules: rules))
            #expect(try row.matches("nodept.boss.name == nil", rules: rules))
            #expect(try row.matches("dept.boss.name == 'Boss'", rules: rules))
            #expect(try row.matches("dept.boss.boss.boss.name == nil", rules: rules))
            #expect(try !row.matches("ANY nodept.boss.name == nil", rules: rules))
            #expect(try row.matches("ALL nodept.boss.age > 3", rules: rules))
        }
        #expect(try !row.matches("nodept.boss.name != 'x'", rules: .sql))
        #expect(try row.matches("nodept.boss.name != 'x'", rules: .memory))
        #expect(try row.matches("nodept.employees.@count == 0", rules: .sql))
    }

    @Test("A variable that stands for nil asks for nil")
    func variables() throws {
        let row = Row(1, ["x": .null])
        let tree = try parse("x == $v")
        for rules in [NilRules.memory, .sql] {
            #expect(try PredicateEvaluation.evaluate(tree, subject: row, variables: ["v": .null], rules: rules))
            #expect(try PredicateEvaluation.evaluate(tree.substituting(variables: ["v": .null]), subject: row, rules: rules))
        }
    }
}

extension PredicateTree {
    /// Every comparison with Swift's meaning of nil, as `#Predicate` becomes a tree.
    var withSwiftNil: PredicateTree {
        switch self {
        case .comparison(var comparison):
            comparison.options.insert(.swiftNil)
            return .comparison(comparison)
        case .and(let parts): return .and(parts.map(\.withSwiftNil))
        case .or(let parts): return .or(parts.map(\.withSwiftNil))
        case .not(let part): return .not(part.withSwiftNil)
        case .constant, .block: return self
        }
    }
}
