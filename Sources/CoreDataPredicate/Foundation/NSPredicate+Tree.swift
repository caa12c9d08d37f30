import Foundation

extension NSPredicate {
    /// The predicate as a tree: ours as they are, Foundation's compounds and constants by their parts, every other as a
    /// block that asks it.
    package var tree: PredicateTree {
        switch self {
        case let carrier as any TreeCarrying: return carrier.carriedTree
        case let compound as NSCompoundPredicate where type(of: compound) == NSCompoundPredicate.self: return compound.compoundTree
        default: break
        }
        if type(of: self) == NSPredicate.self {
            if predicateFormat == "TRUEPREDICATE" { return .constant(true) }
            if predicateFormat == "FALSEPREDICATE" { return .constant(false) }
        }
        let address = String(UInt(bitPattern: ObjectIdentifier(self).hashValue), radix: 16)
        return .block(PredicateBlock(text: "BLOCKPREDICATE(0x\(address))") { object, variables in
            self.evaluate(with: object, substitutionVariables: variables)
        })
    }

    /// As `tree.flattened()`, however deep compounds of one kind were wrapped into one another.
    package func flattenedTree(depth: Int = 0) throws(PredicateDepthError) -> PredicateTree {
        guard let compound = ownCompound else { return try tree.flattened(depth: depth) }
        let limit = PredicateTree.flattenedDepthLimit
        guard depth <= limit else { throw PredicateDepthError(limit: limit) }
        guard compound.compoundPredicateType != .not else {
            var (inner, isNegated) = (compound.negated, true)
            while let next = inner?.ownCompound, next.compoundPredicateType == .not { (inner, isNegated) = (next.negated, !isNegated) }
            let flat = try inner?.flattenedTree(depth: depth + (isNegated ? 1 : 0)) ?? .constant(false)
            return isNegated ? .not(flat) : flat
        }
        var parts: [PredicateTree] = []
        for member in compound.flattenedMembers { parts.append(try member.flattenedTree(depth: depth + 1)) }
        return compound.compoundPredicateType == .and ? .and(parts) : .or(parts)
    }

    /// The predicate as a compound whose parts are all there is to it.
    fileprivate var ownCompound: NSCompoundPredicate? {
        guard let compound = self as? NSCompoundPredicate,
              type(of: compound) == NSCompoundPredicate.self || compound is TreeCompoundPredicate else { return nil }
        return compound
    }

    /// The predicate's format. Not Apple's: `predicateFormat` of a compound that Foundation's own initialisers made says
    /// FALSEPREDICATE on Linux, and no extension can change that.
    public var formatText: String { PredicatePrinter.text(of: tree) }

    /// The predicate of the class Apple would use for `tree`: comparison, compound, or neither.
    package static func make(_ tree: PredicateTree) -> NSPredicate {
        switch tree {
        case .comparison(let comparison): TreeComparisonPredicate.make(comparison)
        case .and(let parts): TreeCompoundPredicate(type: .and, subpredicates: parts.map(make))
        case .or(let parts): TreeCompoundPredicate(type: .or, subpredicates: parts.map(make))
        case .not(let part): TreeCompoundPredicate(type: .not, subpredicates: [make(part)])
        case .constant, .block: TreePredicate(tree)
        }
    }
}

extension NSCompoundPredicate {
    fileprivate var negated: NSPredicate? { subpredicates.first }

    /// The parts of this compound and of compounds of its kind inside it, in order; an empty one keeps its meaning as a part.
    fileprivate var flattenedMembers: [NSPredicate] {
        var result: [NSPredicate] = []
        var open = [subpredicates[...]]
        while var rest = open.popLast() {
            guard let first = rest.popFirst() else { continue }
            open.append(rest)
            if let inner = first.ownCompound, inner.compoundPredicateType == compoundPredicateType, !inner.subpredicates.isEmpty {
                open.append(inner.subpredicates[...])
            } else {
                result.append(first)
            }
        }
        return result
    }
}
