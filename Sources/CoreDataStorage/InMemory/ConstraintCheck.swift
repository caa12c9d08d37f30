import CoreDataSchema

/// Finds what of a batch would break a uniqueness constraint, looking only at the state after the whole batch.
struct ConstraintCheck {
    private let schema: InMemorySchema
    private let deleted: Set<RowKey>

    init(_ batch: ChangeBatch, _ schema: InMemorySchema) {
        self.schema = schema
        deleted = Set(batch.deleted.map(\.key))
    }

    private struct Place: Hashable {
        let properties: [PropertyReference]
        let values: [AttributeValue]
    }

    /// `given` maps the keys rows came with to the permanent ones; conflicts name the former.
    func conflicts(
        _ state: InMemoryState, inserted: [RowBlock], updated: [RowBlock], given: [RowKey: RowKey]
    ) -> [ConstraintConflict] {
        if schema.constraints.allSatisfy(\.isEmpty) { return [] }
        let original = Dictionary(given.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
        let moving = Set(updated.map(\.key)).union(deleted)
        var claims: [Place: ConstraintConflict] = [:]
        var order: [Place] = []
        for row in updated + inserted {
            for constraint in schema.constraints[Int(row.key.entity)] {
                guard let values = row.uniqueValues(constraint.slots) else { continue }
                let place = Place(properties: constraint.properties, values: values)
                let key = original[row.key] ?? row.key
                if claims[place] != nil {
                    claims[place]?.conflicting.append(key)
                    continue
                }
                order.append(place)
                let holder = state.holders[constraint.properties]?[values].flatMap { moving.contains($0) ? nil : state.row($0, schema) }
                claims[place] = ConstraintConflict(
                    entity: Int(row.key.entity), constraint: constraint.slots, values: values, conflicting: [key], stored: holder)
            }
        }
        return order.compactMap { claims[$0] }.filter { $0.stored != nil || $0.conflicting.count > 1 }
    }
}
