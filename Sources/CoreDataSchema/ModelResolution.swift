import Foundation

/// Checks a declared model and turns names into indices.
package enum ModelResolution {
    static func resolve(_ schema: ModelSchema) throws(ModelError) -> [ResolvedEntity] {
        var resolver = try Resolver(schema)
        return try resolver.run()
    }

    /// Case-insensitive order, ties by bytes: the order of entities, columns and slots.
    package static func precedes(_ left: String, _ right: String) -> Bool {
        let (a, b) = (left.lowercased(), right.lowercased())
        return a == b ? left.utf8.lexicographicallyPrecedes(right.utf8) : a.utf8.lexicographicallyPrecedes(b.utf8)
    }

    /// In that order; each name is folded once, not with each comparison.
    package static func sorted<Item>(_ items: [Item], by name: (Item) -> String) -> [Item] {
        if items.count < 2 { return items }
        let named = items.map { item -> (folded: String, name: String, item: Item) in
            let name = name(item)
            return (name.lowercased(), name, item)
        }
        return named.sorted { left, right in
            left.folded == right.folded
                ? left.name.utf8.lexicographicallyPrecedes(right.name.utf8) : left.folded.utf8.lexicographicallyPrecedes(right.folded.utf8)
        }.map(\.item)
    }
}

private struct Resolver {
    let schema: ModelSchema
    var byName: [String: EntitySchema] = [:]
    var children: [String: [String]] = [:]
    /// Entity names in `Z_ENT` order.
    var order: [String] = []
    var indexByName: [String: Int] = [:]
    var lastDescendant: [String: Int] = [:]
    /// All properties of an entity, inherited first, as (declaring entity's name, property).
    var flattened: [String: [(owner: String, property: Declared)]] = [:]

    enum Declared {
        case attribute(AttributeSchema), relationship(RelationshipSchema), fetched(FetchedPropertySchema)

        var name: String {
            switch self {
            case .attribute(let value): value.name
            case .relationship(let value): value.name
            case .fetched(let value): value.name
            }
        }
    }

    init(_ schema: ModelSchema) throws(ModelError) {
        self.schema = schema
        for entity in schema.entities where byName.updateValue(entity, forKey: entity.name) != nil {
            throw .duplicateEntity(entity.name)
        }
        for entity in schema.entities {
            guard let parent = entity.superentityName else { continue }
            guard byName[parent] != nil else { throw .unknownSuperentity(entity: entity.name, name: parent) }
            children[parent, default: []].append(entity.name)
        }
        for configuration in schema.configurations {
            for name in configuration.entityNames where byName[name] == nil {
                throw .unknownConfigurationEntity(configuration: configuration.name, entity: name)
            }
        }
    }

    mutating func run() throws(ModelError) -> [ResolvedEntity] {
        let roots = ModelResolution.sorted(schema.entities.filter { $0.superentityName == nil }.map(\.name)) { $0 }
        for root in roots { try number(root, inherited: []) }
        if order.count < schema.entities.count, let stray = schema.entities.first(where: { indexByName[$0.name] == nil }) {
            throw .inheritanceCycle(entity: stray.name)
        }
        var result: [ResolvedEntity] = []
        for name in order { result.append(try resolve(name)) }
        return result
    }

    private mutating func number(_ name: String, inherited: [(owner: String, property: Declared)]) throws(ModelError) {
        guard let entity = byName[name] else { return }
        indexByName[name] = order.count
        order.append(name)
        var properties = inherited
        var seen = Set(inherited.map(\.property.name))
        for property in declared(by: entity) {
            guard seen.insert(property.name).inserted else {
                throw .duplicateProperty(entity: name, property: property.name)
            }
            properties.append((name, property))
        }
        flattened[name] = properties
        for child in ModelResolution.sorted(children[name] ?? [], by: { $0 }) { try number(child, inherited: properties) }
        lastDescendant[name] = order.count - 1
    }

    private func declared(by entity: EntitySchema) -> [Declared] {
        ModelResolution.sorted(entity.attributes, by: \.name).map(Declared.attribute)
            + ModelResolution.sorted(entity.relationships, by: \.name).map(Declared.relationship)
            + ModelResolution.sorted(entity.fetchedProperties, by: \.name).map(Declared.fetched)
    }

    private func resolve(_ name: String) throws(ModelError) -> ResolvedEntity {
        guard let entity = byName[name], let index = indexByName[name] else { throw .inheritanceCycle(entity: name) }
        var properties: [ResolvedProperty] = []
        for (slot, declared) in (flattened[name] ?? []).enumerated() {
            properties.append(try property(declared.property, of: declared.owner, at: slot))
        }
        let slots = Dictionary(uniqueKeysWithValues: properties.map { ($0.name, $0.slot) })
        var root = entity
        var constraints: [[Int]] = []
        var ancestor: EntitySchema? = entity
        while let current = ancestor {
            for constraint in current.uniquenessConstraints {
                var resolved: [Int] = []
                for key in constraint {
                    guard let slot = slots[key] else { throw .unknownConstraintProperty(entity: current.name, property: key) }
                    resolved.append(slot)
                }
                constraints.append(resolved)
            }
            root = current
            ancestor = current.superentityName.flatMap { byName[$0] }
        }
        for index in entity.indexes {
            for key in index.elements.compactMap(\.propertyName) where slots[key] == nil {
                throw .unknownConstraintProperty(entity: name, property: key)
            }
        }
        return ResolvedEntity(
            index: index, schema: entity, superIndex: entity.superentityName.flatMap { indexByName[$0] },
            rootIndex: indexByName[root.name] ?? index, lastDescendant: lastDescendant[name] ?? index,
            subentities: (children[name] ?? []).compactMap { indexByName[$0] }.sorted(),
            properties: properties, uniquenessConstraints: constraints)
    }

    private func property(_ declared: Declared, of owner: String, at slot: Int) throws(ModelError) -> ResolvedProperty {
        let declaring = indexByName[owner] ?? 0
        switch declared {
        case .attribute(let attribute):
            if attribute.type == .composite, !schema.composites.contains(where: { $0.name == attribute.compositeName }) {
                throw .unknownComposite(entity: owner, attribute: attribute.name, composite: attribute.compositeName ?? "")
            }
            return ResolvedProperty(
                slot: slot, name: attribute.name, declaringEntity: declaring, storage: StorageKind(attribute.type),
                isOptional: attribute.isOptional, isTransient: attribute.isTransient, attribute: attribute,
                relationship: nil, fetched: nil)
        case .relationship(let relationship):
            return ResolvedProperty(
                slot: slot, name: relationship.name, declaringEntity: declaring,
                storage: relationship.isToMany ? .toMany : .toOne, isOptional: relationship.isOptional,
                isTransient: relationship.isTransient, attribute: nil,
                relationship: try resolve(relationship, of: owner), fetched: nil)
        case .fetched(let fetched):
            return ResolvedProperty(
                slot: slot, name: fetched.name, declaringEntity: declaring, storage: .fetched,
                isOptional: fetched.isOptional, isTransient: true, attribute: nil, relationship: nil, fetched: fetched)
        }
    }

    private func resolve(_ relationship: RelationshipSchema, of owner: String) throws(ModelError) -> ResolvedRelationship {
        guard let destination = indexByName[relationship.destinationName] else {
            throw .unknownDestination(entity: owner, relationship: relationship.name, destination: relationship.destinationName)
        }
        guard let inverseName = relationship.inverseName else {
            return ResolvedRelationship(schema: relationship, destination: destination, inverse: nil)
        }
        // The inverse may be inherited by the destination, or (in hand-edited files) declared on the entity named beside it.
        for candidate in [relationship.destinationName, relationship.inverseEntityName].compactMap({ $0 }) {
            guard let slot = flattened[candidate]?.firstIndex(where: { $0.property.name == inverseName }),
                  case .relationship = flattened[candidate]?[slot].property,
                  let declaring = flattened[candidate]?[slot].owner, let entity = indexByName[declaring]
            else { continue }
            return ResolvedRelationship(
                schema: relationship, destination: destination, inverse: PropertyReference(entity: entity, slot: slot))
        }
        throw .unknownInverse(entity: owner, relationship: relationship.name, inverse: inverseName)
    }
}

extension StorageKind {
    package init(_ type: AttributeType) {
        self = switch type {
        case .undefined: .none
        case .integer16, .integer32, .integer64: .integer
        case .boolean: .boolean
        case .decimal: .decimal
        case .double: .double
        case .float: .float
        case .string: .string
        case .date: .date
        case .binary: .data
        case .uuid: .uuid
        case .uri: .uri
        case .transformable: .object
        case .objectID: .objectID
        case .composite: .composite
        }
    }
}
