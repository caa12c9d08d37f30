import CoreDataStorage

extension SQLiteRowStore {
    /// Runs statements that put the store's links right, all or none, triggers and their functions included.
    package func repair(_ statements: [String]) throws {
        try serialised(.other) { connection in
            if let refusal { throw refusal }
            defer { derivedRows.forget() }
            try connection.transaction(.immediate) {
                for statement in statements { try connection.execute(statement) }
                return ((), .commit)
            }
            rowCache.removeAll()
        }
    }
}
