import CoreDataSchema
import CoreDataStorage
import SQLiteDriver

/// Finds every uniqueness constraint a batch would break, once SQLite has refused it.
///
/// Runs after the roll back, on the stored rows; rows the batch deletes, and the old values of rows it changes, do not
/// count.
struct UniquenessCheck {
    let store: SQLiteRowStore
    let connection: SQLiteConnection
    let batch: ChangeBatch

    private struct Group {
        let entity: Int
        let constraint: [Int]
        let table: String
        let columns: [SlotColumn]
        var rows: [[AttributeValue]: [RowKey]] = [:]
        var order: [[AttributeValue]] = []
    }

    func conflicts() throws -> [ConstraintConflict] {
        var groups: [String: Group] = [:]
        var names: [String] = []
        func add(_ key: RowKey, _ values: ContiguousArray<AttributeValue>, changed: SlotSet?) {
            let entity = store.model.entities[Int(key.entity)]
            for constraint in entity.uniquenessConstraints {
                if let changed, !constraint.contains(where: changed.contains) { continue }
                let tuple = constraint.map { values[$0] }
                if tuple.contains(where: \.isNull) { continue }
                let columns = constraint.compactMap { store.schema.column(entity.properties[$0]) }
                guard columns.count == constraint.count, let table = store.schema.table(of: entity.index) else { continue }
                let name = table.name + "." + columns.map(\.name).joined(separator: ",")
                if groups[name] == nil {
                    groups[name] = Group(
                        entity: declaring(constraint, of: entity), constraint: constraint, table: table.name, columns: columns)
                    names.append(name)
                }
                if groups[name]?.rows[tuple] == nil { groups[name]?.order.append(tuple) }
                groups[name]?.rows[tuple, default: []].append(key)
            }
        }
        for row in batch.updated { add(row.key, row.values, changed: row.changedSlots) }
        for row in batch.inserted { add(row.key, row.values, changed: nil) }
        var result: [ConstraintConflict] = []
        for name in names {
            guard let group = groups[name] else { continue }
            for tuple in group.order {
                let keys = group.rows[tuple] ?? []
                let stored = try storedRow(tuple, in: group)
                if keys.count < 2, stored == nil { continue }
                result.append(ConstraintConflict(
                    entity: group.entity, constraint: group.constraint, values: tuple, conflicting: keys, stored: stored))
            }
        }
        return result
    }

    /// The highest ancestor that has the constraint.
    private func declaring(_ constraint: [Int], of entity: ResolvedEntity) -> Int {
        var result = entity
        while let parent = result.superIndex.map({ store.model.entities[$0] }), parent.uniquenessConstraints.contains(constraint) {
            result = parent
        }
        return result.index
    }

    private func storedRow(_ tuple: [AttributeValue], in group: Group) throws -> RowBlock? {
        let leaving = Set(batch.deleted.map(\.key.primaryKey))
        let changing = Set(batch.updated.filter { row in group.constraint.contains(where: row.changedSlots.contains) }.map(\.key.primaryKey))
        let conditions = group.columns.map { "\($0.name) = ?" }.joined(separator: " AND ")
        let found = try connection.withStatement("SELECT Z_PK, Z_ENT FROM \(group.table) WHERE \(conditions)") { statement in
            for (index, value) in tuple.enumerated() { try bind(value, to: statement, at: Int32(index + 1)) }
            while try statement.step() {
                let key = statement.integer(0)
                if leaving.contains(key) || changing.contains(key) { continue }
                return store.schema.entity(number: statement.integer(1)).map { RowKey(primaryKey: key, entity: Int32($0), store: store.number) }
            }
            return nil
        }
        return try found.flatMap { try store.readRows([$0], on: connection).first }
    }

    private func bind(_ value: AttributeValue, to statement: SQLiteStatement, at index: Int32) throws {
        switch value {
        case .integer(let value): try statement.bind(index, value)
        case .real(let value): try statement.bind(index, value)
        case .string(let text): try statement.bind(index, text)
        case .decimal(let value): try statement.bind(index, value.isNaN ? "NaN" : value.description)
        case .uuid(let value): try withUnsafeBytes(of: value.uuid) { try statement.bindBlob(index, $0) }
        case .data(let data): try data.withUnsafeBytes { try statement.bindBlob(index, $0) }
        case .reference(let key): try statement.bind(index, key.primaryKey)
        case .null, .object, .composite: try statement.bindNull(index)
        }
    }
}
