import CoreDataGraph
import CoreDataSchema
import CoreDataStorage
import Synchronization

extension NSManagedObjectContext {
    var insertedSet: Set<NSManagedObject> {
        checkQueue()
        return Set(pending.insertedNow)
    }

    var updatedSet: Set<NSManagedObject> {
        checkQueue()
        return Set(pending.updatedNow)
    }

    var deletedSet: Set<NSManagedObject> {
        checkQueue()
        return Set(pending.deletedNow)
    }

    var registeredSet: Set<NSManagedObject> {
        checkQueue()
        if !retainsRegisteredObjects { registry?.sweep() }
        return Set(registry?.objects ?? [])
    }

    var isChanged: Bool {
        checkQueue()
        return !pending.isEmpty
    }

    /// `isNew` from the object's initialiser: nobody else knows it.
    func insert(_ object: NSManagedObject, isNew: Bool) {
        checkQueue()
        if registry == nil { _ = requireRuntime() }
        if isNew {
            object.edits = EditBuffer(values: object.runtime.defaults)
            object.state = []
            object.key = temporaryKey(for: object)
            object.anchor = anchor
            register(inserted: object)
            return object.awakeFromInsert()
        }
        if object.anchor === anchor {
            if object.state.contains(.deleted) { resurrect(object) }
            return
        }
        guard object.anchor == nil else {
            raise(.invalidArgument, "An object cannot be inserted into a context while it belongs to another one.")
        }
        // What is fresh from its initialiser is connected to nobody.
        guard object.state.contains(.unborn), !object.state.contains(.outsider) else { return insertConnected(object) }
        object.prepareForReading()
        adopt(object)
        object.awakeFromInsert()
    }

    private func temporaryKey(for object: NSManagedObject) -> RowKey {
        RowKey(primaryKey: TemporaryKeys.next(), entity: Int32(object.runtime.index))
    }

    /// Takes an object in whose values are loaded.
    func adopt(_ object: NSManagedObject) {
        object.state.subtract([.unborn, .fault])
        if object.edits == nil { _ = object.makeEdits() }
        object.row = nil
        // Those it is connected to know it by the key it has.
        let key = object.state.contains(.outsider) ? object.key : temporaryKey(for: object)
        object.rename(to: key, in: anchor)
        register(inserted: object)
    }

    /// Lists an object as inserted, under the key it has.
    func register(inserted object: NSManagedObject) {
        if undoStorage != nil { journal.noteAbsent(object) }
        if object.state.contains(.outsider) { object.leaveOrphans() }
        object.state.insert([.inserted, .inEvent, .touched])
        if isChecked { object.state.insert(.guarded) }
        registry?.insert(object)
        pending.list(inserted: object)
        pending.event.inserted.append(object)
        pending.touched.append(object)
    }

    private func resurrect(_ object: NSManagedObject) {
        object.state.subtract([.deleted, .propagated, .deletedElsewhere])
        noteChange(of: object)
    }

    func deleteChecked(_ object: NSManagedObject) {
        guard object.anchor === anchor else {
            if object.anchor == nil { return }
            raise(.invalidArgument, "An NSManagedObjectContext cannot delete objects in other contexts.")
        }
        checkQueue()
        prepareDeletion(of: object)
        markDeleted(object)
    }

    /// Calls the object's hook, but not from within itself: objects may delete one another there.
    private func prepareDeletion(of object: NSManagedObject) {
        guard !object.state.contains(.preparingDeletion) else { return }
        object.state.insert(.preparingDeletion)
        defer { object.state.remove(.preparingDeletion) }
        object.prepareForDeletion()
    }

    func markDeleted(_ object: NSManagedObject) {
        guard !object.state.contains(.deleted) else { return }
        journalBefore(object)
        object.state.insert([.deleted, .touched])
        pending.list(deleted: object)
        pending.event.deleted.append(object)
        pending.unpropagated.append(object)
        pending.touched.append(object)
    }

    /// Notes that an object changed (or will at once).
    func noteChange(of object: NSManagedObject) {
        if !object.state.contains(.inEvent) {
            journalBefore(object)
            object.state.insert(.inEvent)
            pending.event.changed.append(object)
        }
        if !object.state.contains(.touched) {
            object.state.insert(.touched)
            pending.touched.append(object)
        }
        if object.state.isDisjoint(with: .pending) {
            object.state.insert(.updated)
            pending.list(updated: object)
        }
    }

    func noteInaccessible(_ object: NSManagedObject) {
        pending.list(deleted: object)
    }

    private func journalBefore(_ object: NSManagedObject) {
        // Without an undo manager only an object edited in an earlier event differs from its row (`eventSnapshot`).
        if undoStorage == nil, object.isUnfired || object.edits?.changed.isEmpty != false { return }
        guard pending.event.before[ObjectIdentifier(object)] == nil else { return }
        // A fault may be deleted without having been read; coming back, it needs what it was.
        object.prepareForReading()
        if object.state.contains(.inaccessible) { return }
        pending.event.before[ObjectIdentifier(object)] = object.currentValues
        if undoStorage != nil { journal.noteBefore(object) }
    }

    /// Values of an object before the current event, or the one being announced; nil when it did not change in it.
    func eventSnapshot(of object: NSManagedObject) -> ContiguousArray<AttributeValue>? {
        guard !object.state.isDisjoint(with: [.inEvent, .announced]), !object.isUnfired else { return nil }
        let before = object.state.contains(.inEvent) ? pending.event.before : pending.announcedBefore
        return before[ObjectIdentifier(object)] ?? object.row?.values ?? object.runtime.defaults
    }

    func processEvent() {
        checkQueue()
        if propagatesDeletesAtEndOfEvent { propagateDeletes() }
        guard !pending.event.isEmpty else {
            // Going back may have found nothing to change; the way forth again is a step all the same.
            if !journal.isEmpty { registerEvent() }
            return
        }
        let event = pending.event
        pending.event = EventChanges()
        for object in event.inserted { object.state.remove(.inEvent) }
        for object in event.changed {
            object.state.remove(.inEvent)
            object.state.insert(.announced)
        }
        registerEvent()
        pending.announcedBefore = event.before
        announce(event)
        pending.announcedBefore = [:]
        for object in event.changed { object.state.remove(.announced) }
        for list in [event.changed, event.inserted] {
            for object in list where !object.state.contains(.inEvent) { object.forgetEvent() }
        }
        forgetUnsaved(event.deleted)
        if !retainsRegisteredObjects { registry?.sweepIfDue(held: pending.inserted.count + pending.updated.count) }
    }

    /// Objects that were inserted and deleted without a save leave the context when the event is over; undo knows them.
    private func forgetUnsaved(_ deleted: [NSManagedObject]) {
        let gone = deleted.filter { $0.state.isSuperset(of: [.inserted, .deleted, .propagated]) && $0.anchor === anchor }
        if gone.isEmpty { return }
        for object in gone {
            pending.forgotten[object.key] = object
            forget(object)
        }
        pending.dropDetached()
    }

    /// Whether a temporary key is that of an object this context, or one above it, is going to save.
    func willSave(_ key: RowKey) -> Bool {
        if let object = registered(key), !object.isUnfired {
            if !object.key.isTemporary { return true }
            // What only the parent is going to save, and this context deletes, dangles as a stored object would.
            return object.anchor != nil && !object.state.isSuperset(of: [.inserted, .deleted]) && !object.state.contains(.inaccessible)
        }
        if formerKeys[key.primaryKey] != nil { return true }
        return parentStorage.map { parent in parent.runAndWait { parent.willSave(key) } } ?? false
    }

    // MARK: Delete rules

    func propagateDeletes() {
        if pending.unpropagated.isEmpty { return }
        adoptParentKeys()
        while !pending.unpropagated.isEmpty {
            let roots = pending.unpropagated.filter { $0.state.contains(.deleted) && !$0.state.contains(.propagated) }
            pending.unpropagated = []
            if roots.isEmpty { return }
            follow(roots)
        }
    }

    private func follow(_ roots: [NSManagedObject]) {
        // Who has no relationships takes nobody along.
        guard roots.contains(where: { $0.runtime.hasRelationships }) else {
            for root in roots { root.state.insert(.propagated) }
            return
        }
        let runtime = requireRuntime()
        loadForDeletion(roots)
        let plan = DeletePropagation.plan(
            deleting: roots.map(\.key), model: runtime.resolved,
            isAlreadyDeleted: isDeleted,
            related: { key, slot in self.relatedKeys(of: key, at: slot) })
        for root in roots { root.state.insert(.propagated) }
        for key in plan.deletions {
            let object = self.object(for: key)
            guard object.anchor === anchor else { continue }
            if !object.state.contains(.deleted) {
                prepareDeletion(of: object)
                markDeleted(object)
            }
            object.state.insert(.propagated)
        }
        for nullification in plan.nullifications {
            let owner = object(for: nullification.owner)
            guard !owner.state.contains(.inaccessible), owner.anchor === anchor else { continue }
            let isToMany = owner.runtime.resolved.properties[nullification.slot].storage == .toMany
            if !isToMany, owner.value(at: nullification.slot) != .reference(nullification.removing) { continue }
            owner.apply(RelationshipEdit(
                object: nullification.owner, slot: nullification.slot,
                change: isToMany ? .remove(nullification.removing) : .set(nil)))
        }
    }

    /// Members of a relationship as they stand in memory.
    func relatedKeys(of key: RowKey, at slot: Int) -> [RowKey] {
        let object = object(for: key)
        if object.runtime.resolved.properties[slot].storage == .toMany { return object.memberKeys(at: slot) }
        if case .reference(let target) = object.value(at: slot) { return [target] }
        return []
    }

    /// Whether an object is to be deleted, or was before it was ever saved.
    private func isDeleted(_ key: RowKey) -> Bool {
        registered(key)?.state.contains(.deleted) ?? (pending.forgotten[key] != nil)
    }

    /// Slots whose deny rule forbids the object's deletion.
    func deniedSlots(of object: NSManagedObject) -> [Int] {
        DeletePropagation.denials(
            for: object.key, model: object.runtime.resolvedModel,
            isDeleted: isDeleted,
            related: { key, slot in self.relatedKeys(of: key, at: slot) })
    }
}

/// Keys of objects that have no row yet: negative, unique in the process.
package enum TemporaryKeys {
    private static let last = Atomic<Int64>(0)

    /// Below it no key was given yet.
    static var latest: Int64 { last.load(ordering: .relaxed) }

    package static func next() -> Int64 { last.subtract(1, ordering: .relaxed).newValue }
}
