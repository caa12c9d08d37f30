import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

/// One case running against one store: names instead of slots, and a list of what was not as it should be.
package final class ConformanceRun {
    package let model: ResolvedModel
    package let store: any RowStore
    package private(set) var failures: [String] = []
    private var lastTemporary: Int64 = 0

    package init(_ makeStore: (ResolvedModel) throws -> any RowStore) throws {
        model = try ConformanceModel.make()
        store = try makeStore(model)
    }

    // MARK: Expectations

    package func expect<Value: Equatable>(_ actual: Value, _ expected: Value, _ what: @autoclosure () -> String) {
        if actual != expected { failures.append("\(what()): \(actual), expected \(expected)") }
    }

    package func fail(_ what: String) { failures.append(what) }

    package func expectThrows(_ what: String, _ body: () throws -> Void) {
        do {
            try body()
            fail("\(what): nothing was thrown")
        } catch {}
    }

    // MARK: Names

    package func entity(_ name: String) throws -> ResolvedEntity {
        guard let entity = model.entity(named: name) else { throw ConformanceError("no entity \(name)") }
        return entity
    }

    package func property(_ entity: String, _ name: String) throws -> ResolvedProperty {
        guard let property = try self.entity(entity).property(named: name) else { throw ConformanceError("no \(entity).\(name)") }
        return property
    }

    package func reference(_ entity: String, _ name: String) throws -> PropertyReference {
        let property = try property(entity, name)
        return PropertyReference(entity: property.declaringEntity, slot: property.slot)
    }

    // MARK: Changes

    package func temporaryKey(_ entity: String) throws -> RowKey {
        lastTemporary -= 1
        return RowKey(primaryKey: lastTemporary, entity: Int32(try self.entity(entity).index), store: store.number)
    }

    package func row(_ entity: String, key: RowKey? = nil, _ values: [String: AttributeValue]) throws -> InsertedRow {
        var all = ContiguousArray(repeating: AttributeValue.null, count: try self.entity(entity).properties.count)
        for (name, value) in values { all[try property(entity, name).slot] = value }
        return InsertedRow(key: try key ?? temporaryKey(entity), values: all)
    }

    package func update(_ row: RowBlock, _ values: [String: AttributeValue]) throws -> UpdatedRow {
        let entity = model.entities[Int(row.key.entity)]
        var changed = SlotSet(), all = row.values
        for (name, value) in values {
            let slot = try property(entity.name, name).slot
            changed.insert(slot)
            all[slot] = value
        }
        return UpdatedRow(key: row.key, expectedVersion: row.version, changedSlots: changed, values: all)
    }

    package func link(
        _ owner: RowKey, _ name: String, added: [RowKey] = [], removed: [RowKey] = [], order: [RowKey]? = nil
    ) throws -> LinkChange {
        let entity = model.entities[Int(owner.entity)].name
        return LinkChange(owner: owner, relationship: try reference(entity, name), added: added, removed: removed, order: order)
    }

    /// Commits and answers the receipt; anything else is an error of the case.
    @discardableResult
    package func commit(_ batch: ChangeBatch) throws -> CommitReceipt {
        switch try store.commit(batch) {
        case .committed(let receipt):
            guard receipt.inserted.count == batch.inserted.count, receipt.updated.count == batch.updated.count else {
                throw ConformanceError("the receipt is not parallel to its batch")
            }
            return receipt
        case .conflicts(let conflicts): throw ConformanceError("unexpected conflicts: \(conflicts.map(\.key))")
        case .constraintConflicts(let conflicts): throw ConformanceError("unexpected constraint conflicts: \(conflicts.map(\.values))")
        }
    }

    package func insert(_ entity: String, _ values: [String: AttributeValue]) throws -> RowBlock {
        try insert([row(entity, values)])[0]
    }

    package func insert(_ rows: [InsertedRow], links: [LinkChange] = []) throws -> [RowBlock] {
        var batch = ChangeBatch()
        batch.inserted = rows
        batch.links = links
        return try commit(batch).inserted
    }

    // MARK: Reading

    package func plan(_ entity: String, _ format: String? = nil, _ arguments: [PredicateValue] = []) throws -> FetchPlan {
        var plan = FetchPlan(entity: try self.entity(entity).index)
        plan.predicate = try format.map { try PredicateFormat.parse($0, arguments: arguments.map(PredicateArgument.value)) }
        return plan
    }

    package func rows(_ plan: FetchPlan) throws -> [RowBlock] {
        guard case .rows(let rows) = try store.fetch(plan) else { throw ConformanceError("a fetch of rows answered something else") }
        return rows
    }

    package func dictionaries(_ plan: FetchPlan) throws -> [[PredicateValue]] {
        guard case .dictionaries(let rows) = try store.fetch(plan) else { throw ConformanceError("a dictionary fetch answered something else") }
        return rows
    }

    package func value(_ row: RowBlock, _ name: String) throws -> AttributeValue {
        row.value(try property(model.entities[Int(row.key.entity)].name, name).slot)
    }

    /// The `code` attributes of rows.
    package func codes(_ rows: [RowBlock]) throws -> [Int64] {
        try rows.map { row in
            guard case .integer(let code) = try value(row, "code") else { throw ConformanceError("a row without code") }
            return code
        }
    }

    package func related(_ owner: RowKey, _ name: String) throws -> [RowKey] {
        let entity = model.entities[Int(owner.entity)].name
        return try store.relatedKeys(of: [owner], through: reference(entity, name)).first ?? []
    }

    /// The row as the store has it now, read past the row cache.
    package func reread(_ key: RowKey) throws -> RowBlock? { try store.rows(for: [key], staleAfter: 0).first }
}

package struct ConformanceError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
