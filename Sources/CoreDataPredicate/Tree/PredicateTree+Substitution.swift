extension PredicateTree {
    /// The tree with each variable's value in its place. A SUBQUERY's own variable stays inside it. Throws
    /// `PredicateEvaluationError.unboundVariable` for a variable without a value.
    package func substituting(variables: [String: PredicateValue]) throws(PredicateEvaluationError) -> PredicateTree {
        try substituting(variables, bound: [])
    }

    func substituting(
        _ variables: [String: PredicateValue], bound: Set<String>
    ) throws(PredicateEvaluationError) -> PredicateTree {
        switch self {
        case .constant, .block: return self
        case .comparison(var comparison):
            comparison.left = try comparison.left.substituting(variables, bound: bound)
            comparison.right = try comparison.right.substituting(variables, bound: bound)
            return .comparison(comparison)
        case .and(let parts): return .and(try Self.substituting(parts, variables, bound))
        case .or(let parts): return .or(try Self.substituting(parts, variables, bound))
        case .not(let part): return .not(try part.substituting(variables, bound: bound))
        }
    }

    private static func substituting(
        _ parts: [PredicateTree], _ variables: [String: PredicateValue], _ bound: Set<String>
    ) throws(PredicateEvaluationError) -> [PredicateTree] {
        var result: [PredicateTree] = []
        result.reserveCapacity(parts.count)
        for part in parts { result.append(try part.substituting(variables, bound: bound)) }
        return result
    }

    /// Names of the variables that have no SUBQUERY of their own around them.
    package var freeVariables: Set<String> {
        var names: Set<String> = []
        collect(into: &names, bound: [])
        return names
    }

    func collect(into names: inout Set<String>, bound: Set<String>) {
        switch self {
        case .constant, .block: break
        case .comparison(let comparison):
            comparison.left.collect(into: &names, bound: bound)
            comparison.right.collect(into: &names, bound: bound)
        case .and(let parts), .or(let parts): for part in parts { part.collect(into: &names, bound: bound) }
        case .not(let part): part.collect(into: &names, bound: bound)
        }
    }
}
