import CoreDataSchema
import CoreDataStorage
import SQLiteDriver

extension SQLiteRowStore {
    /// Reads all rows of an entity in the order of their keys, some at a time, past the row cache: a table of any size in the memory
    /// of one portion. `body` runs under the store's lock and may ask the store, but not write.
    package func scan(
        _ entity: Int, includesSubentities: Bool = false, portion: Int = 500, _ body: ([RowBlock]) throws -> Void
    ) throws {
        try serialised(.fetch) { connection in
            var plan = FetchPlan(entity: entity)
            plan.includesSubentities = includesSubentities
            let builder = try SelectBuilder(plan, schema: schema, storeNumber: number)
            let decoder = decoder(entity, includesSubentities: includesSubentities)
            let select = try builder.rows(columns: decoder.columns)
            let now = RowClock.now
            var rows: [RowBlock] = []
            // A statement of its own: `body` may run the same text.
            let statement = try connection.prepare(select.sql.text + " ORDER BY t0.Z_PK")
            while try statement.step() {
                if let row = try decoder.row(statement, readAt: now) { rows.append(row) }
                if rows.count == portion {
                    try body(rows)
                    rows.removeAll(keepingCapacity: true)
                }
            }
            if !rows.isEmpty { try body(rows) }
        }
    }
}
