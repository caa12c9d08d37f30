import CoreDataSchema
import CoreDataStorage
import SQLiteDriver

extension SQLiteRowStore {
    /// Whether rows of the batch may give up values in files.
    func retiresFiles(_ batch: ChangeBatch) -> Bool {
        guard schema.hasExternal else { return false }
        func mayName(_ key: RowKey, _ changed: SlotSet?) -> Bool {
            model.entities.indices.contains(Int(key.entity)) && model.entities[Int(key.entity)].properties.contains { property in
                schema.column(property)?.isExternal == true && changed?.contains(property.slot) != false
            }
        }
        return batch.deleted.contains { mayName($0.key, nil) } || batch.updated.contains { mayName($0.key, $0.changedSlots) }
    }

    func durably<Result>(_ isNeeded: Bool, on connection: SQLiteConnection, _ body: () throws -> Result) throws -> Result {
        let level = isNeeded ? try connection.integer("PRAGMA synchronous") ?? 1 : 2
        guard level < 2 else { return try body() }
        try connection.execute("PRAGMA synchronous=FULL")
        defer { try? connection.execute("PRAGMA synchronous=\(level)") }
        return try body()
    }
}
