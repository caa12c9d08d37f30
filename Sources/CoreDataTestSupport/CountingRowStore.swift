import CoreDataSchema
import CoreDataStorage

/// A store that counts the round trips made to the store inside it.
///
/// Invariant: it adds nothing and changes nothing; `counts` moves before the call is passed on.
package final class CountingRowStore: RowStore {
    package struct Counts: Sendable, Equatable {
        package var fetches = 0
        package var rowReads = 0
        package var relatedReads = 0
        package var reservations = 0
        package var commits = 0
        package var batches = 0

        /// Round trips that read.
        package var reads: Int { fetches + rowReads + relatedReads }
        package var all: Int { reads + reservations + commits + batches }

        package init() {}
    }

    private let store: any RowStore
    private let state = LockedValue(Counts())

    package init(_ store: any RowStore) { self.store = store }

    package var counts: Counts { state.withLock { $0 } }
    package func reset() { state.withLock { $0 = Counts() } }

    /// What `body` cost.
    package func counting(_ body: () throws -> Void) rethrows -> Counts {
        reset()
        try body()
        return counts
    }

    package var model: ResolvedModel { store.model }
    package var number: Int32 { store.number }
    package var rowCache: RowCache { store.rowCache }
    package var metadata: StoreMetadata { store.metadata }
    package func setMetadata(_ metadata: StoreMetadata) { store.setMetadata(metadata) }

    package func fetch(_ plan: FetchPlan) throws -> FetchOutcome {
        state.withLock { $0.fetches += 1 }
        return try store.fetch(plan)
    }

    package func rows(for keys: [RowKey], staleAfter: Double) throws -> [RowBlock] {
        state.withLock { $0.rowReads += 1 }
        return try store.rows(for: keys, staleAfter: staleAfter)
    }

    package func relatedKeys(of owners: [RowKey], through relationship: PropertyReference) throws -> [[RowKey]] {
        state.withLock { $0.relatedReads += 1 }
        return try store.relatedKeys(of: owners, through: relationship)
    }

    package func reserveKeys(entity: Int, count: Int) throws -> [RowKey] {
        state.withLock { $0.reservations += 1 }
        return try store.reserveKeys(entity: entity, count: count)
    }

    package func commit(_ batch: ChangeBatch) throws -> CommitOutcome {
        state.withLock { $0.commits += 1 }
        return try store.commit(batch)
    }

    package func insertBatch(_ plan: BatchInsertPlan, from source: any BatchRowSource) throws -> BatchReceipt {
        state.withLock { $0.batches += 1 }
        return try store.insertBatch(plan, from: source)
    }

    package func updateBatch(_ plan: BatchUpdatePlan) throws -> BatchReceipt {
        state.withLock { $0.batches += 1 }
        return try store.updateBatch(plan)
    }

    package func deleteBatch(_ plan: BatchDeletePlan) throws -> BatchReceipt {
        state.withLock { $0.batches += 1 }
        return try store.deleteBatch(plan)
    }

    package func close() throws { try store.close() }
}
