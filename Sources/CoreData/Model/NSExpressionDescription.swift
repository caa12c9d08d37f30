import Foundation

/// A computed column of a dictionary fetch; it belongs to a request, not to an entity.
open class NSExpressionDescription: NSPropertyDescription, @unchecked Sendable {
    public override init() { super.init() }

    /// What is computed. nil gives nothing to fetch: executing the request throws.
    open var expression: NSExpression? { willSet { requireMutable() } }
    /// The type of the result; undefined leaves it to the store.
    open var expressionResultType: NSAttributeType = .undefinedAttributeType { willSet { requireMutable() } }

    /// The type of the result, under the shorter names.
    public final var resultType: NSAttributeDescription.AttributeType {
        get { NSAttributeDescription.AttributeType(rawValue: expressionResultType.rawValue) }
        set { expressionResultType = NSAttributeType(rawValue: newValue.rawValue) ?? .undefinedAttributeType }
    }

    override class func blank() -> NSPropertyDescription { NSExpressionDescription() }

    override func copyFields(to copy: NSPropertyDescription) {
        super.copyFields(to: copy)
        guard let copy = copy as? NSExpressionDescription else { return }
        copy.expression = expression
        copy.expressionResultType = expressionResultType
    }
}
