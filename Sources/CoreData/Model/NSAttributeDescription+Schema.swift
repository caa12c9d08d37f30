import CoreDataPredicate
import CoreDataSchema
import Foundation

extension NSAttributeDescription {
    /// The attribute as a value. Throws `ModelDescriptionError` when the default value does not fit the type.
    func schema(entity: String, composites: CompositeCollector) throws -> AttributeSchema {
        var schema = uncheckedSchema
        guard let value = AttributeValue(object: defaultValue, of: self) else {
            throw ModelDescriptionError.unacceptableDefault(
                entity: entity, attribute: name, type: attributeValueClassName ?? "undefined",
                value: defaultValue.map { "\($0) (\(Swift.type(of: $0)))" } ?? "nil")
        }
        schema.defaultValue = value
        if attributeType == .compositeAttributeType {
            guard let composite = self as? NSCompositeAttributeDescription else {
                throw ModelDescriptionError.notACompositeDescription(entity: entity, attribute: name)
            }
            schema.compositeName = try composites.collect(composite, entity: entity)
        }
        return schema
    }

    /// Everything but the default value and the composite's name: what the version hash and copies need.
    var uncheckedSchema: AttributeSchema {
        var schema = AttributeSchema(name: name, type: attributeType.schemaType)
        schema.isOptional = isOptional
        schema.isTransient = isTransient
        schema.validationRules = validations.map(\.rule)
        schema.valueTransformerName = valueTransformerName
        schema.valueClassName = schemaValueClassName
        schema.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
        schema.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
        schema.allowsCloudEncryption = allowsCloudEncryption
        schema.isIndexedBySpotlight = isIndexedBySpotlight
        schema.isIndexed = isIndexed
        schema.derivationFormat = (self as? NSDerivedAttributeDescription).map { $0.derivation?.format ?? "" }
        schema.compositeName = compositeName
        schema.usesScalar = usesScalar
        schema.renamingIdentifier = schemaRenamingIdentifier
        schema.versionHashModifier = versionHashModifier
        schema.userInfo = UserInfo.texts(userInfo)
        return schema
    }

    /// The description of a declared attribute.
    static func make(_ schema: AttributeSchema, in model: ModelSchema) -> NSAttributeDescription {
        let attribute: NSAttributeDescription
        if let format = schema.derivationFormat {
            let derived = NSDerivedAttributeDescription()
            derived.derivation = ExpressionSource(format: format)
            attribute = derived
        } else if schema.type == .composite {
            let composite = NSCompositeAttributeDescription()
            let type = model.composites.first { $0.name == schema.compositeName }
            composite.elements = (type?.elements ?? []).map { make($0, in: model) }
            attribute = composite
        } else {
            attribute = NSAttributeDescription()
        }
        attribute.name = schema.name
        attribute.attributeType = NSAttributeType(schema.type)
        attribute.isOptional = schema.isOptional
        attribute.isTransient = schema.isTransient
        attribute.defaultValue = schema.defaultValue.object(of: attribute)
        attribute.validations = schema.validationRules.map(PropertyValidation.init)
        attribute.valueTransformerName = schema.valueTransformerName
        if let className = schema.valueClassName { attribute.attributeValueClassName = className }
        attribute.allowsExternalBinaryDataStorage = schema.allowsExternalBinaryDataStorage
        attribute.preservesValueInHistoryOnDeletion = schema.preservesValueInHistoryOnDeletion
        attribute.allowsCloudEncryption = schema.allowsCloudEncryption
        attribute.isIndexedBySpotlight = schema.isIndexedBySpotlight
        attribute.isIndexed = schema.isIndexed
        attribute.compositeName = schema.compositeName
        attribute.usesScalar = schema.usesScalar
        if let identifier = schema.renamingIdentifier { attribute.renamingIdentifier = identifier }
        attribute.versionHashModifier = schema.versionHashModifier
        attribute.userInfo = schema.userInfo
        return attribute
    }
}

/// Gathers the composite types that attributes built in code need under names.
///
/// Invariant: a name stands for one list of elements.
final class CompositeCollector {
    private(set) var composites: [CompositeSchema]

    /// Starts with the types a model file declares, used or not.
    init(_ declared: [CompositeSchema]) { composites = declared }

    /// The name of the composite's type, after putting the type on the list.
    func collect(_ composite: NSCompositeAttributeDescription, entity: String) throws -> String {
        let elements = try composite.elements.map { try $0.schema(entity: entity, composites: self) }
        let wanted = composite.compositeName ?? "\(entity).\(composite.name)"
        var name = wanted
        var number = 1
        while let known = composites.first(where: { $0.name == name }) {
            if known.elements == elements { return name }
            number += 1
            name = "\(wanted)\(number)"
        }
        composites.append(CompositeSchema(name: name, elements: elements))
        return name
    }
}

/// Model files keep texts only; other entries of a user info stay with the description.
enum UserInfo {
    static func texts(_ userInfo: [AnyHashable: Any]?) -> [String: String] {
        var result: [String: String] = [:]
        for (key, value) in userInfo ?? [:] {
            if let key = key as? String, let value = value as? String { result[key] = value }
        }
        return result
    }
}
