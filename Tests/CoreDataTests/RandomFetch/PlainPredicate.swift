/// The predicates of the random test, a tree of its own: NSPredicates are made of it, and it is evaluated without them.
indirect enum PlainPredicate: Hashable {
    case truth(Bool)
    case compare(PlainComparison)
    case and([PlainPredicate])
    case or([PlainPredicate])
    case not(PlainPredicate)

    /// Predicates that may stand in its place when it fails.
    var parts: [PlainPredicate] {
        switch self {
        case .truth, .compare: []
        case .and(let parts), .or(let parts): parts
        case .not(let part): [part]
        }
    }

    var comparisons: [PlainComparison] {
        if case .compare(let comparison) = self { return [comparison] + comparison.left.inner + comparison.right.inner }
        return parts.flatMap(\.comparisons)
    }
}

enum PlainOperator: String, CaseIterable {
    case equal = "==", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
    case between = "BETWEEN", isIn = "IN", contains = "CONTAINS", begins = "BEGINSWITH", ends = "ENDSWITH", like = "LIKE"
    case matches = "MATCHES"

    var isOrder: Bool { [.less, .lessOrEqual, .greater, .greaterOrEqual].contains(self) }
    /// Of texts only.
    var isTextual: Bool { [.contains, .begins, .ends, .like, .matches].contains(self) }
}

enum PlainQuantifier: String, CaseIterable { case direct = "", any = "ANY ", all = "ALL ", none = "NONE " }

struct PlainComparison: Hashable {
    var quantifier = PlainQuantifier.direct
    var left: PlainExpression
    var operation: PlainOperator
    var options: PlainOptions = []
    var right: PlainExpression
    /// What it counts as in the coverage table.
    var type = "–"
    var shape = "–"
}

indirect enum PlainExpression: Hashable {
    case constant(PlainValue)
    /// A MATCHES pattern.
    case pattern(PlainPattern)
    /// `{a, b}`; a constant `.many` is an argument instead.
    case list([PlainExpression])
    /// Keys from SELF or from a variable; none is the object itself.
    case path(variable: String?, [String])
    /// `+ - * / **`
    case arithmetic(String, PlainExpression, PlainExpression)
    /// A function by its selector name.
    case call(String, [PlainExpression])
    /// `collection.@operator.key`; the key is empty for `@count`.
    case aggregate(String, variable: String?, collection: [String], key: String)
    /// SUBQUERY(collection, $variable, predicate).@count
    case subqueryCount(variable: String?, collection: [String], element: String, PlainPredicate)
    case conditional(PlainPredicate, PlainExpression, PlainExpression)
    /// One object of an ordered collection, and a key of it: SQL cannot say it.
    case element(collection: [String], first: Bool, key: String)

    /// Comparisons inside.
    var inner: [PlainComparison] {
        switch self {
        case .list(let elements), .call(_, let elements): elements.flatMap(\.inner)
        case .arithmetic(_, let a, let b): a.inner + b.inner
        case .subqueryCount(_, _, _, let predicate): predicate.comparisons
        case .conditional(let test, let a, let b): test.comparisons + a.inner + b.inner
        default: []
        }
    }
}
