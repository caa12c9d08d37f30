/// Operators of one precedence in a row, as they are read: `a + b - c`.
struct OperatorChain {
    /// Operators that nest to the left, as they are read. Trees are followed down, so longer rows are balanced.
    static let longest = 200

    let precedence: Int
    private let base: ExpressionTree
    private var steps: [(selector: String, right: ExpressionTree)] = []

    init(_ base: ExpressionTree, precedence: Int) {
        self.base = base
        self.precedence = precedence
    }

    mutating func append(_ selector: String, _ right: ExpressionTree) { steps.append((selector, right)) }

    /// The row as a tree; nil when it is too long and in no order but its own.
    var tree: ExpressionTree? {
        if steps.count <= Self.longest {
            return steps.reduce(base) { .function($1.selector, [$0, $1.right]) }
        }
        if steps.allSatisfy({ $0.selector == "multiply:by:" }) { return Self.balanced("multiply:by:", [base] + steps.map(\.right)) }
        guard steps.allSatisfy({ $0.selector == "add:to:" || $0.selector == "from:subtract:" }) else { return nil }
        let added = Self.balanced("add:to:", [base] + steps.filter { $0.selector == "add:to:" }.map(\.right))
        let taken = steps.filter { $0.selector != "add:to:" }.map(\.right)
        return taken.isEmpty ? added : .function("from:subtract:", [added, Self.balanced("add:to:", taken)])
    }

    private static func balanced(_ selector: String, _ terms: [ExpressionTree]) -> ExpressionTree {
        var level = terms
        while level.count > 1 {
            level = stride(from: 0, to: level.count, by: 2).map { start in
                start + 1 < level.count ? .function(selector, [level[start], level[start + 1]]) : level[start]
            }
        }
        return level[0]
    }
}
