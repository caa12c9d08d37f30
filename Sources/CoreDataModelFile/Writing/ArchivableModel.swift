import CoreDataSchema

/// Whether the archived form of a model's parts has been seen in archives of Apple's.
enum ArchivableModel {
    /// The first thing of a model whose archived form is not known, for people: “Book.pages has …”. nil when all of it is known.
    static func obstacle(in model: ResolvedModel) -> String? {
        for entity in model.entities {
            if let index = entity.schema.indexes.first(where: { !isKnown($0) }) {
                return "the index “\(index.name)” of \(entity.name) is partial, spatial or over an expression"
            }
            if !entity.schema.compoundIndexes.isEmpty { return "\(entity.name) has compound indexes of an old model file" }
            for property in entity.properties {
                if let problem = obstacle(property) { return "\(model.entities[property.declaringEntity].name).\(property.name) \(problem)" }
            }
        }
        return nil
    }

    private static func isKnown(_ index: FetchIndexSchema) -> Bool {
        index.partialPredicateFormat == nil && index.elements.allSatisfy { $0.propertyName != nil && !$0.isRTree }
    }

    private static func obstacle(_ property: ResolvedProperty) -> String? {
        guard let attribute = property.attribute else {
            guard let relationship = property.relationship else { return "is a fetched property" }
            return relationship.inverse == nil ? "is a relationship without inverse" : nil
        }
        if attribute.derivationFormat != nil { return "is a derived attribute" }
        if attribute.compositeName != nil || attribute.type == .composite { return "is a composite attribute" }
        if attribute.type == .undefined || attribute.type == .objectID { return "has a type that is not stored" }
        if !attribute.validationRules.allSatisfy({ bound($0, of: attribute.type) != nil }) {
            return "has a validation rule other than a number’s bounds"
        }
        return isDefaultKnown(attribute) ? nil : "has a default value of a kind that is not known there"
    }

    private static func isDefaultKnown(_ attribute: AttributeSchema) -> Bool {
        switch attribute.defaultValue {
        case .null, .integer, .real: true
        case .string: attribute.type == .string
        case .decimal(let number): !number.isNaN
        case .uuid: true
        default: false
        }
    }

    /// The bound of a number's rule, as the archive has it; nil for any other rule.
    static func bound(_ rule: ValidationRule, of type: AttributeType) -> (operation: Int64, value: PropertyListNodes.Node, code: Int64)? {
        let kinds: [(prefix: String, operation: Int64, code: Int)] = [("SELF >= ", 3, 1620), ("SELF <= ", 1, 1610)]
        guard let kind = kinds.first(where: { rule.predicateFormat.hasPrefix($0.prefix) && rule.warning == .code($0.code) }) else { return nil }
        let text = String(rule.predicateFormat.dropFirst(kind.prefix.count))
        let value: PropertyListNodes.Node? = switch type {
        case .integer16, .integer32, .integer64: Int64(text).map(PropertyListNodes.Node.integer)
        case .double, .float: AttributeText.real(text).map(PropertyListNodes.Node.real)
        default: nil
        }
        return value.map { (kind.operation, $0, Int64(kind.code)) }
    }

    /// Whether the attribute counts as indexed: said so, or by an ascending index of its own.
    static func isIndexed(_ attribute: AttributeSchema, of entity: ResolvedEntity) -> Bool {
        attribute.isIndexed || entity.schema.indexes.contains { index in
            index.elements.count == 1 && index.elements[0].propertyName == attribute.name && index.elements[0].isAscending
        }
    }

    /// An entity's indexes: the framework adds one under the attribute's name for each indexed attribute.
    static func indexes(of entity: ResolvedEntity) -> [FetchIndexSchema] {
        let named = Set(entity.schema.indexes.map(\.name))
        let added = entity.properties.filter { property in
            guard let attribute = property.attribute, property.declaringEntity == entity.index else { return false }
            return isIndexed(attribute, of: entity) && !named.contains(attribute.name)
        }
        return added.map { FetchIndexSchema(name: $0.name, elements: [FetchIndexElementSchema(propertyName: $0.name)]) } + entity.schema.indexes
    }

    /// nil for transformables that name no class.
    static func className(of attribute: AttributeSchema) -> String? {
        switch attribute.type {
        case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
        case .decimal: "NSDecimalNumber"
        case .string: "NSString"
        case .date: "NSDate"
        case .binary: "NSData"
        case .uuid: "NSUUID"
        case .uri: "NSURL"
        case .transformable, .undefined, .objectID, .composite: attribute.valueClassName
        }
    }
}
