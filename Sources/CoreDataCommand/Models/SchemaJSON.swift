import CoreDataSchema

/// A model as JSON.
enum SchemaJSON {
    static func model(_ input: ModelInput) -> JSONValue {
        .object([
            "path": .string(input.url.path), "version": .string(input.version), "currentVersion": .string(input.currentVersion),
            "versions": .array(input.versionNames.map(JSONValue.string)),
            "versionIdentifiers": .array(input.schema.versionIdentifiers.filter { !$0.isEmpty }.map(JSONValue.string)),
            "entities": .array(input.schema.entities.map(entity)),
            "composites": .array(input.schema.composites.map { composite in
                .object(["name": .string(composite.name), "attributes": .array(composite.elements.map(attribute))])
            }),
            "configurations": .array(input.schema.configurations.map { configuration in
                .object(["name": .string(configuration.name), "entities": .array(configuration.entityNames.map(JSONValue.string))])
            }),
            "fetchRequests": .array(input.schema.fetchTemplates.map { template in
                .object([
                    "name": .string(template.name), "entity": .string(template.entityName),
                    "predicate": template.predicateFormat.map(JSONValue.string),
                ])
            }),
        ])
    }

    static func entity(_ entity: EntitySchema) -> JSONValue {
        .object([
            "name": .string(entity.name), "class": .text(entity.className), "parent": .text(entity.superentityName),
            "isAbstract": .bool(entity.isAbstract),
            "attributes": .array(entity.attributes.map(attribute)),
            "relationships": .array(entity.relationships.map(relationship)),
            "fetchedProperties": entity.fetchedProperties.isEmpty ? nil : .array(entity.fetchedProperties.map { property in
                .object([
                    "name": .string(property.name), "entity": .string(property.request.entityName),
                    "predicate": .text(property.request.predicateFormat),
                ])
            }),
            "uniquenessConstraints": list(entity.uniquenessConstraints),
            "indexes": entity.indexes.isEmpty ? nil : .array(entity.indexes.map { index in
                .object([
                    "name": .string(index.name),
                    "elements": .array(index.elements.map { .string($0.propertyName ?? $0.expressionFormat ?? "") }),
                    "where": index.partialPredicateFormat.map(JSONValue.string),
                ])
            }),
            "renamingIdentifier": entity.renamingIdentifier.map(JSONValue.string),
            "userInfo": entity.userInfo.isEmpty ? nil : .object(entity.userInfo.sorted { $0.key < $1.key }.map {
                .init(key: $0.key, value: .string($0.value))
            }),
        ])
    }

    private static func list(_ lists: [[String]]) -> JSONValue? {
        lists.isEmpty ? nil : .array(lists.map { .array($0.map(JSONValue.string)) })
    }

    static func attribute(_ attribute: AttributeSchema) -> JSONValue {
        .object([
            "name": .string(attribute.name), "type": .string(attribute.typeTitle), "isOptional": .bool(attribute.isOptional),
            "isTransient": attribute.isTransient ? .bool(true) : nil,
            "default": attribute.defaultValue.isNull ? nil : defaultValue(attribute),
            "derivation": attribute.derivationFormat.map(JSONValue.string),
            "rules": attribute.validationRules.isEmpty ? nil : .array(attribute.validationRules.map { .string($0.predicateFormat) }),
            "transformer": attribute.valueTransformerName.map(JSONValue.string),
            "valueClass": attribute.valueClassName.map(JSONValue.string),
            "allowsExternalStorage": attribute.allowsExternalBinaryDataStorage ? .bool(true) : nil,
            "isIndexed": attribute.isIndexed ? .bool(true) : nil,
            "renamingIdentifier": attribute.renamingIdentifier.map(JSONValue.string),
        ])
    }

    private static func defaultValue(_ attribute: AttributeSchema) -> JSONValue {
        switch attribute.defaultValue {
        case .integer(let value): attribute.type == .boolean ? .bool(value != 0) : .integer(value)
        case .real(let value): attribute.type == .date ? DateText.json(value) : .real(value)
        case .string(let value): .string(value)
        case .data(let value): .string(value.base64EncodedString())
        default: .text(attribute.defaultValue.text(as: attribute.type))
        }
    }

    static func relationship(_ relationship: RelationshipSchema) -> JSONValue {
        .object([
            "name": .string(relationship.name), "destination": .string(relationship.destinationName),
            "inverse": .text(relationship.inverseName), "isToMany": .bool(relationship.isToMany),
            "isTransient": relationship.isTransient ? .bool(true) : nil,
            "isOrdered": relationship.isOrdered ? .bool(true) : nil, "isOptional": .bool(relationship.isOptional),
            "minCount": relationship.minCount > 0 ? .count(relationship.minCount) : nil,
            "maxCount": relationship.maxCount > 1 ? .count(relationship.maxCount) : nil,
            "deleteRule": .string(relationship.deleteRule.title),
            "renamingIdentifier": relationship.renamingIdentifier.map(JSONValue.string),
        ])
    }
}
