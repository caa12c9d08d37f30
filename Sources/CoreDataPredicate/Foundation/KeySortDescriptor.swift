import Foundation

/// A sort descriptor by key.
///
/// Invariant: immutable; `closure` is set exactly when `term.comparison` is `.closure`.
package final class KeySortDescriptor: NSSortDescriptor {
    package let term: SortDescription
    private let closure: Comparator?
    /// What `.keyPath` answers: the Swift key path it was made from, else the identity.
    private let path: AnyKeyPath

    package init(_ term: SortDescription, path: AnyKeyPath = \Any.self, closure: Comparator? = nil) {
        self.term = term
        self.path = path
        self.closure = closure
        super.init(keyPath: \Any.self, ascending: term.isAscending) { _, _ in .orderedSame }
    }

    package override var keyPath: AnyKeyPath { path }

    package override var reversedSortDescriptor: Any {
        var reversed = term
        reversed.isAscending.toggle()
        return KeySortDescriptor(reversed, path: path, closure: closure)
    }

    /// Stops the program when an object does not know the key or the selector means nothing here, where Apple's raises.
    package override func compare(_ object1: Any, to object2: Any) -> ComparisonResult {
        do {
            let key = ExpressionTree.key(term.keyPath)
            let left = try key.value(with: object1, variables: nil)
            let right = try key.value(with: object2, variables: nil)
            let result = try order(left, right)
            return term.isAscending ? result : ComparisonResult(rawValue: -result.rawValue) ?? .orderedSame
        } catch {
            fatalError("Objects cannot be sorted by “\(term.keyPath)”: \(error)")
        }
    }

    private func order(_ left: PredicateValue, _ right: PredicateValue) throws -> ComparisonResult {
        if let closure { return closure(PredicateBridging.any(left) ?? NSNull(), PredicateBridging.any(right) ?? NSNull()) }
        return try term.comparison.order(left, right)
    }

    package override var hash: Int { term.hashValue }

    package override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? KeySortDescriptor else { return false }
        return other === self || (closure == nil && other.closure == nil && other.term == term)
    }

    package override var description: String {
        "(\(term.keyPath), \(term.isAscending ? "ascending" : "descending"), \(term.comparison.selector ?? "comparator block"))"
    }
}
