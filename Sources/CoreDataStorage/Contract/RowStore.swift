import CoreDataPredicate
import CoreDataSchema

/// The contract between the engine and a store: values in, values out, no context and no object.
///
/// Rules for implementers: every call may come from any thread and is serialised by the store itself. A call that throws
/// has changed nothing. `rowCache` is filled by the calls that read or commit rows.
package protocol RowStore: AnyObject, Sendable {
    /// The model the store was opened with.
    var model: ResolvedModel { get }
    /// The coordinator's number of this store, put into the keys it hands out.
    var number: Int32 { get }
    var rowCache: RowCache { get }
    /// `NSStoreUUID`, `NSStoreType` and the rest of the metadata, as property-list values.
    var metadata: StoreMetadata { get }
    /// Replaces the metadata the next commit writes.
    func setMetadata(_ metadata: StoreMetadata)

    func fetch(_ plan: FetchPlan) throws -> FetchOutcome
    /// Rows for keys, in any order; keys without a row are left out. `staleAfter`: rows cached earlier than this many
    /// seconds ago are read again; negative means a cached row never goes stale.
    func rows(for keys: [RowKey], staleAfter: Double) throws -> [RowBlock]
    /// Members of a to-many relationship of each owner, in order when it is ordered. One round trip for all owners.
    func relatedKeys(of owners: [RowKey], through relationship: PropertyReference) throws -> [[RowKey]]
    /// Permanent keys for rows to come: `count` fresh ones of the entity.
    func reserveKeys(entity: Int, count: Int) throws -> [RowKey]
    /// All or nothing. Conflicts are an outcome, not an error: nothing was written then.
    func commit(_ batch: ChangeBatch) throws -> CommitOutcome

    // Batches: each in one transaction, all or nothing, past the row cache: cached rows stay until they are read again (FA09).

    /// The source is asked for rows while the transaction is open.
    func insertBatch(_ plan: BatchInsertPlan, from source: any BatchRowSource) throws -> BatchReceipt
    func updateBatch(_ plan: BatchUpdatePlan) throws -> BatchReceipt
    /// The receipt counts and names every row deleted, those that cascade rules reached too.
    func deleteBatch(_ plan: BatchDeletePlan) throws -> BatchReceipt

    /// Releases files and connections; later calls throw.
    func close() throws
}
