/// An expression as a value.
package indirect enum ExpressionTree: Sendable {
    case constant(PredicateValue)
    /// SELF
    case evaluatedObject
    /// `$name`
    case variable(String)
    /// Dotted keys, operators included (`employees.@count`), from an operand: `.evaluatedObject`, a variable or a function.
    case keyPath(ExpressionTree, [String])
    /// A function by its Apple selector name: `add:to:`, `from:subtract:`, `multiply:by:`, `divide:by:`, `modulus:by:`,
    /// `raise:toPower:`, `sum:`, `count:`, `min:`, `max:`, `average:`, `median:`, `mode:`, `stddev:`, `sqrt:`, `log:`, `ln:`,
    /// `exp:`, `floor:`, `ceiling:`, `trunc:`, `abs:`, `random`, `random:`, `now`, `uppercase:`, `lowercase:`,
    /// `canonical:`, `length:`, `bitwiseAnd:with:`, `bitwiseOr:with:`, `bitwiseXor:with:`, `leftshift:by:`,
    /// `rightshift:by:`, `onesComplement:`, `noindex:`, `distanceToLocation:fromLocation:`, `castObject:toType:`, …
    case function(String, [ExpressionTree])
    /// FUNCTION(operand, 'selector', arguments…)
    case call(operand: ExpressionTree, selector: String, arguments: [ExpressionTree])
    /// CAST(operand, 'type')
    case cast(ExpressionTree, String)
    /// `{a, b, c}`
    case aggregate([ExpressionTree])
    /// SUBQUERY(collection, $variable, predicate)
    case subquery(ExpressionTree, variable: String, PredicateTree)
    /// TERNARY(predicate, then, else)
    case conditional(PredicateTree, ExpressionTree, ExpressionTree)
    /// `operand[FIRST]`, `[LAST]`, `[SIZE]`, `[index]`
    case element(ExpressionTree, ElementIndex)
    case set(SetOperation, ExpressionTree, ExpressionTree)
    /// ANYKEY
    case anyKey
    /// A Swift closure and its arguments: evaluated in memory, never SQL, never parsed.
    case block(ExpressionBlock, [ExpressionTree])

    package static func key(_ path: String) -> ExpressionTree {
        .keyPath(.evaluatedObject, path.split(separator: ".", omittingEmptySubsequences: false).map(String.init))
    }
}

package enum ElementIndex: Sendable, Hashable { case first, last, size, at(ExpressionTree) }

package enum SetOperation: Sendable, Hashable { case union, intersect, minus }
