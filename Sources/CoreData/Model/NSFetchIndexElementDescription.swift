import CoreDataPredicate
import CoreDataSchema
import Foundation

/// How an element of an index is ordered.
public enum NSFetchIndexElementType: UInt, Sendable { case binary, rTree }

/// One property or expression of an index.
///
/// Unchecked Sendable: built by one thread, frozen with its model before it is shared.
open class NSFetchIndexElementDescription: NSObject, NSCopying, @unchecked Sendable {
    fileprivate(set) weak var owningIndex: NSFetchIndexDescription?
    private var isFrozen = false
    private weak var attachedProperty: NSPropertyDescription?
    private var expression: ExpressionSource?
    private var name: String?

    /// An element over a property of the entity, or over an `NSExpressionDescription`.
    public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
        self.collationType = collationType
        super.init()
        if let computed = property as? NSExpressionDescription {
            expression = computed.expression.map(ExpressionSource.init)
            ownedProperty = computed
        }
        attachedProperty = property
        name = property.name
    }

    init(_ schema: FetchIndexElementSchema, property: NSPropertyDescription?) {
        collationType = schema.isRTree ? .rTree : .binary
        isAscending = schema.isAscending
        name = schema.propertyName
        expression = schema.expressionFormat.map(ExpressionSource.init(format:))
        attachedProperty = property
        super.init()
    }

    /// An expression belongs to no entity, so that the element keeps it.
    private var ownedProperty: NSExpressionDescription?

    /// The property; nil once its entity is gone.
    open var property: NSPropertyDescription? {
        if let attachedProperty { return attachedProperty }
        guard let expression else { return nil }
        let computed = NSExpressionDescription()
        computed.name = name ?? "expression"
        computed.expression = expression.expression
        return computed
    }

    open var propertyName: String? { attachedProperty?.name ?? name }
    open var collationType: NSFetchIndexElementType { willSet { requireMutable() } }
    open var isAscending: Bool = true { willSet { requireMutable() } }
    open var indexDescription: NSFetchIndexDescription? { owningIndex }

    var index: NSFetchIndexDescription? {
        get { owningIndex }
        set { owningIndex = newValue }
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSFetchIndexElementDescription(schema, property: attachedProperty)
        copy.ownedProperty = ownedProperty
        copy.name = name
        return copy
    }

    /// Points a copied element at the copied entity's property.
    func attach(_ property: NSPropertyDescription?) {
        if ownedProperty == nil, let property { attachedProperty = property }
    }

    var schema: FetchIndexElementSchema {
        FetchIndexElementSchema(
            propertyName: expression == nil ? propertyName : nil, expressionFormat: expression?.format,
            isRTree: collationType == .rTree, isAscending: isAscending)
    }

    func freeze() { isFrozen = true }

    private func requireMutable() {
        if isFrozen { ModelFreezing.refuse("an element of the index “\(owningIndex?.name ?? "?")”") }
    }
}
