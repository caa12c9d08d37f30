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

    /// As `tree`, refusing compounds nested so deep that following them would exhaust a thread's stack.
    package func boundedTree() throws(PredicateDepthError) -> PredicateTree {
        var level = [self]
        var depth = 0
        while !level.isEmpty {
            guard depth <= Self.nestingLimit else { throw PredicateDepthError(limit: PredicateTree.flattenedDepthLimit) }
            depth += 1
            level = level.flatMap { ($0 as? NSCompoundPredicate)?.subpredicates as? [NSPredicate] ?? [] }
        }
        return tree
    }

    private static let nestingLimit = 1_000

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
