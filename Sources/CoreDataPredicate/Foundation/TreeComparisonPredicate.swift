import Foundation

/// A comparison as a predicate of Foundation's.
///
/// Foundation's class has no initialiser that returns, so an instance begins as a block predicate of `NSPredicate` and is
/// then given this class. That holds because neither `NSComparisonPredicate` nor this class has stored properties: the
/// instance is laid out as its superclass `NSPredicate`'s, whose initialiser made it, and is torn down as such. The
/// comparison lives in the block, which hands it to whoever evaluates it with a `ComparisonRequest`.
/// `FoundationComparisonPredicateTests` checks layout and release.
package final class TreeComparisonPredicate: NSComparisonPredicate, TreeCarrying, NSSecureCoding {
    @available(*, unavailable, message: "Use TreeComparisonPredicate.make(_:)")
    override init(
        leftExpression lhs: NSExpression, rightExpression rhs: NSExpression, modifier: NSComparisonPredicate.Modifier,
        type: NSComparisonPredicate.Operator, options: NSComparisonPredicate.Options
    ) {
        fatalError("TreeComparisonPredicate is made by make(_:)")
    }

    @inline(never)
    package static func make(_ comparison: Comparison) -> TreeComparisonPredicate {
        let donor = NSPredicate { request, _ in
            (request as? ComparisonRequest)?.answer = comparison
            return false
        }
        // The first word of every native Swift object is its class.
        Unmanaged.passUnretained(donor).toOpaque().storeBytes(
            of: unsafeBitCast(TreeComparisonPredicate.self, to: UnsafeRawPointer.self), as: UnsafeRawPointer.self)
        return unsafeDowncast(donor as AnyObject, to: TreeComparisonPredicate.self)
    }

    package var comparison: Comparison {
        let request = ComparisonRequest()
        _ = super.evaluate(with: request, substitutionVariables: nil)
        return request.answer ?? Comparison(.constant(.null), .notEqual, .constant(.null))
    }

    package var carriedTree: PredicateTree { .comparison(comparison) }

    package override var predicateFormat: String { PredicatePrinter.text(of: carriedTree) }
    package override var description: String { predicateFormat }
    package override var hash: Int { treeHash }
    package override func isEqual(_ object: Any?) -> Bool { isEqualTree(object) }
    package override func copy(with zone: NSZone? = nil) -> Any { self }

    package override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        evaluateTree(with: object, variables: bindings)
    }

    // Archived as `TreePredicate`, so that no coder ever makes one of this class.
    package override var classForKeyedArchiver: AnyClass? { TreePredicate.self }
    package static var supportsSecureCoding: Bool { true }
    package func encode(with coder: NSCoder) { PredicateArchive.encode(carriedTree, with: coder) }
    package init?(coder: NSCoder) { return nil }
}

/// The question a comparison predicate's block answers with its comparison.
private final class ComparisonRequest {
    var answer: Comparison?
}
