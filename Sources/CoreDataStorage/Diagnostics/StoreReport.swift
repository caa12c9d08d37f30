import CoreDataPredicate

/// What a store tells of its work, to whoever opened it.
///
/// Invariant: given out after the store's lock was released, on the thread that asked for the work.
package enum StoreReport: Sendable {
    case statement(StatementReport)
    case tableScan(table: String, sql: String)
    case evaluation(EvaluationReport)
    case transaction(TransactionReport)
    /// The last report of a call.
    case roundTrip(RoundTripReport)
}

/// Takes a store's reports.
package typealias StoreReporter = @Sendable (StoreReport) -> Void

/// One statement, run to its end.
package struct StatementReport: Sendable {
    package var sql: String
    /// With the values put in; nil unless wanted.
    package var expandedSQL: String?
    package var seconds: Double
    package var rowsRead: Int
    package var rowsChanged: Int
    /// Empty unless wanted.
    package var plan: [String] = []

    package init(sql: String, expandedSQL: String?, seconds: Double, rowsRead: Int, rowsChanged: Int) {
        self.sql = sql
        self.expandedSQL = expandedSQL
        self.seconds = seconds
        self.rowsRead = rowsRead
        self.rowsChanged = rowsChanged
    }
}

/// A part of a request that SQL could not say, and that was tested on rows.
package struct EvaluationReport: Sendable {
    package enum Part: Sendable { case predicate(PredicateTree), sort([SortTerm]), columns([String]) }

    package var entity: Int
    package var part: Part
    package var rowsTested: Int

    package init(entity: Int, part: Part, rowsTested: Int) {
        self.entity = entity
        self.part = part
        self.rowsTested = rowsTested
    }
}

package struct TransactionReport: Sendable {
    package var inserted: Int
    package var updated: Int
    package var deleted: Int
    package var isCommitted: Bool
    package var seconds: Double

    package init(of batch: ChangeBatch, isCommitted: Bool, seconds: Double) {
        inserted = batch.inserted.count
        updated = batch.updated.count
        deleted = batch.deleted.count
        self.isCommitted = isCommitted
        self.seconds = seconds
    }
}

/// Why the graph called a store.
package enum StoreCall: Sendable { case fetch, rows, relationship, keys, commit, other }

/// One call of the graph that reached rows.
package struct RoundTripReport: Sendable {
    package var call: StoreCall
    package var seconds: Double
    package var statements = 0
    package var rowsRead = 0
    package var rowsWritten = 0

    package init(call: StoreCall, seconds: Double) {
        self.call = call
        self.seconds = seconds
    }
}

extension FetchOutcome {
    /// Rows in the answer; a count is one.
    package var rowCount: Int {
        switch self {
        case .rows(let rows): rows.count
        case .keys(let keys): keys.count
        case .count: 1
        case .dictionaries(let rows): rows.count
        }
    }
}

extension ChangeBatch {
    package var rowCount: Int { inserted.count + updated.count + deleted.count }
}
