import CoreDataSchema

extension ModelDifference {
    mutating func compareAttributes(_ before: EntitySchema, _ entity: EntitySchema) {
        let pairs = ModelDifference.match(
            before.attributes.map { ($0.name, $0.renamingIdentifier) }, entity.attributes.map { ($0.name, $0.renamingIdentifier) })
        let kept = Set(pairs.values)
        for attribute in before.attributes where !kept.contains(attribute.name) {
            add(.removed, "\(entity.name).\(attribute.name)", "attribute removed")
        }
        for attribute in entity.attributes {
            let place = "\(entity.name).\(attribute.name)"
            guard let former = pairs[attribute.name].flatMap({ name in before.attributes.first { $0.name == name } }) else {
                add(.added, place, "attribute added: \(attribute.typeTitle), \(attribute.remarks.joined(separator: ", "))",
                    obstacle: needsValue(attribute) ? "it is required and has no default for the rows there are" : nil)
                continue
            }
            if former.name != attribute.name { add(.renamed, place, "attribute renamed from \(former.name)") }
            compare(former, attribute, place)
        }
    }

    private func needsValue(_ attribute: AttributeSchema) -> Bool {
        !attribute.isOptional && !attribute.isTransient && attribute.defaultValue.isNull && attribute.derivationFormat == nil
    }

    private mutating func compare(_ former: AttributeSchema, _ attribute: AttributeSchema, _ place: String) {
        if former.typeTitle != attribute.typeTitle {
            add(.changed, place, "type \(former.typeTitle) → \(attribute.typeTitle)",
                obstacle: former.isTransient || attribute.isTransient ? nil : "an attribute’s type cannot be changed without a mapping model")
        }
        if former.isOptional != attribute.isOptional {
            add(.changed, place, attribute.isOptional ? "now optional" : "now required",
                obstacle: needsValue(attribute) ? "it has no default for rows whose value is nil" : nil)
        }
        if former.isTransient != attribute.isTransient {
            add(.changed, place, attribute.isTransient ? "now transient" : "no longer transient",
                obstacle: !attribute.isTransient && needsValue(attribute) ? "it is required and has no default" : nil)
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

    mutating func compareRelationships(_ before: EntitySchema, _ entity: EntitySchema) {
        let pairs = ModelDifference.match(
            before.relationships.map { ($0.name, $0.renamingIdentifier) }, entity.relationships.map { ($0.name, $0.renamingIdentifier) })
        let kept = Set(pairs.values)
        for relationship in before.relationships where !kept.contains(relationship.name) {
            add(.removed, "\(entity.name).\(relationship.name)", "relationship removed")
        }
        for relationship in entity.relationships {
            let place = "\(entity.name).\(relationship.name)"
            guard let former = pairs[relationship.name].flatMap({ name in before.relationships.first { $0.name == name } }) else {
                add(.added, place, "relationship added: \(relationship.typeTitle), \(relationship.remarks.joined(separator: ", "))")
                continue
            }
            if former.name != relationship.name { add(.renamed, place, "relationship renamed from \(former.name)") }
            compare(former, relationship, place)
        }
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
