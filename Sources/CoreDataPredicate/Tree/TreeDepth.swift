/// How deep trees may be: printing, comparing, evaluating and freeing them follow them down.
package enum TreeDepth {
    /// Levels that fit half of a thread's usual stack in a debug build.
    static let limit = 500

    /// The tree, compounds of one kind and double negations folded when it is too deep; nil when it still is.
    static func bounded(_ tree: PredicateTree) -> PredicateTree? {
        if depth(of: tree) <= limit { return tree }
        guard let folded = try? tree.flattened(limit: limit), depth(of: folded) <= limit else { return nil }
        return folded
    }

    static func depth(of tree: PredicateTree) -> Int {
        switch tree {
        case .constant, .block: 1
        case .comparison(let comparison): 1 + max(depth(of: comparison.left), depth(of: comparison.right))
        case .and(let parts), .or(let parts): 1 + (parts.lazy.map { depth(of: $0) }.max() ?? 0)
        case .not(let part): 1 + depth(of: part)
        }
    }

    static func depth(of tree: ExpressionTree) -> Int {
        switch tree {
        case .constant, .evaluatedObject, .variable, .anyKey: return 1
        case .keyPath(let base, _), .cast(let base, _): return 1 + depth(of: base)
        case .function(_, let arguments), .aggregate(let arguments), .block(_, let arguments):
            return 1 + (arguments.lazy.map { depth(of: $0) }.max() ?? 0)
        case .call(let operand, _, let arguments): return 1 + (([operand] + arguments).lazy.map { depth(of: $0) }.max() ?? 0)
        case .subquery(let collection, _, let condition): return 1 + max(depth(of: collection), depth(of: condition))
        case .conditional(let condition, let first, let second):
            return 1 + max(depth(of: condition), depth(of: first), depth(of: second))
        case .element(let operand, .at(let index)): return 1 + max(depth(of: operand), depth(of: index))
        case .element(let operand, _): return 1 + depth(of: operand)
        case .set(_, let left, let right): return 1 + max(depth(of: left), depth(of: right))
        }
    }
}
