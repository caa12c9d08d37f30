import CoreDataSchema

/// What attributes and relationships have in common for whoever compares them.
private protocol ComparedProperty {
    var name: String { get }
    var renamingIdentifier: String? { get }
    var typeTitle: String { get }
    var remarks: [String] { get }
}

extension AttributeSchema: ComparedProperty {}
extension RelationshipSchema: ComparedProperty {}

extension ModelDifference {
    mutating func compareAttributes(_ before: EntitySchema, _ entity: EntitySchema) {
        compare("attribute", before.attributes, entity.attributes, of: entity.name, each: { $0.compare($1, $2, $3) }) { attribute in
            Self.needsValue(attribute) ? "it is required and has no default for the rows there are" : nil
        }
    }

    mutating func compareRelationships(_ before: EntitySchema, _ entity: EntitySchema) {
        compare(
            "relationship", before.relationships, entity.relationships, of: entity.name, each: { $0.compare($1, $2, $3) },
            obstacleToAdding: { _ in nil })
    }

    /// Tells which properties were removed, added and renamed, and compares `each` that stayed with what it was, at its place.
    private mutating func compare<Property: ComparedProperty>(
        _ kind: String, _ before: [Property], _ now: [Property], of entity: String,
        each: (inout Self, Property, Property, String) -> Void, obstacleToAdding: (Property) -> String?
    ) {
        let pairs = ModelDifference.match(before.map { ($0.name, $0.renamingIdentifier) }, now.map { ($0.name, $0.renamingIdentifier) })
        let kept = Set(pairs.values)
        for property in before where !kept.contains(property.name) { add(.removed, "\(entity).\(property.name)", "\(kind) removed") }
        for property in now {
            let place = "\(entity).\(property.name)"
            guard let former = pairs[property.name].flatMap({ name in before.first { $0.name == name } }) else {
                add(.added, place, "\(kind) added: \(property.typeTitle), \(property.remarks.joined(separator: ", "))",
                    obstacle: obstacleToAdding(property))
                continue
            }
            if former.name != property.name { add(.renamed, place, "\(kind) renamed from \(former.name)") }
            each(&self, former, property, place)
        }
    }

    private static func needsValue(_ attribute: AttributeSchema) -> Bool {
        !attribute.isOptional && !attribute.isTransient && attribute.defaultValue.isNull && attribute.derivationFormat == nil
    }

    private mutating func compare(_ former: AttributeSchema, _ attribute: AttributeSchema, _ place: String) {
        if former.typeTitle != attribute.typeTitle {
            add(.changed, place, "type \(former.typeTitle) → \(attribute.typeTitle)",
                obstacle: former.isTransient || attribute.isTransient ? nil : "an attribute’s type cannot be changed without a mapping model")
        }
        if former.isOptional != attribute.isOptional {
            add(.changed, place, attribute.isOptional ? "now optional" : "now required",
                obstacle: Self.needsValue(attribute) ? "it has no default for rows whose value is nil" : nil)
        }
        if former.isTransient != attribute.isTransient {
            add(.changed, place, attribute.isTransient ? "now transient" : "no longer transient",
                obstacle: !attribute.isTransient && Self.needsValue(attribute) ? "it is required and has no default" : nil)
        }
        if former.defaultValue != attribute.defaultValue {
            add(.changed, place, "default \(former.defaultValue.text(as: former.type) ?? "none") → "
                + "\(attribute.defaultValue.text(as: attribute.type) ?? "none")")
        }
        if former.derivationFormat != attribute.derivationFormat {
            add(.changed, place, "derivation \(former.derivationFormat ?? "none") → \(attribute.derivationFormat ?? "none")")
        }
        let facts: [(String, Bool)] = [
            ("validation rules changed", former.validationRules != attribute.validationRules),
            ("external storage \(attribute.allowsExternalBinaryDataStorage ? "allowed" : "no longer allowed")",
             former.allowsExternalBinaryDataStorage != attribute.allowsExternalBinaryDataStorage),
            ("transformer \(former.valueTransformerName ?? "none") → \(attribute.valueTransformerName ?? "none")",
             former.valueTransformerName != attribute.valueTransformerName),
            ("value class \(former.valueClassName ?? "none") → \(attribute.valueClassName ?? "none")",
             former.valueClassName != attribute.valueClassName),
            (attribute.preservesValueInHistoryOnDeletion ? "now kept in history" : "no longer kept in history",
             former.preservesValueInHistoryOnDeletion != attribute.preservesValueInHistoryOnDeletion),
            (attribute.isIndexed ? "now indexed" : "no longer indexed", former.isIndexed != attribute.isIndexed),
            ("version hash modifier changed", former.versionHashModifier != attribute.versionHashModifier),
        ]
        for (text, isDifferent) in facts where isDifferent { add(.changed, place, text) }
    }

    private mutating func compare(_ former: RelationshipSchema, _ relationship: RelationshipSchema, _ place: String) {
        if former.destinationName != relationship.destinationName, origins[relationship.destinationName] != former.destinationName {
            add(.changed, place, "destination \(former.destinationName) → \(relationship.destinationName)",
                obstacle: "a relationship cannot be led to another entity without a mapping model")
        }
        if former.isToMany != relationship.isToMany {
            add(.changed, place, relationship.isToMany ? "to-one → to-many" : "to-many → to-one",
                obstacle: relationship.isToMany ? nil : "which of many members stays cannot be inferred")
        } else if former.minCount != relationship.minCount || former.maxCount != relationship.maxCount {
            add(.changed, place, "count \(former.minCount)…\(former.maxCount) → \(relationship.minCount)…\(relationship.maxCount)")
        }
        let facts: [(String, Bool)] = [
            (relationship.isOrdered ? "now ordered" : "no longer ordered", former.isOrdered != relationship.isOrdered),
            (relationship.isOptional ? "now optional" : "now required", former.isOptional != relationship.isOptional),
            ("inverse \(former.inverseName ?? "none") → \(relationship.inverseName ?? "none")", former.inverseName != relationship.inverseName),
            ("delete rule \(former.deleteRule.title) → \(relationship.deleteRule.title)", former.deleteRule != relationship.deleteRule),
            (relationship.isTransient ? "now transient" : "no longer transient", former.isTransient != relationship.isTransient),
            ("version hash modifier changed", former.versionHashModifier != relationship.versionHashModifier),
        ]
        for (text, isDifferent) in facts where isDifferent { add(.changed, place, text) }
    }
}
