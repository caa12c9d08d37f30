/// A checked model in which every reference is an index: what the store, the graph and the generated code work with.
///
/// Invariants: `entities` is in `Z_ENT` order (index + 1 = Z_ENT): depth-first over the inheritance forest, siblings by
/// name without regard to case, so an entity's descendants are the contiguous run `index...lastDescendant`.
/// Immutable after `init`.
package final class ResolvedModel: Sendable {
    package let schema: ModelSchema
    package let entities: [ResolvedEntity]
    package let indexByName: [String: Int]

    package init(_ schema: ModelSchema) throws(ModelError) {
        let resolved = try ModelResolution.resolve(schema)
        self.schema = schema
        self.entities = resolved
        self.indexByName = Dictionary(uniqueKeysWithValues: resolved.map { ($0.name, $0.index) })
    }

    package func entity(named name: String) -> ResolvedEntity? { indexByName[name].map { entities[$0] } }
}

/// One entity with its properties at fixed slots.
///
/// Invariant: slots 0..<n of a superentity are the same properties in every descendant (inherited first, then own
/// attributes, own relationships, own fetched properties, each sorted by name without regard to case).
package final class ResolvedEntity: Sendable {
    package let index: Int
    package let schema: EntitySchema
    package let superIndex: Int?
    package let rootIndex: Int
    package let lastDescendant: Int
    /// Direct subentities.
    package let subentities: [Int]
    package let properties: [ResolvedProperty]
    package let slotByName: [String: Int]
    /// Own and inherited constraints, as slots.
    package let uniquenessConstraints: [[Int]]

    package var name: String { schema.name }
    package var isAbstract: Bool { schema.isAbstract }
    package var hasSubentities: Bool { lastDescendant > index }

    init(
        index: Int, schema: EntitySchema, superIndex: Int?, rootIndex: Int, lastDescendant: Int, subentities: [Int],
        properties: [ResolvedProperty], uniquenessConstraints: [[Int]]
    ) {
        self.index = index
        self.schema = schema
        self.superIndex = superIndex
        self.rootIndex = rootIndex
        self.lastDescendant = lastDescendant
        self.subentities = subentities
        self.properties = properties
        self.slotByName = Dictionary(uniqueKeysWithValues: properties.map { ($0.name, $0.slot) })
        self.uniquenessConstraints = uniquenessConstraints
    }

    package func property(named name: String) -> ResolvedProperty? { slotByName[name].map { properties[$0] } }

    /// Whether rows of `other` are rows of this entity too.
    @inlinable package func includes(_ other: Int) -> Bool { other >= index && other <= lastDescendant }
}

/// One property of an entity at its slot. A class, because going through an entity's properties would copy all their texts.
package final class ResolvedProperty: Sendable {
    package let slot: Int
    package let name: String
    /// Index of the entity that declares it.
    package let declaringEntity: Int
    package let storage: StorageKind
    package let isOptional: Bool
    package let isTransient: Bool
    package let attribute: AttributeSchema?
    package let relationship: ResolvedRelationship?
    package let fetched: FetchedPropertySchema?

    init(
        slot: Int, name: String, declaringEntity: Int, storage: StorageKind, isOptional: Bool, isTransient: Bool, attribute: AttributeSchema?,
        relationship: ResolvedRelationship?, fetched: FetchedPropertySchema?
    ) {
        self.slot = slot
        self.name = name
        self.declaringEntity = declaringEntity
        self.storage = storage
        self.isOptional = isOptional
        self.isTransient = isTransient
        self.attribute = attribute
        self.relationship = relationship
        self.fetched = fetched
    }

    /// Whether the store keeps it in the row: an attribute or to-one that is not transient.
    package var isStored: Bool {
        switch storage {
        case .none, .toMany, .fetched: false
        default: !isTransient
        }
    }
}

package struct ResolvedRelationship: Sendable {
    package let schema: RelationshipSchema
    package let destination: Int
    /// The inverse as entity that declares it and its slot there; nil without inverse.
    package let inverse: PropertyReference?
    package var isToMany: Bool { schema.isToMany }
    package var isOrdered: Bool { schema.isOrdered }
}

package struct PropertyReference: Hashable, Sendable {
    package let entity: Int
    package let slot: Int

    package init(entity: Int, slot: Int) {
        self.entity = entity
        self.slot = slot
    }
}

/// How a slot's value is kept in a row: the one byte the decode loop switches on.
package enum StorageKind: UInt8, Sendable {
    /// No column: undefined (transient) attributes.
    case none
    case integer, boolean
    case double, float, date
    case decimal
    case string, uri
    case uuid
    case data
    /// Archived bytes in the store, an object in memory: transformable attributes.
    case object
    /// An object ID attribute.
    case objectID
    case composite
    case toOne
    case toMany
    case fetched
}
