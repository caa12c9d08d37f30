import CoreDataSchema
import Foundation

/// A relationship of an entity to another or to itself.
open class NSRelationshipDescription: NSPropertyDescription, @unchecked Sendable {
    private weak var inverse: NSRelationshipDescription?

    public override init() { super.init() }

    /// The entity it leads to; held by the model, not by the relationship.
    open weak var destinationEntity: NSEntityDescription? { willSet { requireMutable() } }

    /// The relationship that leads back. Setting one side sets the other, when that has no inverse yet.
    open var inverseRelationship: NSRelationshipDescription? {
        get { inverse }
        set {
            requireMutable()
            let old = inverse
            inverse = newValue
            if let newValue, newValue.inverse == nil { newValue.setInverseOnly(self) }
            if let old, old !== newValue, old.inverse === self { old.setInverseOnly(nil) }
        }
    }

    private func setInverseOnly(_ relationship: NSRelationshipDescription?) {
        requireMutable()
        inverse = relationship
    }

    /// The most objects it may have: 1 is to-one, 0 to-many without a limit. Default 0.
    open var maxCount: Int = 0 { willSet { requireMutable() } }
    /// The fewest objects it may have, unless it is optional and empty. Default 0.
    open var minCount: Int = 0 { willSet { requireMutable() } }
    /// What deleting an object does to the other end. Default nullify.
    open var deleteRule: NSDeleteRule = .nullifyDeleteRule { willSet { requireMutable() } }
    /// Whether a to-many keeps an order (`NSOrderedSet`). Default false.
    open var isOrdered: Bool = false { willSet { requireMutable() } }
    /// Whether it may have more than one object.
    open var isToMany: Bool { maxCount != 1 }

    open override var versionHash: Data { Data(schema.versionHash) }

    override class func blank() -> NSPropertyDescription { NSRelationshipDescription() }

    /// Destination and inverse are those of the original, until `ModelCopying` links the copies with one another.
    override func copyFields(to copy: NSPropertyDescription) {
        super.copyFields(to: copy)
        guard let copy = copy as? NSRelationshipDescription else { return }
        copy.destinationEntity = destinationEntity
        copy.inverse = inverse
        copy.maxCount = maxCount
        copy.minCount = minCount
        copy.deleteRule = deleteRule
        copy.isOrdered = isOrdered
    }

    /// Links a relationship of a freshly built or copied model, where each side names the other itself.
    func link(destination: NSEntityDescription?, inverse: NSRelationshipDescription?) {
        destinationEntity = destination
        self.inverse = inverse
    }
}
