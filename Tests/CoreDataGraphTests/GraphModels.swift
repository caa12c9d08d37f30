import CoreDataSchema
import CoreDataStorage

/// Small models built in code.
enum GraphModels {
    /// Person(A) with every relationship shape the tests need.
    static func make(_ build: (inout ModelSchema) -> Void) throws -> ResolvedModel {
        var schema = ModelSchema()
        build(&schema)
        return try ResolvedModel(schema)
    }

    static func relationship(
        _ name: String, to destination: String, inverse: String? = nil, many: Bool = false, ordered: Bool = false,
        rule: DeleteRule = .nullify
    ) -> RelationshipSchema {
        var relationship = RelationshipSchema(name: name, destinationName: destination)
        relationship.inverseName = inverse
        relationship.maxCount = many ? 0 : 1
        relationship.isOrdered = ordered
        relationship.deleteRule = rule
        relationship.isOptional = true
        return relationship
    }
}

extension ModelSchema {
    mutating func entity(
        _ name: String, parent: String? = nil, attributes: [AttributeSchema] = [], _ relationships: [RelationshipSchema] = []
    ) {
        var entity = EntitySchema(name: name)
        entity.superentityName = parent
        entity.attributes = attributes
        entity.relationships = relationships
        entities.append(entity)
    }
}

extension ResolvedModel {
    func key(_ entity: String, _ primaryKey: Int64) throws -> RowKey {
        guard let index = indexByName[entity] else { throw ModelError.unknownSuperentity(entity: "test", name: entity) }
        return RowKey(primaryKey: primaryKey, entity: Int32(index), store: 1)
    }

    func property(_ entity: String, _ name: String) throws -> ResolvedProperty {
        guard let property = self.entity(named: entity)?.property(named: name) else {
            throw ModelError.unknownConstraintProperty(entity: entity, property: name)
        }
        return property
    }

    func slot(_ entity: String, _ name: String) throws -> Int { try property(entity, name).slot }
}

/// Who is related to whom, for tests: keys by owner and slot, in the order written.
struct Relations {
    var members: [RowKey: [Int: [RowKey]]] = [:]

    mutating func link(_ owner: RowKey, _ slot: Int, _ keys: [RowKey]) { members[owner, default: [:]][slot] = keys }

    func related(_ owner: RowKey, _ slot: Int) -> [RowKey] { members[owner]?[slot] ?? [] }
}
