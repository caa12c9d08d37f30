import CoreDataGraph
import CoreDataSchema
import CoreDataStorage

/// Carries a store's conflicts to the context's merge policy, and what it decides back into the batch.
struct ConflictResolution {
    let context: NSManagedObjectContext
    private var rounds = 0

    init(context: NSManagedObjectContext) { self.context = context }

    private var policy: NSMergePolicy { context.mergePolicy as? NSMergePolicy ?? NSErrorMergePolicy }

    /// A policy that keeps the save from converging must not hold it forever.
    private mutating func nextRound(_ list: [NSObject]) throws {
        rounds += 1
        guard rounds > 50 else { return }
        throw list.first is NSConstraintConflict
            ? ConflictErrors.constraint(list.compactMap { $0 as? NSConstraintConflict })
            : ConflictErrors.merge(list.compactMap { $0 as? NSMergeConflict })
    }

    // MARK: Rows that moved

    mutating func resolve(_ conflicts: [RowConflict], in part: inout SaveBatch.StoreBatch, store: NSPersistentStore) throws {
        var pairs: [(RowConflict, NSMergeConflict)] = []
        for conflict in conflicts {
            guard let object = context.registered(conflict.key) else { continue }
            pairs.append((conflict, mergeConflict(conflict, object)))
        }
        let list = pairs.map(\.1)
        try nextRound(list)
        try policy.resolve(optimisticLockingConflicts: list)
        for (conflict, description) in pairs {
            try settle(conflict, description, in: &part)
        }
    }

    private func mergeConflict(_ conflict: RowConflict, _ object: NSManagedObject) -> NSMergeConflict {
        let newest = conflict.persisted ?? conflict.cached
        let isWithCache = conflict.cached != nil && conflict.persisted == nil && !conflict.isDeletedInStore
        let cached = isWithCache ? conflict.cached : conflict.cached ?? object.row
        return NSMergeConflict(
            source: object, newVersion: conflict.isDeletedInStore ? 0 : Int(newest?.version ?? 0), oldVersion: Int(object.row?.version ?? 0),
            cachedSnapshot: cached.map { ConflictErrors.snapshot($0, of: object) },
            persistedSnapshot: conflict.persisted.map { ConflictErrors.snapshot($0, of: object) })
    }

    private func settle(_ conflict: RowConflict, _ description: NSMergeConflict, in part: inout SaveBatch.StoreBatch) throws {
        let object = description.sourceObject
        // A subclass that settled the conflict by itself leaves no resolution: its object stands as it is.
        let kind = description.resolution ?? .overwrite
        if conflict.isDelete { return settleDelete(conflict, kind, object, &part) }
        guard let index = part.updated.firstIndex(where: { $0 === object }) else { return }
        guard !conflict.isDeletedInStore, let stored = conflict.persisted ?? conflict.cached else {
            if kind == .storeTrump || kind == .rollback {
                part.updated.remove(at: index)
                part.batch.updated.remove(at: index)
                part.batch.links.removeAll { $0.owner == object.key }
                object.state.insert([.deletedElsewhere, .propagated])
                context.markDeleted(object)
                return
            }
            throw ConflictErrors.merge([description])
        }
        let local = part.batch.updated[index]
        guard let merged = MergeResolution.resolve(
            policy: kind, base: object.row, local: local.values, changed: local.changedSlots, stored: stored)
        else { throw ConflictErrors.merge([description]) }
        object.take(merged, over: stored, dropsRelationships: kind == .rollback)
        if kind == .rollback { part.batch.links.removeAll { $0.owner == object.key } }
        part.batch.updated[index].values = merged.values
        part.batch.updated[index].changedSlots = merged.changedSlots
        part.batch.updated[index].expectedVersion = merged.baseVersion
    }

    private func settleDelete(
        _ conflict: RowConflict, _ kind: MergePolicyKind, _ object: NSManagedObject, _ part: inout SaveBatch.StoreBatch
    ) {
        guard let index = part.deleted.firstIndex(where: { $0 === object }) else { return }
        if conflict.isDeletedInStore || kind == .storeTrump || kind == .rollback {
            part.deleted.remove(at: index)
            part.batch.deleted.remove(at: index)
            if !conflict.isDeletedInStore, let newer = conflict.persisted ?? conflict.cached {
                object.state.subtract([.deleted, .propagated])
                object.turnIntoFault()
                object.row = newer
            }
            return
        }
        part.batch.deleted[index].overridesConflicts = true
    }

    // MARK: Values that must be unique

    mutating func resolve(_ conflicts: [ConstraintConflict], in part: inout SaveBatch.StoreBatch, store: NSPersistentStore) throws {
        let pairs = conflicts.map { ($0, constraintConflict($0)) }
        let list = pairs.map(\.1)
        try nextRound(list)
        try policy.resolve(constraintConflicts: list)
        for (conflict, description) in pairs { settle(conflict, description, in: &part) }
        if list.contains(where: { $0.resolution == nil }) {
            // Settled by a subclass in the objects themselves: what they hold now goes into the batch.
            try refresh(&part)
        }
    }

    private func constraintConflict(_ conflict: ConstraintConflict) -> NSConstraintConflict {
        let runtime = context.requireRuntime().entities[conflict.entity]
        let objects = conflict.conflicting.compactMap { context.registered($0) }
        let database = conflict.stored.map { context.object(for: $0.key) }
        return NSConstraintConflict(
            constraint: conflict.constraint.map { runtime.resolved.properties[$0].name }, database: database,
            databaseSnapshot: conflict.stored.flatMap { row in database.map { ConflictErrors.snapshot(row, of: $0) } },
            conflictingObjects: objects, conflictingSnapshots: objects.map { ConflictErrors.snapshot($0) })
    }

    private func settle(_ conflict: ConstraintConflict, _ description: NSConstraintConflict, in part: inout SaveBatch.StoreBatch) {
        guard let kind = description.resolution else { return }
        var losers = description.conflictingObjects
        if let stored = conflict.stored {
            if kind == .objectTrump || kind == .overwrite, let winner = losers.popLast() {
                replace(stored, with: winner, in: &part)
            }
        } else {
            // Among unsaved objects the last one stays.
            _ = kind == .storeTrump || kind == .rollback ? losers.removeFirst() : losers.removeLast()
        }
        for loser in losers { drop(loser, from: &part) }
    }

    /// The new object's values go into the stored row, which keeps its ID (UC02); the object takes that ID over.
    private func replace(_ stored: RowBlock, with winner: NSManagedObject, in part: inout SaveBatch.StoreBatch) {
        guard let index = part.inserted.firstIndex(where: { $0 === winner }) else { return }
        let row = part.batch.inserted[index]
        part.inserted.remove(at: index)
        part.batch.inserted.remove(at: index)
        if let holder = context.registered(stored.key), holder !== winner { context.forget(holder) }
        let temporary = winner.key
        context.rekey([(winner, stored.key)])
        winner.state.remove(.inserted)
        winner.state.insert(.updated)
        context.pending.list(updated: winner)
        winner.row = stored
        var slots = SlotSet()
        for slot in winner.runtime.layout.kinds.indices where winner.runtime.layout.isStored[slot] { slots.insert(slot) }
        part.updated.append(winner)
        part.batch.updated.append(UpdatedRow(key: stored.key, expectedVersion: stored.version, changedSlots: slots, values: row.values))
        rename(temporary, to: stored.key, in: &part)
    }

    /// An object that loses a uniqueness conflict leaves the save and the context.
    private func drop(_ loser: NSManagedObject, from part: inout SaveBatch.StoreBatch) {
        part.batch.links.removeAll { $0.owner == loser.key }
        if let index = part.inserted.firstIndex(where: { $0 === loser }) {
            part.inserted.remove(at: index)
            part.batch.inserted.remove(at: index)
            context.forget(loser)
        } else if let index = part.updated.firstIndex(where: { $0 === loser }) {
            part.updated.remove(at: index)
            part.batch.updated.remove(at: index)
            loser.state.remove(.updated)
            loser.turnIntoFault()
        }
    }

    private func rename(_ old: RowKey, to new: RowKey, in part: inout SaveBatch.StoreBatch) {
        func renamed(_ key: RowKey) -> RowKey { key == old ? new : key }
        func rename(_ values: inout ContiguousArray<AttributeValue>) {
            for slot in values.indices { if case .reference(old) = values[slot] { values[slot] = .reference(new) } }
        }
        for index in part.batch.inserted.indices { rename(&part.batch.inserted[index].values) }
        for index in part.batch.updated.indices { rename(&part.batch.updated[index].values) }
        for index in part.batch.links.indices {
            let link = part.batch.links[index]
            part.batch.links[index] = LinkChange(
                owner: renamed(link.owner), relationship: link.relationship, added: link.added.map(renamed),
                removed: link.removed.map(renamed), order: link.order?.map(renamed))
        }
    }

    private func refresh(_ part: inout SaveBatch.StoreBatch) throws {
        guard let coordinator = context.coordinatorStorage, let number = (part.inserted + part.updated).first?.storeNumber else { return }
        context.processPendingChanges()
        var batch = SaveBatch(of: context)
        try batch.prepare(for: coordinator, in: context)
        if let again = batch.stores[number] { part = again }
    }
}

extension NSManagedObject {
    /// Goes on from a conflict: on top of the newer row, with the values the policy chose.
    func take(_ merged: MergedRow, over stored: RowBlock, dropsRelationships: Bool) {
        row = stored
        let buffer = EditBuffer(values: merged.values)
        buffer.changed = merged.changedSlots
        edits = buffer
        if dropsRelationships { toMany = nil }
    }
}
