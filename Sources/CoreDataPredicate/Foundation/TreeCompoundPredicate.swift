import Foundation

/// A conjunction, disjunction or negation that came from a format or a tree.
///
/// Invariant: `carriedTree` is the tree of `compoundPredicateType` and `subpredicates`, which Foundation lets be replaced.
package final class TreeCompoundPredicate: NSCompoundPredicate, TreeCarrying, NSSecureCoding {
    package private(set) var carriedTree = PredicateTree.constant(false)

    package override init(type: LogicalType, subpredicates: [NSPredicate]) {
        super.init(type: type, subpredicates: subpredicates)
        carriedTree = compoundTree
    }

    package override var compoundPredicateType: LogicalType { didSet { carriedTree = compoundTree } }
    package override var subpredicates: [NSPredicate] { didSet { carriedTree = compoundTree } }

    package override var predicateFormat: String { PredicatePrinter.text(of: carriedTree) }
    package override var description: String { predicateFormat }
    package override var hash: Int { treeHash }
    package override func isEqual(_ object: Any?) -> Bool { isEqualTree(object) }

    package override func copy(with zone: NSZone? = nil) -> Any {
        TreeCompoundPredicate(type: compoundPredicateType, subpredicates: subpredicates)
    }

    package override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        evaluateTree(with: object, variables: bindings)
    }

    // Archived as `TreePredicate`, so that no coder ever makes one of this class.
    package override var classForKeyedArchiver: AnyClass? { TreePredicate.self }
    package static var supportsSecureCoding: Bool { true }
    package func encode(with coder: NSCoder) { PredicateArchive.encode(carriedTree, with: coder) }
    package init?(coder: NSCoder) { return nil }
}

extension NSCompoundPredicate {
    /// The tree of the parts. A negation of several negates the first, as Foundation's evaluation does.
    var compoundTree: PredicateTree {
        switch compoundPredicateType {
        case .and: .and(subpredicates.map(\.tree))
        case .or: .or(subpredicates.map(\.tree))
        case .not: .not(subpredicates.first?.tree ?? .constant(false))
        @unknown default: .constant(false)
        }
    }
}
