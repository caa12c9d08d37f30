import CoreDataSchema
import CoreDataStorage

/// One save, step by step. A failure before the stores' receipts leaves the context as it was.
enum SavePipeline {
    /// More passes than any terminating `willSave` needs; beyond it somebody's hook dirties its object every time.
    static let passLimit = 100

    @discardableResult
    static func run(_ context: NSManagedObjectContext) throws -> SaveReport {
        if context.isSaving { throw ErrorTranslation.recursiveSave(context) }
        context.isSaving = true
        defer { context.isSaving = false }
        context.adoptParentKeys()
        context.noteSets = []
        defer { context.noteSets = nil }
        context.processPendingChanges()
        context.announceWillSave()
        try runWillSave(context, for: context.pending.changedNow)
        context.processPendingChanges()
        var batch = SaveBatch(of: context)
        try validate(batch)
        context.loadForUndo(batch.deleted)
        if let parent = context.parentStorage {
            try push(&batch, from: context, to: parent)
        } else {
            do { try commit(&batch, from: context) } catch {
                context.takenUp = []
                throw error
            }
        }
        let report = report(of: batch)
        // Done: whoever hears of it may save again.
        context.isSaving = false
        finish(batch, in: context)
        context.refreshDerived(batch.derived)
        tell(report, of: context)
        return report
    }

    /// Calls `willSave` until nothing new is dirty.
    private static func runWillSave(_ context: NSManagedObjectContext, for first: [NSManagedObject]) throws {
        // What undo deleted anew too.
        if !context.propagatesDeletesAtEndOfEvent { context.pending.unpropagated = context.pending.deleted }
        var passes = 0
        var due = first
        while !due.isEmpty {
            passes += 1
            guard passes <= passLimit else { throw ErrorTranslation.endlessWillSave(due) }
            for object in context.pending.touched { object.state.remove(.touched) }
            context.pending.touched = []
            for object in due where object.anchor != nil { object.willSave() }
            context.propagateDeletes()
            due = touched(in: context)
        }
    }

    /// Objects changed since their `willSave`, or without one.
    private static func touched(in context: NSManagedObjectContext) -> [NSManagedObject] {
        context.pending.touched.filter { !$0.state.isDisjoint(with: .pending) }
    }

    /// Validates everything and reports all failures at once.
    private static func validate(_ batch: SaveBatch) throws {
        var failures: [NSError] = []
        func check(_ body: () throws -> Void) {
            do { try body() } catch { failures.append(ErrorTranslation.error(error)) }
        }
        for object in batch.inserted {
            if object.runtime.resolved.isAbstract { failures.append(ErrorTranslation.abstractInstance(object)) }
            check {
                try object.validateForInsert()
                try object.refuseUnfitNumbers()
            }
        }
        for object in batch.updated {
            check {
                try object.validateForUpdate()
                try object.refuseUnfitNumbers()
            }
        }
        for object in batch.deleted { check(object.validateForDelete) }
        try ValidationErrors.throwIfAny(failures)
    }

    // MARK: To the parent

    private static func push(_ batch: inout SaveBatch, from context: NSManagedObjectContext, to parent: NSManagedObjectContext) throws {
        // Nothing to take in must not end the parent's event.
        if batch.isEmpty { return }
        while true {
            var changes = changes(of: batch)
            let lost = try parent.runAndWait {
                context.noteHeardKeys()
                let lost = try parent.lostToChild(&changes)
                if lost.isEmpty { parent.adopt(changes) }
                return lost
            }
            if lost.isEmpty { break }
            try LostEdits(context: context).settle(lost)
            context.processPendingChanges()
            batch.renew(of: context)
            try validate(batch)
        }
        for object in batch.inserted + batch.updated where !object.isUnfired {
            object.row = RowBlock.make(
                layout: object.runtime.layout, key: object.key, version: object.row?.version ?? 0, values: object.currentValues,
                keepsTransients: false)
        }
    }

    private static func changes(of batch: SaveBatch) -> ChildChanges {
        var changes = ChildChanges()
        changes.inserted = batch.inserted.map { change(of: $0, everything: true) }
        changes.updated = batch.updated.filter { !$0.state.contains(.inaccessible) }.map { change(of: $0, everything: false) }
        changes.deleted = batch.deleted.filter { !$0.state.contains(.lostToParent) }.map { change(of: $0, everything: false) }
        return changes
    }

    private static func change(of object: NSManagedObject, everything: Bool) -> ChildChange {
        var slots = SlotSet()
        if everything {
            for slot in object.runtime.layout.kinds.indices { slots.insert(slot) }
        } else {
            for slot in object.changedSlots() { slots.insert(slot) }
        }
        var toMany: [Int: MembershipDifference] = [:]
        for (slot, many) in object.toMany ?? [:] where many.isChanged {
            // Turned into a fault with its changes, it has no order to tell.
            if many.isOrdered { _ = object.loadedMembers(at: slot) }
            toMany[slot] = MembershipDifference(
                added: Array(many.added), removed: Array(many.removed), order: many.isOrdered ? many.members?.keys : nil)
        }
        // A fault that was deleted needs no reading.
        return ChildChange(key: object.key, values: slots.isEmpty ? [] : object.currentValues, slots: slots, toMany: toMany)
    }

    // MARK: To the stores

    private static func commit(_ batch: inout SaveBatch, from context: NSManagedObjectContext) throws {
        guard let coordinator = context.coordinatorStorage else { throw ErrorTranslation.noStores() }
        try requireStores(of: batch, in: coordinator)
        if coordinator.persistentStores.isEmpty { throw ErrorTranslation.noStores() }
        try coordinator.asked(by: context) { try commit(&batch, from: context, to: coordinator) }
    }

    /// Refuses objects whose store was removed.
    private static func requireStores(of batch: SaveBatch, in coordinator: NSPersistentStoreCoordinator) throws {
        let attached = Set(coordinator.persistentStores.map(\.rowStore.number))
        let lost = [batch.inserted, batch.updated, batch.deleted].joined().filter {
            let store = $0.storeNumber
            return store != 0 && !attached.contains(store) && coordinator.removedStore(number: store) != nil
        }
        guard let number = lost.first?.storeNumber, let store = coordinator.removedStore(number: number) else { return }
        throw ErrorTranslation.storeGone(store, lost.filter { $0.storeNumber == number })
    }

    private static func commit(
        _ batch: inout SaveBatch, from context: NSManagedObjectContext, to coordinator: NSPersistentStoreCoordinator
    ) throws {
        var resolution = ConflictResolution(context: context)
        if coordinator.hasIncrementalStores { try context.nameNewObjects(of: batch, in: coordinator) }
        try batch.prepare(for: coordinator, in: context)
        if batch.stores.isEmpty { try touchStores(of: coordinator) }
        // What can be refused before anything is written is: several stores cannot commit as one.
        for number in batch.stores.keys.sorted() { _ = try writableStore(number, coordinator) }
        let written = Set(batch.stores.keys)
        while let number = batch.stores.keys.min(), let part = batch.stores[number] {
            let store = try writableStore(number, coordinator)
            switch try coordinator.translating({ try store.rowStore.commit(part.batch) }) {
            case .committed(let receipt):
                adopt(receipt, part, in: context)
                batch.derived += receipt.derived
                batch.drop(part, of: number)
                continue
            case .conflicts(let conflicts): try resolution.resolve(conflicts, in: store)
            case .constraintConflicts(let conflicts): try resolution.resolve(conflicts)
            }
            context.processPendingChanges()
            try runWillSave(context, for: touched(in: context))
            context.processPendingChanges()
            batch.renew(of: context)
            try validate(batch)
            if coordinator.hasIncrementalStores { try context.nameNewObjects(of: batch, in: coordinator) }
            try batch.prepare(for: coordinator, in: context)
        }
        // After the objects: a save that is refused leaves all metadata as they were.
        if !written.isEmpty { try writeMetadata(ofStoresBeside: written, coordinator) }
    }

    private static func writableStore(_ number: Int32, _ coordinator: NSPersistentStoreCoordinator) throws -> NSPersistentStore {
        guard let store = coordinator.store(number: number) else { throw ErrorTranslation.noStores() }
        if store.isReadOnly { throw ErrorTranslation.error(store.refusal) }
        return store
    }

    /// A save without changes still reaches the stores: metadata set since the last one is written (LC24, SM02).
    private static func touchStores(of coordinator: NSPersistentStoreCoordinator) throws {
        for store in coordinator.persistentStores where !store.isReadOnly {
            _ = try coordinator.translating { try store.rowStore.commit(ChangeBatch()) }
        }
    }

    /// Metadata of stores that no object of the save is in are written by it too.
    private static func writeMetadata(ofStoresBeside written: Set<Int32>, _ coordinator: NSPersistentStoreCoordinator) throws {
        let stores = coordinator.persistentStores
        if stores.count < 2 { return }
        for store in stores where !written.contains(store.rowStore.number) && !store.isReadOnly && !store.namesItsObjects {
            _ = try coordinator.translating { try store.rowStore.commit(ChangeBatch()) }
        }
    }

    /// Objects take over what the store made of them.
    private static func adopt(_ receipt: CommitReceipt, _ part: SaveBatch.StoreBatch, in context: NSManagedObjectContext) {
        if !part.inserted.isEmpty { context.rekey(zip(part.inserted, receipt.inserted).map { ($0, $1.key) }) }
        for (object, row) in zip(part.inserted, receipt.inserted) { object.settle(on: row) }
        for (object, row) in zip(part.updated, receipt.updated) { object.settle(on: row) }
        // Done with, should a later store refuse its part: what is in a file already must not be written twice.
        for object in part.inserted { object.clearPending() }
        for object in part.updated { object.clearPending() }
        for object in part.deleted { object.state.insert(.deletedElsewhere) }
    }

    private static func report(of batch: SaveBatch) -> SaveReport {
        SaveReport(
            inserted: batch.inserted.compactMap { $0.anchor == nil ? nil : $0.key }, updated: batch.updated.map { $0.key } + batch.derived,
            deleted: batch.deleted.map { $0.key })
    }

    /// Contexts that merge without being asked: this one's children, and those beside it.
    private static func tell(_ report: SaveReport, of context: NSManagedObjectContext) {
        let beside = context.parentStorage?.children ?? context.coordinatorStorage?.contexts
        for other in (beside?.all ?? []) + context.children.all where other !== context { other.noteSave(report) }
    }

    // MARK: After the receipt

    private static func finish(_ batch: SaveBatch, in context: NSManagedObjectContext) {
        let deletedIDs = ObjectIDNotifications.areWanted ? batch.deleted.map(\.objectID) : []
        let dropped = context.pending.inserted.filter { $0.state.contains(.inserted) && $0.state.contains(.deleted) }
        for object in batch.inserted where object.anchor != nil { object.clearPending() }
        for object in batch.updated where object.anchor != nil { object.clearPending() }
        let gone = batch.deleted + dropped
        let identifiers = context.makeObjectIDs(for: gone.map { $0.key })
        for (object, identifier) in zip(gone, identifiers) {
            context.forget(object, keeping: object.key.isTemporary ? nil : identifier)
        }
        context.followTakenUp()
        context.pending.clear()
        for object in batch.inserted { object.didSave() }
        for object in batch.updated { object.didSave() }
        for object in batch.deleted { object.didSave() }
        context.announceDidSave(
            inserted: batch.inserted.filter { $0.anchor != nil }, updated: batch.updated, deleted: batch.deleted, deletedIDs: deletedIDs)
    }
}

extension NSManagedObject {
    /// Shows the row the store made of this object; transient values and live transformables stay.
    func settle(on row: RowBlock) {
        // What the store works out (derived attributes) changes with the save.
        noting(where: { $0.attribute?.derivationFormat != nil && row.value($0.slot) != self.value(at: $0.slot) }) {
            show(settled: row)
        }
    }

    private func show(settled row: RowBlock) {
        self.row = row
        if !runtime.keepsLiveValues {
            edits = nil
        } else if let edits {
            edits.changed.removeAll()
            let isLive = { (slot: Int) in if case .object(let box) = edits[slot] { !(box.value is ExternalData) } else { false } }
            let holdsMore = edits.unarchived != nil || runtime.objectSlots.contains(where: isLive)
                || runtime.transientSlots.contains { edits[$0] != row.value($0) }
            if holdsMore {
                for slot in runtime.layout.kinds.indices where runtime.layout.isStored[slot] && !isLive(slot) {
                    edits[slot] = row.unreadValue(slot)
                }
            } else {
                self.edits = nil
            }
        }
        if let toMany { for many in toMany.values { many.settle() } }
    }

    func clearPending() {
        state.subtract([.inserted, .updated, .inEvent, .touched])
        edits?.changed.removeAll()
        if let toMany { for many in toMany.values { many.settle() } }
    }
}

extension NSManagedObjectContext {
    /// After a deletion was saved: the object has no context any more (LC11, LC12).
    func forget(_ object: NSManagedObject, keeping identifier: NSManagedObjectID? = nil) {
        registry?.remove(object.key)
        object.state.subtract([.deleted, .inserted, .updated, .propagated, .inEvent, .touched, .deletedElsewhere, .guarded])
        object.detach(keeping: identifier)
    }
}
