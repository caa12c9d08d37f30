import CoreDataSchema

/// What the in-memory store precomputes from a model.
final class InMemorySchema: Sendable {
    let model: ResolvedModel
    let layouts: [RowLayout]
    let roots: [Int]
    /// To-one slots of each entity whose other side is a to-many: the store keeps them backwards too.
    let indexedReferences: [[IndexedReference]]
    /// Uniqueness constraints of each entity.
    let constraints: [[Constraint]]

    struct IndexedReference: Sendable {
        let slot: Int
        let reference: PropertyReference
    }

    /// A constraint's name across the entities that inherit it, and its slots.
    struct Constraint: Sendable {
        let properties: [PropertyReference]
        let slots: [Int]
    }

    init(_ model: ResolvedModel) {
        self.model = model
        layouts = model.entities.map { RowLayout($0, in: model) }
        roots = model.entities.map(\.rootIndex)
        indexedReferences = model.entities.map { entity in
            entity.properties.compactMap { property in
                guard property.storage == .toOne, property.isStored, let inverse = property.relationship?.inverse,
                      model.entities[inverse.entity].properties[inverse.slot].storage == .toMany
                else { return nil }
                return IndexedReference(
                    slot: property.slot, reference: PropertyReference(entity: property.declaringEntity, slot: property.slot))
            }
        }
        constraints = model.entities.map { entity in
            entity.uniquenessConstraints.map { slots in
                Constraint(
                    properties: slots.map { PropertyReference(entity: entity.properties[$0].declaringEntity, slot: $0) },
                    slots: slots)
            }
        }
    }

    func root(of key: RowKey) -> Int { roots[Int(key.entity)] }

    func property(_ reference: PropertyReference) -> ResolvedProperty { model.entities[reference.entity].properties[reference.slot] }
}
