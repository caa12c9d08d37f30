import CoreDataSchema
import Foundation

/// An attribute of an entity.
open class NSAttributeDescription: NSPropertyDescription, @unchecked Sendable {
    private var explicitValueClassName: String?
    /// Whether generated classes use a scalar; nil when the model does not say.
    package internal(set) var usesScalar: Bool? { willSet { requireMutable() } }
    /// The composite type's name in the model file; nil for composites built in code.
    package internal(set) var compositeName: String? { willSet { requireMutable() } }

    public override init() { super.init() }

    /// The type of the values. Default undefined, which only transient attributes may keep.
    open var attributeType: NSAttributeType = .undefinedAttributeType { willSet { requireMutable() } }

    /// The type of the values, under the shorter names.
    public final var type: AttributeType {
        get { AttributeType(rawValue: attributeType.rawValue) }
        set { attributeType = NSAttributeType(rawValue: newValue.rawValue) ?? .undefinedAttributeType }
    }

    /// The class of the values; settable for transformable attributes.
    open var attributeValueClassName: String? {
        get { explicitValueClassName ?? attributeType.valueClassName }
        set {
            requireMutable()
            explicitValueClassName = newValue
        }
    }

    package var schemaValueClassName: String? { explicitValueClassName }

    /// The value of a new object; nil for none. It must fit the type, which is checked when the model is first used.
    open var defaultValue: Any? { willSet { requireMutable() } }
    /// The registered name of the transformer of a transformable attribute; nil is keyed archiving.
    open var valueTransformerName: String? { willSet { requireMutable() } }
    /// Whether large data may be kept in files of its own beside the store.
    open var allowsExternalBinaryDataStorage: Bool = false { willSet { requireMutable() } }
    /// Whether the value of a deleted object is kept in the persistent history.
    open var preservesValueInHistoryOnDeletion: Bool = false { willSet { requireMutable() } }
    /// Whether CloudKit encrypts the value; kept, not acted on outside Apple's systems.
    open var allowsCloudEncryption: Bool = false { willSet { requireMutable() } }

    open override var versionHash: Data { Data(uncheckedSchema.versionHash) }

    override class func blank() -> NSPropertyDescription { NSAttributeDescription() }

    override func copyFields(to copy: NSPropertyDescription) {
        super.copyFields(to: copy)
        guard let copy = copy as? NSAttributeDescription else { return }
        copy.attributeType = attributeType
        copy.explicitValueClassName = explicitValueClassName
        copy.defaultValue = defaultValue
        copy.valueTransformerName = valueTransformerName
        copy.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
        copy.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
        copy.allowsCloudEncryption = allowsCloudEncryption
        copy.usesScalar = usesScalar
        copy.compositeName = compositeName
    }
}
