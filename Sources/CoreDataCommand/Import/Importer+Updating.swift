import CoreDataPredicate
import CoreDataSQLStorage
import CoreDataSchema
import CoreDataStorage

/// Rows of the data that are rows of the store already.
extension Importer {
    /// The store's row with the unique values of a row of the data; nil when there is none, or the data does not say them all.
    func storedRow(_ row: ImportRow, _ entity: ResolvedEntity) throws -> RowKey? {
        for constraint in entity.uniquenessConstraints {
            let parts: [PredicateTree] = try constraint.compactMap { slot in
                let property = entity.properties[slot]
                guard let attribute = property.attribute, let member = row.members.first(where: { $0.key == property.name }), member.value != .null else {
                    return nil
                }
                let value = PredicateValue(try value(member.value, attribute, entity, row), kind: property.storage)
                return .comparison(Comparison(.keyPath(.evaluatedObject, [property.name]), .equal, .constant(value)))
            }
            guard !parts.isEmpty, parts.count == constraint.count else { continue }
            var plan = FetchPlan(entity: entity.index)
            plan.predicate = parts.count == 1 ? parts[0] : .and(parts)
            plan.result = .keys
            plan.limit = 1
            if case .keys(let keys) = try session.store.fetch(plan), let key = keys.first { return key }
        }
        return nil
    }

    /// Writes what differs.
    func update(
        _ stored: RowBlock, _ given: SlotSet, _ values: ContiguousArray<AttributeValue>, _ entity: ResolvedEntity, _ row: ImportRow, _ load: RowLoad
    ) throws {
        var changed = SlotSet()
        for slot in given.slots where stored.external(slot) != nil || stored.value(slot) != values[slot] {
            let property = entity.properties[slot]
            if property.storage == .toOne {
                if isOneToOne(property) {
                    throw refused(row, "“\(property.name)” is one-to-one, and an import with --update does not change whom a row of the store belongs to.")
                }
                if values[slot].isNull, !property.isOptional { throw refused(row, "\(entity.name).\(property.name) must not be nil.") }
            }
            changed.insert(slot)
        }
        guard !changed.isEmpty else { return }
        do { try load.update(entity.index, key: stored.key.primaryKey, slots: changed, values: values) } catch let error as BatchError {
            throw refused(row, ErrorText.text(of: error))
        }
    }
}
