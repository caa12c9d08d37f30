import CoreDataSchema
import CoreDataStorage

/// Finds the entity somebody named, or says which they may have meant.
enum EntityName {
    static func find(_ name: String, in schema: ModelSchema) throws -> EntitySchema {
        if let entity = schema.entity(named: name) { return entity }
        throw unknown(name, schema.entities.map(\.name))
    }

    static func find(_ name: String, in model: ResolvedModel) throws -> ResolvedEntity {
        if let entity = model.entity(named: name) { return entity }
        throw unknown(name, model.entities.map(\.name))
    }

    private static func unknown(_ name: String, _ names: [String]) -> CommandFailure {
        CommandFailure(.usage, "There is no entity “\(name)”. \(NearestName.advice(name, among: names))")
    }
}
