import CoreDataSchema
import CoreDataStorage

/// `fetchBatchSize`: a fetch gives faults without rows, and the first touch of one loads its batch in one trip.
extension NSManagedObjectContext {
    /// The objects of keys as faults; those of a batch are loaded together.
    func batched(_ objects: [NSManagedObject], size: Int, prefetch: [[String]]) {
        var batches = fetchBatches ?? FetchBatches()
        batches.add(objects.filter { $0.isUnfired && !$0.key.isTemporary && $0.row == nil }.map(\.key), size: size, prefetch: prefetch)
        fetchBatches = batches.isEmpty ? nil : batches
    }

    /// Loads the batch of a fault that is being touched; nil when it belongs to none.
    func loadBatch(of object: NSManagedObject) throws -> RowBlock? {
        guard let batch = fetchBatches?.take(object.key) else { return nil }
        if fetchBatches?.isEmpty == true { fetchBatches = nil }
        let collector = PrefetchCollector()
        var own: RowBlock?
        for row in try rows(for: batch.keys) {
            if row.key == object.key { own = row }
            guard let fault = registered(row.key), fault.isUnfired else { continue }
            fault.row = row
        }
        if own != nil { object.row = own }
        if !batch.prefetch.isEmpty { prefetch(batch.prefetch, from: batch.keys.compactMap(registered), collector) }
        return own
    }
}
