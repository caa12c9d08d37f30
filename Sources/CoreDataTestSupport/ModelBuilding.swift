import CoreDataSchema

/// Models written as code.
extension ModelSchema {
    package mutating func add(
        _ name: String, parent: String? = nil, isAbstract: Bool = false, attributes: [AttributeSchema] = [],
        relationships: [RelationshipSchema] = [], unique: [[String]] = []
    ) {
        var entity = EntitySchema(name: name)
        entity.superentityName = parent
        entity.isAbstract = isAbstract
        entity.attributes = attributes
        entity.relationships = relationships
        entity.uniquenessConstraints = unique
        entities.append(entity)
    }
}

extension AttributeSchema {
    /// An optional attribute.
    package static func optional(_ name: String, _ type: AttributeType) -> AttributeSchema {
        var attribute = AttributeSchema(name: name, type: type)
        attribute.isOptional = true
        return attribute
    }
}

extension RelationshipSchema {
    package static func toOne(_ name: String, _ destination: String, inverse: String? = nil) -> RelationshipSchema {
        var relationship = RelationshipSchema(name: name, destinationName: destination)
        relationship.inverseName = inverse
        relationship.inverseEntityName = inverse.map { _ in destination }
        relationship.isOptional = true
        return relationship
    }

    package static func toMany(
        _ name: String, _ destination: String, inverse: String? = nil, isOrdered: Bool = false
    ) -> RelationshipSchema {
        var relationship = toOne(name, destination, inverse: inverse)
        relationship.maxCount = 0
        relationship.isOrdered = isOrdered
        return relationship
    }
}
