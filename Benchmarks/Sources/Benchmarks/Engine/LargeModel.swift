import CoreData

/// A hundred entities of ten attributes, each with a reference to the next.
enum LargeModel {
    static func make(entities count: Int = 100) -> NSManagedObjectModel {
        let entities = (0..<count).map { number in
            let entity = NSEntityDescription()
            entity.name = "Thing\(number)"
            entity.properties = (0..<10).map(attribute)
            return entity
        }
        for (number, entity) in entities.enumerated() { connect(entity, to: entities[(number + 1) % count]) }
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    private static func attribute(_ number: Int) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = "value\(number)"
        attribute.attributeType = [.stringAttributeType, .integer64AttributeType, .doubleAttributeType, .dateAttributeType][number % 4]
        attribute.isOptional = true
        return attribute
    }

    private static func connect(_ entity: NSEntityDescription, to next: NSEntityDescription) {
        let one = NSRelationshipDescription(), many = NSRelationshipDescription()
        (one.name, one.destinationEntity, one.maxCount) = ("next", next, 1)
        (many.name, many.destinationEntity, many.maxCount) = ("previous", entity, 0)
        (one.inverseRelationship, many.inverseRelationship) = (many, one)
        for relationship in [one, many] {
            relationship.isOptional = true
            relationship.deleteRule = .nullifyDeleteRule
        }
        entity.properties.append(one)
        next.properties.append(many)
    }
}
