import CoreDataSchema
import Foundation

/// An attribute made of named attributes that are stored side by side; its value is a dictionary.
open class NSCompositeAttributeDescription: NSAttributeDescription, @unchecked Sendable {
    public override init() {
        super.init()
        attributeType = .compositeAttributeType
    }

    /// The attributes it is made of; they may be composites in turn.
    open var elements: [NSAttributeDescription] = [] { willSet { requireMutable() } }

    override class func blank() -> NSPropertyDescription { NSCompositeAttributeDescription() }

    override func copyFields(to copy: NSPropertyDescription) {
        super.copyFields(to: copy)
        guard let copy = copy as? NSCompositeAttributeDescription else { return }
        copy.elements = elements.compactMap { $0.copy() as? NSAttributeDescription }
    }

    override func freeze() {
        super.freeze()
        elements.forEach { $0.freeze() }
    }
}
