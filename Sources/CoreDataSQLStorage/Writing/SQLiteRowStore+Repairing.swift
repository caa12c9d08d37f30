import CoreDataStorage
import SQLiteDriver

extension SQLiteRowStore {
    /// Runs `body`, which puts the store's links right, in one transaction: kept when it answers true, undone when it answers false
    /// or throws. Triggers fire, their functions included.
    package func repair(_ body: (SQLiteConnection) throws -> Bool) throws {
        try serialised(.other) { connection in
            if let refusal { throw refusal }
            defer {
                derivedRows.forget()
                rowCache.removeAll()
            }
            try connection.transaction(.immediate) { ((), try body(connection) ? .commit : .rollBack) }
        }
    }
}
