import CoreDataSchema
import Foundation

/// Turns a declared model into descriptions that know one another.
enum ModelBuilding {
    /// The entities in declared order; a name that leads nowhere leaves its link empty, which `ModelResolution` reports.
    static func entities(of schema: ModelSchema, owner: NSManagedObjectModel?) -> [NSEntityDescription] {
        let entities = schema.entities.map { NSEntityDescription.make($0, in: schema, owner: owner) }
        let byName = NSEntityDescription.byName(entities) { $0.name }
        for (declared, entity) in zip(schema.entities, entities) {
            let children = zip(schema.entities, entities).filter { $0.0.superentityName == declared.name }.map(\.1)
            if !children.isEmpty { entity.subentities = children }
        }
        for (declared, entity) in zip(schema.entities, entities) {
            link(declared, entity, byName)
            entity.indexes = declared.indexes.map { index in
                NSFetchIndexDescription(index, elements: index.elements.map { element in
                    NSFetchIndexElementDescription(element, property: element.propertyName.flatMap { entity.propertiesByName[$0] })
                })
            }
        }
        return entities
    }

    private static func link(_ declared: EntitySchema, _ entity: NSEntityDescription, _ byName: [String: NSEntityDescription]) {
        let relationships = entity.ownProperties.compactMap { $0 as? NSRelationshipDescription }
        for (schema, relationship) in zip(declared.relationships, relationships) {
            let destination = byName[schema.destinationName]
            let homes = [destination, schema.inverseEntityName.flatMap { byName[$0] }].compactMap { $0 }
            let inverse = schema.inverseName.flatMap { name in
                homes.lazy.compactMap { $0.relationshipsByName[name] }.first
            }
            relationship.link(destination: destination, inverse: inverse)
        }
    }
}
