import CoreDataSchema
import CoreDataStorage
import SQLiteDriver

extension SQLiteRowStore {
    /// As `scan`, past what a damaged database does not give: `gap` is told of each range of keys in which rows may be lost. Rows whose
    /// keys no store hands out (below 1) are left out.
    package func salvage(
        _ entity: Int, portion: Int = 500, gap: (ClosedRange<Int64>) throws -> Void, _ body: ([RowBlock]) throws -> Void
    ) throws {
        try serialised(.fetch) { connection in
            let scan = try SalvageScan(self, entity, connection)
            var last: Int64 = 0
            while true {
                var rows: [RowBlock] = []
                let isDone = try scan.read(after: last) { row in
                    if let row { rows.append(row) }
                    last = max(last, row?.key.primaryKey ?? last)
                    if rows.count < portion { return }
                    try body(rows)
                    rows.removeAll(keepingCapacity: true)
                }
                if !rows.isEmpty { try body(rows) }
                if isDone { return }
                // Nobody has keys so high, and there is no room to look beyond.
                if last > Int64.max - (1 << 42) { return }
                guard let next = try scan.readableKey(after: last) else { return try gap((last + 1)...Int64.max) }
                try gap((last + 1)...next)
                last = next
            }
        }
    }
}

/// Reads an entity's rows from any key on.
private struct SalvageScan {
    private let connection: SQLiteConnection
    private let decoder: RowDecoder
    private let text: String

    init(_ store: SQLiteRowStore, _ entity: Int, _ connection: SQLiteConnection) throws {
        var plan = FetchPlan(entity: entity)
        plan.includesSubentities = false
        self.connection = connection
        decoder = store.decoder(entity, includesSubentities: false)
        let sql = try SelectBuilder(plan, schema: store.schema, storeNumber: store.number).rows(columns: decoder.columns).sql.text
        text = sql + (sql.contains(" WHERE ") ? " AND" : " WHERE") + " t0.Z_PK > "
    }

    /// False when the database is damaged on the way. `row` gets nil for a row that is none of the entity's.
    func read(after key: Int64, _ row: (RowBlock?) throws -> Void) throws -> Bool {
        let now = RowClock.now
        do {
            let statement = try connection.prepare(text + "\(key) ORDER BY t0.Z_PK")
            while try statement.step() { try row(try decoder.row(statement, readAt: now)) }
            return true
        } catch let error as SQLiteError where error.isNotADatabase {
            return false
        }
    }

    /// The lowest key after which rows can be read again, as far as halving finds it; nil when there is none.
    func readableKey(after key: Int64) throws -> Int64? {
        var step: Int64 = 1
        while try !isReadable(after: key + step) {
            step *= 2
            if step > 1 << 40 { return nil }
        }
        var broken = key + step / 2, sound = key + step
        while sound - broken > 1 {
            let middle = broken + (sound - broken) / 2
            if try isReadable(after: middle) { sound = middle } else { broken = middle }
        }
        return sound
    }

    private func isReadable(after key: Int64) throws -> Bool {
        do {
            let statement = try connection.prepare(text + "\(key) ORDER BY t0.Z_PK LIMIT 1")
            _ = try statement.step()
            return true
        } catch {
            if error.isNotADatabase { return false }
            throw error
        }
    }
}
