import Foundation

/// A predicate of ours: a class of Foundation's that is a tree.
///
/// Invariant: `carriedTree` is all there is to it; equality, hash and text come from the tree.
package protocol TreeCarrying: NSPredicate {
    var carriedTree: PredicateTree { get }
}

extension TreeCarrying {
    func isEqualTree(_ object: Any?) -> Bool {
        guard let other = object as? NSPredicate else { return false }
        return other === self || other.tree == carriedTree
    }

    var treeHash: Int {
        var hasher = Hasher()
        hasher.combine(carriedTree)
        return hasher.finalize()
    }

    /// Evaluates, and stops with the reason where Apple's raises: `evaluate(with:)` cannot throw.
    func evaluateTree(with object: Any?, variables: [String: Any]?) -> Bool {
        do {
            return try carriedTree.evaluate(with: object, variables: variables)
        } catch {
            fatalError("The predicate “\(PredicatePrinter.text(of: carriedTree))” cannot be evaluated: \(error)")
        }
    }
}
