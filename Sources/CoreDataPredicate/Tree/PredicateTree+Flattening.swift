import CoreDataSchema

/// A predicate nested deeper than a store can follow.
package struct PredicateDepthError: DescribedError {
    package var limit: Int

    package var description: String {
        "The predicate nests AND, OR and NOT more than \(limit) levels deep. Give the parts to one compound predicate instead of "
            + "wrapping one compound into the next."
    }
}

extension PredicateTree {
    /// Changes of kind a store's SQL can nest: SQLite's parser has a stack of a hundred entries.
    package static let flattenedDepthLimit = 60

    /// The same predicate with `(a AND b) AND c` as one AND, and without double negation: predicates folded together one by one
    /// nest as deep as they are long. Throws when kinds still alternate deeper than the limit; a tree of any depth is safe here.
    package func flattened(
        depth: Int = 0, limit: Int = Self.flattenedDepthLimit
    ) throws(PredicateDepthError) -> PredicateTree {
        guard depth <= limit else { throw PredicateDepthError(limit: limit) }
        switch self {
        case .constant, .comparison, .block: return self
        case .and: return .and(try Self.flattened(members { if case .and(let parts) = $0 { parts } else { nil } }, depth, limit))
        case .or: return .or(try Self.flattened(members { if case .or(let parts) = $0 { parts } else { nil } }, depth, limit))
        case .not(let part):
            var (inner, isNegated) = (part, true)
            while case .not(let next) = inner { (inner, isNegated) = (next, !isNegated) }
            let flat = try inner.flattened(depth: depth + (isNegated ? 1 : 0), limit: limit)
            return isNegated ? .not(flat) : flat
        }
    }

    private static func flattened(_ parts: [PredicateTree], _ depth: Int, _ limit: Int) throws(PredicateDepthError) -> [PredicateTree] {
        var result: [PredicateTree] = []
        result.reserveCapacity(parts.count)
        for part in parts { result.append(try part.flattened(depth: depth + 1, limit: limit)) }
        return result
    }

    /// The parts of this compound and of compounds of its kind inside it, in order; an empty one keeps its meaning as a part.
    private func members(_ parts: (PredicateTree) -> [PredicateTree]?) -> [PredicateTree] {
        var result: [PredicateTree] = []
        var open: [ArraySlice<PredicateTree>] = [(parts(self) ?? [])[...]]
        while var rest = open.popLast() {
            guard let first = rest.popFirst() else { continue }
            open.append(rest)
            if let inner = parts(first), !inner.isEmpty { open.append(inner[...]) } else { result.append(first) }
        }
        return result
    }
}
