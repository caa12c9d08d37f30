import CoreDataSchema
import CoreDataStorage
import SQLiteDriver

extension SQLiteRowStore {
    package func reserveKeys(entity: Int, count: Int) throws -> [RowKey] {
        try serialised(.keys) { connection in
            guard model.entities.indices.contains(entity), schema.holds(entity) else {
                throw StoreError.invalidRequest("The store “\(url.lastPathComponent)” does not hold this entity.")
            }
            if let refusal { throw refusal }
            guard count > 0 else { return [] }
            let root = model.entities[entity].rootIndex
            let first = try connection.transaction(.immediate) { (try takeKeys(root: root, count: count, on: connection), .commit) }
            return (0..<count).map { RowKey(primaryKey: first + Int64($0), entity: Int32(entity), store: number) }
        }
    }

    package func commit(_ batch: ChangeBatch) throws -> CommitOutcome {
        try serialised(.commit) { connection in
            if let refusal { throw refusal }
            if batch.isEmpty, pendingMetadata == nil { return .committed(CommitReceipt(inserted: [], updated: [])) }
            let start = watchedCalls > 0 ? RowClock.now : 0
            var isCommitted = false
            defer { note(.transaction(TransactionReport(of: batch, isCommitted: isCommitted, seconds: RowClock.now - start))) }
            let outcome = try commit(batch, on: connection)
            if case .committed = outcome { isCommitted = true }
            return outcome
        }
    }

    private func commit(_ batch: ChangeBatch, on connection: SQLiteConnection) throws -> CommitOutcome {
        var run = CommitRun(store: self, connection: connection, batch: batch)
        var isVisible = false
        defer { if isVisible { clock.end() } }
        do {
            // A file goes only when the commit that no longer names it cannot be lost with the log's tail.
            try durably(retiresFiles(batch), on: connection) {
                try connection.transaction(.immediate) {
                    try run.write()
                    guard run.conflicts.isEmpty else { return ((), .rollBack) }
                    clock.begin()
                    isVisible = true
                    return ((), .commit)
                }
            }
        } catch let error as SQLiteError where error.isUniquenessViolation {
            external.retire(run.createdFiles)
            let conflicts = try UniquenessCheck(store: self, connection: connection, batch: batch).conflicts()
            if conflicts.isEmpty { throw error }
            return .constraintConflicts(conflicts)
        } catch {
            external.retire(run.createdFiles)
            throw error
        }
        guard run.conflicts.isEmpty else {
            external.retire(run.createdFiles)
            return .conflicts(run.conflicts)
        }
        external.retire(Set(run.obsoleteFiles).subtracting(run.keptFiles))
        pendingMetadata = nil
        if !batch.deleted.isEmpty { rowCache.remove(batch.deleted.map(\.key)) }
        if !run.derivedKeys.isEmpty { rowCache.remove(run.derivedKeys) }
        rowCache.adopt(run.inserted)
        rowCache.adopt(run.updated)
        return .committed(CommitReceipt(inserted: run.inserted, updated: run.updated, derived: run.derivedKeys))
    }
}
