import Foundation

/// A predicate of ours that is neither a comparison nor a compound (a constant or a block), or one from an archive.
///
/// Invariant: immutable.
package final class TreePredicate: NSPredicate, TreeCarrying, NSSecureCoding {
    package let carriedTree: PredicateTree

    package init(_ tree: PredicateTree) {
        carriedTree = tree
        super.init(value: false)
    }

    package override var predicateFormat: String { PredicatePrinter.text(of: carriedTree) }
    package override var description: String { predicateFormat }
    package override var hash: Int { treeHash }
    package override func isEqual(_ object: Any?) -> Bool { isEqualTree(object) }
    package override func copy(with zone: NSZone? = nil) -> Any { self }

    package override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        evaluateTree(with: object, variables: bindings)
    }

    package static var supportsSecureCoding: Bool { true }
    package func encode(with coder: NSCoder) { PredicateArchive.encode(carriedTree, with: coder) }

    package init?(coder: NSCoder) {
        guard let tree = PredicateArchive.decodePredicate(coder) else { return nil }
        carriedTree = tree
        super.init(value: false)
    }
}
