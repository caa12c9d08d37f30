import CoreDataPredicate
import CoreDataStorage
import SQLiteDriver

extension SQLiteRowStore {
    /// Rows for which the part of the predicate that SQL cannot say is true.
    func filter(_ rows: [RowBlock], _ predicate: PredicateTree, on connection: SQLiteConnection) throws -> [RowBlock] {
        throw StoreError.unsupported("The SQLite store cannot evaluate this part of the predicate: \(predicate)")
    }
}
