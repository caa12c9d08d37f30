import CoreDataSchema

/// A predicate as a value: what the format language parses to, what SQL is made from and what memory evaluates.
///
/// Invariant: `and`/`or` keep the order and nesting in which they were written, so that printing gives Apple's text.
package indirect enum PredicateTree: Sendable, Hashable {
    /// TRUEPREDICATE, FALSEPREDICATE.
    case constant(Bool)
    case comparison(Comparison)
    case and([PredicateTree])
    case or([PredicateTree])
    case not(PredicateTree)
    /// A Swift closure or a foreign predicate: evaluated, never SQL.
    case block(PredicateBlock)
}

/// One comparison. `NONE x op y` is `not(ANY x op y)`; `SOME` is `any`.
package struct Comparison: Sendable, Hashable {
    package var left: ExpressionTree
    package var operation: ComparisonOperator
    package var right: ExpressionTree
    package var modifier: ComparisonModifier
    package var options: ComparisonOptions
    /// The method a `.custom` comparison calls.
    package var selector: String?

    package init(
        _ left: ExpressionTree, _ operation: ComparisonOperator, _ right: ExpressionTree,
        modifier: ComparisonModifier = .direct, options: ComparisonOptions = [], selector: String? = nil
    ) {
        self.left = left
        self.operation = operation
        self.right = right
        self.modifier = modifier
        self.options = options
        self.selector = selector
    }
}

/// Raw values are Apple's `NSComparisonPredicate.Operator`.
package enum ComparisonOperator: UInt, Sendable {
    case lessThan = 0, lessThanOrEqual, greaterThan, greaterThanOrEqual, equal, notEqual
    case matches, like, beginsWith, endsWith, isIn
    case custom = 11
    case contains = 99, between = 100
}

package enum ComparisonModifier: UInt, Sendable { case direct = 0, all, any }

package struct ComparisonOptions: OptionSet, Sendable, Hashable {
    package let rawValue: UInt
    package init(rawValue: UInt) { self.rawValue = rawValue }

    /// `[c]`
    package static let caseInsensitive = ComparisonOptions(rawValue: 1)
    /// `[d]`
    package static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
    /// `[n]`
    package static let normalized = ComparisonOptions(rawValue: 4)
    /// `[l]`
    package static let localeSensitive = ComparisonOptions(rawValue: 8)
    /// nil compares as a value, as in Swift (`#Predicate`): never printed, never parsed.
    package static let swiftNil = ComparisonOptions(rawValue: 1 << 16)
}

/// A closure predicate, compared by identity.
///
/// Unchecked Sendable: the closure runs only on the queue of the context whose fetch carries it.
package final class PredicateBlock: @unchecked Sendable, Hashable {
    /// The text printed for it, like `BLOCKPREDICATE(0x…)`.
    package let text: String
    package let evaluate: (Any?, [String: Any]?) throws -> Bool
    /// Part of a `#Predicate`: a fetch tests its objects with it, where other closures are refused.
    package let readsObject: Bool

    package init(text: String, readsObject: Bool = false, evaluate: @escaping (Any?, [String: Any]?) throws -> Bool) {
        self.text = text
        self.readsObject = readsObject
        self.evaluate = evaluate
    }

    package static func == (left: PredicateBlock, right: PredicateBlock) -> Bool { left === right }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
