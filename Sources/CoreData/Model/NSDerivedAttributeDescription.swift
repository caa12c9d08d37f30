import CoreDataPredicate
import CoreDataSchema
import Foundation

/// An attribute whose value the store computes from others when it saves.
open class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
    package internal(set) var derivation: ExpressionSource?

    public override init() { super.init() }

    /// What the value is computed by: an attribute (`name`, `author.name`), `canonical:`, `uppercase:` or `lowercase:` of a
    /// text, `articles.@count`, `articles.wordCount.@sum`, or `now()`. Adding a store throws 134060 for anything else, and
    /// for a store that is not SQLite's. The value is nil before the first save; what code sets is not kept.
    open var derivationExpression: NSExpression? {
        get { derivation?.expression }
        set {
            requireMutable()
            derivation = newValue.map(ExpressionSource.init)
        }
    }

    override class func blank() -> NSPropertyDescription { NSDerivedAttributeDescription() }

    override func copyFields(to copy: NSPropertyDescription) {
        super.copyFields(to: copy)
        guard let copy = copy as? NSDerivedAttributeDescription else { return }
        copy.derivation = derivation
    }
}
