import CoreData

/// The managed object model of the random fetch test.
enum FetchModel {
    static func make(typed: Bool = false) -> NSManagedObjectModel {
        var entities: [FetchKind: NSEntityDescription] = [:]
        for kind in FetchKind.allCases {
            let entity = NSEntityDescription()
            entity.name = kind.rawValue
            entity.isAbstract = kind == .site
            if typed { entity.managedObjectClassName = NSStringFromClass(typedClass(kind)) }
            entities[kind] = entity
        }
        var ends: [String: NSRelationshipDescription] = [:]
        for kind in FetchKind.allCases {
            var properties: [NSPropertyDescription] = (FetchField.own[kind] ?? []).map { attribute($0) }
            for link in FetchLink.all where link.owner == kind {
                let relationship = NSRelationshipDescription()
                relationship.name = link.name
                relationship.destinationEntity = entities[link.destination]
                relationship.maxCount = link.isToMany ? 0 : 1
                relationship.isOrdered = link.count == .ordered
                relationship.isOptional = true
                relationship.deleteRule = .nullifyDeleteRule
                ends[kind.rawValue + link.name] = relationship
                properties.append(relationship)
            }
            entities[kind]?.properties = properties
        }
        for link in FetchLink.all {
            guard let inverse = link.inverse else { continue }
            ends[link.owner.rawValue + link.name]?.inverseRelationship = ends[link.destination.rawValue + inverse]
        }
        for kind in FetchKind.allCases {
            entities[kind]?.subentities = FetchKind.allCases.filter { $0.parent == kind }.compactMap { entities[$0] }
        }
        let model = NSManagedObjectModel()
        model.entities = FetchKind.allCases.compactMap { entities[$0] }
        return model
    }

    private static func typedClass(_ kind: FetchKind) -> AnyClass {
        switch kind {
        case .item, .subItem, .leafItem: TypedItem.self
        case .site, .town, .harbour: TypedSite.self
        case .tag: TypedTag.self
        }
    }

    private static func attribute(_ field: FetchField) -> NSAttributeDescription {
        let attribute = CompanyModel.attribute(field.name, type(field.type))
        if field.type == .transformable { attribute.valueTransformerName = "NSSecureUnarchiveFromData" }
        return attribute
    }

    private static func type(_ type: FetchType) -> NSAttributeType {
        switch type {
        case .int16: .integer16AttributeType
        case .int32: .integer32AttributeType
        case .int64: .integer64AttributeType
        case .double: .doubleAttributeType
        case .float: .floatAttributeType
        case .decimal: .decimalAttributeType
        case .string: .stringAttributeType
        case .bool: .booleanAttributeType
        case .date: .dateAttributeType
        case .binary: .binaryDataAttributeType
        case .uuid: .UUIDAttributeType
        case .uri: .URIAttributeType
        case .transformable: .transformableAttributeType
        }
    }
}
