import CoreDataSchema
import Foundation

extension XMLModelWriter {
    mutating func write(_ attribute: AttributeSchema, of owner: String) throws(ModelWritingError) {
        let label = "\(owner).\(attribute.name)"
        let value = try text(of: attribute.defaultValue, as: attribute.type, label)
        var traits: [(String, String?)] = [
            ("name", attribute.name), ("optional", flag(attribute.isOptional)), ("transient", flag(attribute.isTransient)),
            ("attributeType", AttributeText.name(of: attribute.type)),
        ]
        traits += try bounds(of: attribute, label)
        traits += [
            (attribute.type == .date ? "defaultDateTimeInterval" : "defaultValueString", value),
            ("usesScalarValueType", attribute.usesScalar.map { $0 ? "YES" : "NO" }),
            ("allowsExternalBinaryDataStorage", flag(attribute.allowsExternalBinaryDataStorage)),
            ("preserveAfterDeletion", flag(attribute.preservesValueInHistoryOnDeletion)),
            ("allowsCloudEncryption", flag(attribute.allowsCloudEncryption)),
            ("spotlightIndexingEnabled", flag(attribute.isIndexedBySpotlight)), ("indexed", flag(attribute.isIndexed)),
            ("derived", flag(attribute.derivationFormat != nil)), ("derivationExpression", attribute.derivationFormat),
            ("valueTransformerName", attribute.valueTransformerName), ("customClassName", attribute.valueClassName),
            ("composite", attribute.compositeName), ("elementID", attribute.renamingIdentifier),
            ("versionHashModifier", attribute.versionHashModifier),
        ]
        guard attribute.type != .undefined || attribute.isTransient else {
            throw ModelWritingError(part: label, reason: "only a transient attribute can be of the undefined type")
        }
        try write("attribute", traits, attribute.userInfo)
    }

    mutating func write(_ relationship: RelationshipSchema) throws(ModelWritingError) {
        let rule = XMLModelReader.deleteRules.first { $0.rule == relationship.deleteRule }?.name
        try write("relationship", [
            ("name", relationship.name), ("optional", flag(relationship.isOptional)), ("transient", flag(relationship.isTransient)),
            ("toMany", flag(relationship.isToMany)), ("minCount", relationship.minCount == 0 ? nil : String(relationship.minCount)),
            ("maxCount", relationship.maxCount == 0 ? nil : String(relationship.maxCount)), ("deletionRule", rule),
            ("ordered", flag(relationship.isOrdered)), ("indexed", flag(relationship.isIndexed)),
            ("destinationEntity", relationship.destinationName), ("inverseName", relationship.inverseName),
            ("inverseEntity", relationship.inverseEntityName), ("elementID", relationship.renamingIdentifier),
            ("versionHashModifier", relationship.versionHashModifier),
        ], relationship.userInfo)
    }

    mutating func write(_ template: FetchTemplateSchema) throws(ModelWritingError) {
        guard template.sortKeys.isEmpty else {
            throw ModelWritingError(part: template.name, reason: "a fetch request in a model file has no place for sort descriptors")
        }
        func unless(_ value: Bool) -> String? { value ? nil : "NO" }
        func number(_ value: Int) -> String? { value == 0 ? nil : String(value) }
        try xml.element("fetchRequest", [
            ("name", template.name), ("entity", template.entityName), ("predicateString", template.predicateFormat),
            ("resultType", number(template.resultType)), ("fetchLimit", number(template.fetchLimit)),
            ("fetchBatchSize", number(template.fetchBatchSize)), ("includeSubentities", unless(template.includesSubentities)),
            ("includePropertyValues", unless(template.includesPropertyValues)),
            ("includesPendingChanges", unless(template.includesPendingChanges)),
            ("returnObjectsAsFaults", unless(template.returnsObjectsAsFaults)),
            ("returnDistinctResults", flag(template.returnsDistinctResults)),
        ])
    }

    private mutating func write(
        _ name: String, _ traits: [(String, String?)], _ userInfo: [String: String]
    ) throws(ModelWritingError) {
        guard !userInfo.isEmpty else { return try xml.element(name, traits) }
        try xml.begin(name, traits)
        try write(userInfo: userInfo)
        xml.end()
    }

    private func text(of value: AttributeValue, as type: AttributeType, _ label: String) throws(ModelWritingError) -> String? {
        switch (value, type) {
        case (.null, _): return nil
        case (.integer(let number), .boolean): return number == 0 ? "NO" : "YES"
        case (.integer(let number), _): return String(number)
        case (.real(let number), .float) where number.isFinite: return "\(Float(number))"
        case (.real(let number), _) where number.isFinite:
            return type == .date && number == number.rounded() ? Int64(exactly: number).map(String.init) ?? "\(number)" : "\(number)"
        case (.decimal(let number), _) where !number.isNaN: return "\(number)"
        case (.string(let text), _): return text
        case (.uuid(let uuid), _): return uuid.uuidString
        default: throw ModelWritingError(part: label, reason: "its default value has no form in text")
        }
    }

    /// Rules as the attributes they were, or would have been, read from.
    private func bounds(of attribute: AttributeSchema, _ label: String) throws(ModelWritingError) -> [(String, String?)] {
        var result: [(String, String?)] = []
        for rule in attribute.validationRules {
            let kind = BoundRule.kinds(for: attribute.type).first {
                rule.predicateFormat.hasPrefix($0.prefix) && rule.warning == .code($0.code)
            }
            guard let kind, let name = kind.attributeNames.first, !result.contains(where: { $0.0 == name }) else {
                throw ModelWritingError(part: label, reason: "the format has no place for the rule “\(rule.predicateFormat)”")
            }
            let operand = rule.predicateFormat.dropFirst(kind.prefix.count)
            let text = name == "regularExpressionString" ? BoundRule.unquoted(operand) : AttributeText.isNumber(String(operand)) ? String(operand) : nil
            guard let text else {
                throw ModelWritingError(part: label, reason: "the format has no place for the rule “\(rule.predicateFormat)”")
            }
            result.append((name, text))
        }
        return result
    }
}
