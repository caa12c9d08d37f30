import CoreDataPredicate
import CoreDataSchema
import Foundation

/// An attribute whose value the store computes from others when it saves.
open class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
    package internal(set) var derivation: ExpressionSource?

    public override init() { super.init() }

    /// What the value is computed by: a to-one's attribute, `relationship.@count` or `@sum`, `canonical:`, `uppercase:`,
    /// `lowercase:` of a text attribute, or `now()`.
    open var derivationExpression: NSExpression? {
        get { derivation?.expression }
        set {
            requireMutable()
            derivation = newValue.map(ExpressionSource.init)
        }
    }

    /// Which related objects an aggregate counts; nil counts all.
    open var filterPredicate: NSPredicate? { willSet { requireMutable() } }

    override class func blank() -> NSPropertyDescription { NSDerivedAttributeDescription() }

    override func copyFields(to copy: NSPropertyDescription) {
        super.copyFields(to: copy)
        guard let copy = copy as? NSDerivedAttributeDescription else { return }
        copy.derivation = derivation
        copy.filterPredicate = filterPredicate
    }
}
