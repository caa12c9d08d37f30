import Foundation
@testable import CoreDataPredicate

/// Random trees of every form the language can write.
struct TreeGenerator {
    private var random: SplitMix

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    private mutating func roll(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    private mutating func pick<Value>(_ values: [Value]) -> Value { values[roll(values.count)] }

    mutating func predicate(depth: Int) -> PredicateTree {
        if depth == 0 { return comparison(depth: 0) }
        switch roll(8) {
        case 0: return .and((0..<2 + roll(2)).map { _ in predicate(depth: depth - 1) })
        case 1: return .or((0..<2 + roll(2)).map { _ in predicate(depth: depth - 1) })
        case 2: return .not(predicate(depth: depth - 1))
        case 3: return .constant(roll(2) == 0)
        default: return comparison(depth: depth)
        }
    }

    private mutating func comparison(depth: Int) -> PredicateTree {
        let operation = pick([
            ComparisonOperator.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .equal, .notEqual, .matches, .like, .beginsWith, .endsWith,
            .isIn, .contains, .between,
        ])
        return .comparison(Comparison(
            expression(depth: depth), operation, expression(depth: depth), modifier: pick([.direct, .direct, .any, .all]),
            options: pick([[], [.caseInsensitive], [.caseInsensitive, .diacriticInsensitive], [.normalized], [.localeSensitive]])))
    }

    mutating func expression(depth: Int) -> ExpressionTree {
        if depth == 0 { return leaf() }
        let below = depth - 1
        switch roll(14) {
        case 0: return .function(pick(Array(FunctionNames.infixBySelector.keys).sorted()), [expression(depth: below), expression(depth: below)])
        case 1: return .function(pick(["sum:", "count:", "abs:", "lowercase:", "length:", "onesComplement:"]), [expression(depth: below)])
        case 2: return .aggregate((0..<roll(4)).map { _ in expression(depth: below) })
        case 3: return .subquery(expression(depth: below), variable: "x", predicate(depth: below))
        case 4: return .conditional(predicate(depth: below), expression(depth: below), expression(depth: below))
        case 5: return .element(expression(depth: below), pick([.first, .last, .size, .at(leaf())]))
        case 6: return .set(pick([.union, .intersect, .minus]), expression(depth: below), expression(depth: below))
        case 7: return .call(operand: expression(depth: below), selector: "a:b:", arguments: [expression(depth: below)])
        case 8: return .cast(.keyPath(.evaluatedObject, ["a"]), "NSNumber")
        case 9: return .keyPath(.function("abs:", [expression(depth: below)]), ["a", "@count"])
        default: return leaf()
        }
    }

    private mutating func leaf() -> ExpressionTree {
        switch roll(10) {
        case 0: .evaluatedObject
        case 1: .variable(pick(["x", "FETCH_SOURCE"]))
        case 2: .keyPath(.evaluatedObject, pick([["a"], ["size"], ["b", "in"], ["straße", "@sum", "c"], ["TRUE"], ["cast"]]))
        case 3: .keyPath(.variable("x"), pick([["a"], ["size", "b"]]))
        case 4: .anyKey
        case 5: .function("now", [])
        default: .constant(value())
        }
    }

    private mutating func value() -> PredicateValue {
        switch roll(11) {
        case 0: .null
        case 1: .boolean(roll(2) == 0)
        case 2: .integer(Int64(truncatingIfNeeded: random.next()))
        case 3: .real(Double(roll(100_000)) / 64 - 700)
        case 4: .decimal(Decimal(roll(1_000_000)) / 1000)
        case 5: .string(pick(["", "a", "q'\"\\", "ß😀e\u{301}", "%@", "\n\u{1}"]))
        case 6: .date(Date(timeIntervalSinceReferenceDate: Double(roll(1_000_000_000)) / 7))
        case 7: .data(Data((0..<roll(5)).map { UInt8($0) }))
        case 8: .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(roll(256)))))
        case 9: .list((0..<roll(3)).map { .integer(Int64($0)) })
        default: .integer(Int64(roll(10)))
        }
    }
}
