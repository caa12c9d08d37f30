import CoreDataSchema
import CoreDataStorage

extension NSManagedObjectContext {
    var manager: UndoManager? {
        get { undoStorage }
        set {
            guard newValue !== undoStorage else { return }
            if !pending.event.isEmpty { processPendingChanges() }
            undoStorage?.removeAllActions(withTarget: self)
            undoStorage?.contexts.remove(self)
            journal.clear()
            undoStorage = newValue
            newValue?.contexts.add(self)
        }
    }

    func undoEvent() {
        checkQueue()
        guard let undoStorage else { return }
        processPendingChanges()
        undoStorage.undo()
        processPendingChanges()
    }

    func redoEvent() {
        checkQueue()
        guard let undoStorage else { return }
        processPendingChanges()
        undoStorage.redo()
        processPendingChanges()
    }

    /// Registers the way back of the event that is over, as a group of its own unless one is open.
    ///
    /// The record is out of the journal by then: the manager asks its contexts for what they have not processed, this one too.
    func registerEvent() {
        guard let manager = undoStorage, manager.isUndoRegistrationEnabled else { return journal.forgetEvent() }
        guard let record = journal.takeRecord() else { return }
        manager.registerUndo(withTarget: self) { $0.restore(record) }
        manager.endEvent()
    }

    /// Puts a record's objects back; the way forth again is registered by the event this makes.
    func restore(_ record: UndoRecord) {
        for memento in record.before {
            let object = memento.object
            if object.anchor == nil { journal.noteAbsent(object) } else { journal.noteBefore(object) }
        }
        let away = Set(record.before.filter { $0.object.anchor == nil }.map { ObjectIdentifier($0.object) })
        let wasHere = record.before.map { $0.object.anchor === anchor && !$0.object.state.contains(.deleted) }
        for memento in record.before { restorePresence(memento) }
        pending.dropDetached()
        for memento in record.before where memento.isPresent && memento.object.anchor === anchor {
            memento.restore(in: self, wasAway: away.contains(ObjectIdentifier(memento.object)))
        }
        for (memento, wasHere) in zip(record.before, wasHere) where !memento.isPresent || memento.object.anchor === anchor {
            let isHere = memento.isPresent && !memento.isDeleted
            let event: NSSnapshotEventType = isHere == wasHere ? .undoUpdate : isHere ? .undoDeletion : .undoInsertion
            memento.object.awaken { memento.object.awake(fromSnapshotEvents: event) }
        }
        processPendingChanges()
    }

    private func restorePresence(_ memento: ObjectMemento) {
        let object = memento.object
        guard memento.isPresent else { return remove(object) }
        if object.anchor == nil {
            // Deleted then and gone since: gone it stays.
            if memento.isDeleted { return }
            rejoin(object)
        } else if object.state.contains(.deleted), !memento.isDeleted {
            object.state.subtract([.deleted, .propagated, .deletedElsewhere])
        } else if !object.state.contains(.deleted), memento.isDeleted {
            markDeleted(object)
            // Its consequences are redone beside it, unless the save was to follow the rules.
            if propagatesDeletesAtEndOfEvent { object.state.insert(.propagated) }
        }
        noteChange(of: object)
    }

    /// Undo of an insertion: the object leaves, or is marked for deletion when it was saved meanwhile.
    private func remove(_ object: NSManagedObject) {
        guard object.anchor === anchor else { return }
        guard object.state.contains(.inserted) else {
            markDeleted(object)
            object.state.insert(.propagated)
            object.clearRelationships(in: self)
            return
        }
        registry?.remove(object.key)
        _ = object.currentValues
        object.state.subtract([.inserted, .updated, .deleted, .inEvent, .touched, .propagated])
        pending.event.deleted.append(object)
        object.detach()
    }

    /// Redo of an insertion, or undo of a deletion that was saved: the object is inserted (again), under the ID it had, by which
    /// others still name it.
    private func rejoin(_ object: NSManagedObject) {
        object.row = nil
        object.rejoin(anchor)
        register(inserted: object)
    }
}

extension NSManagedObject {
    /// Names nobody any more: the objects it named have been put back by themselves, and no deny rule may count them.
    fileprivate final func clearRelationships(in context: NSManagedObjectContext) {
        let edits = editable()
        for slot in runtime.toOneSlots where edits[slot] != .null {
            edits[slot] = .null
            edits.changed.insert(slot)
        }
        for slot in runtime.toManySlots {
            let many = loadedMembers(at: slot)
            context.journal.note(many, at: slot, of: self)
            for key in many.members?.keys ?? [] { many.remove(key) }
        }
    }
}
