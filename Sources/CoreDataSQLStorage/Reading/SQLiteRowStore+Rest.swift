import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

extension SQLiteRowStore {
    /// Rows for which the part of the predicate that SQL cannot say is true, by SQL's rules for nil.
    func filter(_ rows: [RowBlock], _ predicate: PredicateTree) throws -> [RowBlock] {
        // The calls come back to the store under the lock this thread holds: one state of the file for all rows, as long
        // as nobody else commits in between.
        let resolver = RowResolver(
            model: model,
            row: { [self] in try self.rows(for: [$0], staleAfter: -1).first },
            members: { [self] in try relatedKeys(of: [$0], through: $1).first ?? [] })
        do {
            return try RowFetch.matching(predicate, rows, resolver)
        } catch let error as PredicateEvaluationError {
            throw StoreError.invalidRequest("\(error)")
        }
    }
}
