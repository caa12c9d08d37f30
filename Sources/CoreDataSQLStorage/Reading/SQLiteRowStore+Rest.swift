import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

extension SQLiteRowStore {
    /// Rows for which the part of the predicate that SQL cannot say is true, by SQL's rules for nil.
    func filter(_ rows: [RowBlock], _ predicate: PredicateTree) throws -> [RowBlock] {
        let resolver = resolver
        return try SQLiteRowStore.refusing { try RowFetch.matching(predicate, rows, resolver) }
    }

    /// Follows relationships. The calls come back to the store under the lock this thread holds: one state of the file for
    /// all rows, as long as nobody else commits in between.
    var resolver: RowResolver {
        RowResolver(
            model: model,
            row: { [self] in try self.rows(for: [$0], staleAfter: -1).first },
            members: { [self] in try relatedKeys(of: [$0], through: $1).first ?? [] })
    }

    /// What an expression cannot be evaluated on is the request's fault.
    static func refusing<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as PredicateEvaluationError { throw StoreError.invalidRequest("\(error)") }
    }
}
