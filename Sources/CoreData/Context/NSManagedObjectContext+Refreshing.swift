import CoreDataSchema
import CoreDataStorage

extension NSManagedObjectContext {
    func refreshShown(_ object: NSManagedObject, mergeChanges: Bool) {
        checkQueue()
        guard object.anchor === anchor, !object.state.contains(.inserted) else { return }
        refreshQuietly(object, mergeChanges: mergeChanges)
        pending.event.refreshed.append(object)
    }

    func refreshQuietly(_ object: NSManagedObject, mergeChanges: Bool) {
        guard mergeChanges else { return dropChanges(of: object) }
        guard !object.isUnfired else { return object.dropPrefetchedRow() }
        guard let newer = try? rows(for: [object.key]).first else { return }
        object.rebase(on: newer)
        object.awaken { object.awake(fromSnapshotEvents: .refresh) }
    }

    /// Objects beside those of a save that show what its triggers made of them; the did-change note lists them as refreshed.
    func refreshDerived(_ keys: [RowKey]) {
        let shown = keys.compactMap { registered($0) }
        guard !shown.isEmpty else { return }
        for object in shown where object.isUnfired { object.dropPrefetchedRow() }
        // A read that fails leaves what they show.
        rebase(shown.filter { !$0.isUnfired })
        pending.event.refreshed += shown
        processPendingChanges()
    }

    func refreshAll() {
        checkQueue()
        var edited: [NSManagedObject] = []
        for object in registry?.objects ?? [] {
            guard !object.state.contains(.inserted) else { continue }
            if object.state.isDisjoint(with: .pending) || object.isUnfired {
                object.turnIntoFault()
            } else {
                edited.append(object)
            }
            pending.event.refreshed.append(object)
        }
        rebase(edited)
        processPendingChanges()
    }

    func forgetAll() {
        checkQueue()
        // An array, unlike the sets of objects under the other keys.
        let identifiers = (registry?.objects ?? []).map(\.objectID)
        for object in registry?.objects ?? [] { abandon(object) }
        registry?.removeAll()
        fetchBatches = nil
        pending.clear()
        journal.clear()
        undoStorage?.removeAllActions(withTarget: self)
        NotificationCenter.default.post(
            name: .NSManagedObjectContextObjectsDidChange, object: self, userInfo: [NSInvalidatedAllObjectsKey: identifiers])
    }

    func dropAllChanges() {
        checkQueue()
        if propagatesDeletesAtEndOfEvent { propagateDeletes() }
        let inserted = pending.inserted.filter { $0.state.contains(.inserted) }
        let changed = [pending.updated, pending.deleted].joined().filter { $0.anchor === anchor && !$0.state.contains(.inserted) }
        for object in inserted {
            registry?.remove(object.key)
            abandon(object)
        }
        // There is no row to go back to for what others deleted.
        let gone = changed.filter { $0.state.contains(.deletedElsewhere) && !$0.state.contains(.inaccessible) }
        for object in gone { forget(object) }
        for object in changed where object.anchor === anchor && !object.state.contains(.inaccessible) {
            object.state.subtract([.updated, .deleted, .propagated, .deletedElsewhere, .inEvent, .touched])
            object.revert()
            if !object.isUnfired { object.awaken { object.awake(fromSnapshotEvents: .rollback) } }
        }
        pending.clear()
        journal.clear()
        undoStorage?.removeAllActions()
        pending.event.refreshed = changed.filter { $0.anchor === anchor }
        pending.event.deleted = []
        let trackers = resultTrackers.all
        for tracker in trackers { tracker.expectGone(inserted) }
        processPendingChanges()
        for tracker in trackers { tracker.flush() }
    }

    /// Cuts an object off this context: values it had stay readable, a fault is one that nobody can fulfill (FA19).
    func abandon(_ object: NSManagedObject) {
        object.state.subtract([.inserted, .updated, .deleted, .inEvent, .touched, .propagated, .guarded])
        object.dropPrefetchedRow()
        if !shouldDeleteInaccessibleFaults { object.state.insert(.unforgiving) }
        object.detach()
    }
}
