import CoreDataSQLStorage
import CoreDataSchema

/// Which properties of an entity an export writes.
///
/// Invariant: each link between two rows is written by one side: the to-one, the ordered side, or of two unordered to-manys the one
/// whose entity and name come first. So a row's line does not grow with the rows that point to it. An ordered to-many is written
/// though its inverse is too: it has the order.
struct ExportPlan {
    let entity: ResolvedEntity
    let properties: [ResolvedProperty]

    init(_ entity: ResolvedEntity, _ session: StoreSession, allRelationships: Bool) {
        self.entity = entity
        properties = entity.properties.filter { property in
            if property.isStored { return session.store.schema.column(property) != nil }
            guard property.storage == .toMany, let link = session.store.schema.link(property) else { return false }
            return allRelationships || ExportPlan.carries(link, property, session.model)
        }
    }

    private static func carries(_ link: LinkStorage, _ property: ResolvedProperty, _ model: ResolvedModel) -> Bool {
        switch link {
        case .column(_, _, let order, let isHidden): return isHidden || order != nil
        case .join(let side):
            guard let relationship = property.relationship, let inverse = relationship.inverse, !side.isReflexive else { return true }
            let other = model.entities[inverse.entity].properties[inverse.slot]
            let isOrdered = (relationship.isOrdered, other.relationship?.isOrdered == true)
            if isOrdered.0 || isOrdered.1 { return isOrdered.0 }
            return (model.entities[property.declaringEntity].name, property.name) < (model.entities[inverse.entity].name, other.name)
        }
    }
}
