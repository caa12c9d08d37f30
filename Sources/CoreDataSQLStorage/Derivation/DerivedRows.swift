import CoreDataSchema
import CoreDataStorage

/// The rows that triggers wrote derived values into, until somebody takes note.
///
/// Unchecked Sendable: filled by functions that SQLite calls while the store's only connection runs a statement, emptied by
/// the store; both happen under the store's lock.
final class DerivedRows: @unchecked Sendable {
    struct Row: Hashable {
        let entityNumber: Int64
        let primaryKey: Int64
    }

    private var rows: Set<Row> = []

    var isEmpty: Bool { rows.isEmpty }

    func note(entityNumber: Int64, primaryKey: Int64) { rows.insert(Row(entityNumber: entityNumber, primaryKey: primaryKey)) }

    func forget() { if !rows.isEmpty { rows = [] } }

    func take() -> Set<Row> {
        defer { rows = [] }
        return rows
    }
}

extension SQLiteRowStore {
    /// Keys of the rows that triggers changed since the last call.
    func takeDerivedKeys() -> [RowKey] {
        if derivedRows.isEmpty { return [] }
        return derivedRows.take().compactMap { row in
            schema.entity(number: row.entityNumber).map { RowKey(primaryKey: row.primaryKey, entity: Int32($0), store: number) }
        }
    }
}
