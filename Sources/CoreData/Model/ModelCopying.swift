import CoreDataSchema
import Foundation

/// Copies descriptions so that the copies know one another and not the originals.
enum ModelCopying {
    /// Copies of entities that may refer to one another; a reference that leaves the list is kept by name only if the copy's
    /// model has such an entity, and else left empty.
    static func copies(of entities: [NSEntityDescription]) -> [NSEntityDescription] {
        var copyOf: [ObjectIdentifier: NSEntityDescription] = [:]
        let copies = entities.map { entity in
            let copy = NSEntityDescription()
            entity.copyFields(to: copy)
            copyOf[ObjectIdentifier(entity)] = copy
            return copy
        }
        let byName = NSEntityDescription.byName(copies) { $0.name }
        func counterpart(_ entity: NSEntityDescription?) -> NSEntityDescription? {
            entity.flatMap { copyOf[ObjectIdentifier($0)] ?? $0.name.flatMap { byName[$0] } }
        }
        for (entity, copy) in zip(entities, copies) {
            let children = entity.subentities.compactMap(counterpart)
            if !children.isEmpty { copy.subentities = children }
        }
        for (entity, copy) in zip(entities, copies) {
            for (original, property) in zip(entity.ownProperties, copy.ownProperties) {
                guard let original = original as? NSRelationshipDescription,
                      let relationship = property as? NSRelationshipDescription else { continue }
                let home = counterpart(original.inverseRelationship?.owningEntity)
                relationship.link(
                    destination: counterpart(original.destinationEntity),
                    inverse: original.inverseRelationship.flatMap { inverse in home?.relationshipsByName[inverse.name] })
            }
            copyIndexes(of: entity, to: copy)
        }
        return copies
    }

    /// A copy of one entity with its descendants, without superentity.
    static func copy(of entity: NSEntityDescription) -> NSEntityDescription {
        var family = [entity]
        var next = 0
        while next < family.count {
            family += family[next].subentities
            next += 1
        }
        let copies = copies(of: family)
        // Relationships to entities outside keep leading there: the caller puts the copy among them or links it anew.
        for (original, copy) in zip(family, copies) {
            for (old, new) in zip(original.ownProperties, copy.ownProperties) {
                guard let old = old as? NSRelationshipDescription, let new = new as? NSRelationshipDescription,
                      new.destinationEntity == nil else { continue }
                new.link(destination: old.destinationEntity, inverse: old.inverseRelationship)
            }
        }
        return copies[0]
    }

    private static func copyIndexes(of entity: NSEntityDescription, to copy: NSEntityDescription) {
        func names(_ lists: [[Any]]) -> [[Any]] {
            lists.map { $0.map { ($0 as? NSPropertyDescription)?.name ?? $0 } }
        }
        copy.compoundIndexes = names(entity.compoundIndexes)
        copy.uniquenessConstraints = names(entity.uniquenessConstraints)
        copy.indexes = entity.indexes.compactMap { $0.copy() as? NSFetchIndexDescription }
        for element in copy.indexes.flatMap(\.elements) {
            element.attach(element.propertyName.flatMap { copy.propertiesByName[$0] })
        }
    }
}
