import CoreDataSchema

extension NSManagedObjectContext {
    /// Posts `NSManagedObjectContextObjectsDidChange` for an event.
    func announce(_ event: EventChanges) {
        var info: [AnyHashable: Any] = [:]
        let came = event.merged.isEmpty ? event.inserted : event.inserted + event.merged
        let inserted = noteSet(of: came.filter { !$0.state.contains(.deleted) })
        let deleted = noteSet(of: deletedToTell(event))
        // What was inserted in this event is not among `changed`; what was deleted says so itself, and what was refreshed without
        // its changes is not updated any more.
        let updated = noteSet(of: event.changed.filter {
            !$0.state.contains(.deleted) && !$0.state.isDisjoint(with: [.inserted, .updated])
        })
        let refreshed = event.refreshed.isEmpty ? [] : Set(event.refreshed).subtracting(updated)
        if !inserted.isEmpty { info[NSInsertedObjectsKey] = inserted }
        if !updated.isEmpty { info[NSUpdatedObjectsKey] = updated }
        if !deleted.isEmpty { info[NSDeletedObjectsKey] = deleted }
        if !refreshed.isEmpty { info[NSRefreshedObjectsKey] = refreshed }
        guard !info.isEmpty else { return }
        NotificationCenter.default.post(name: .NSManagedObjectContextObjectsDidChange, object: self, userInfo: info)
    }

    /// Without those that came and went in the same event, of whom nobody heard, and those that came back.
    private func deletedToTell(_ event: EventChanges) -> [NSManagedObject] {
        let gone = event.deleted.filter { $0.state.contains(.deleted) || $0.anchor == nil }
        guard !event.inserted.isEmpty, !gone.isEmpty else { return gone }
        let new = Set(event.inserted.map(ObjectIdentifier.init))
        return gone.filter { !new.contains(ObjectIdentifier($0)) }
    }

    func announceWillSave() {
        NotificationCenter.default.post(name: .NSManagedObjectContextWillSave, object: self)
    }

    /// Posts the did-save note with objects, then the one with object IDs.
    func announceDidSave(inserted: [NSManagedObject], updated: [NSManagedObject], deleted: [NSManagedObject], deletedIDs: [NSManagedObjectID]) {
        NotificationCenter.default.post(name: .NSManagedObjectContextDidSave, object: self, userInfo: [
            NSInsertedObjectsKey: noteSet(of: inserted), NSUpdatedObjectsKey: noteSet(of: updated),
            NSDeletedObjectsKey: noteSet(of: deleted),
        ])
        guard ObjectIDNotifications.areWanted else { return }
        NotificationCenter.default.post(name: ObjectIDNotifications.didSave, object: self, userInfo: [
            NSInsertedObjectIDsKey: Set(inserted.map(\.objectID)), NSUpdatedObjectIDsKey: Set(updated.map(\.objectID)),
            NSDeletedObjectIDsKey: Set(deletedIDs),
        ])
    }

    /// The set a note carries. Within a save the sets are kept: what the did-change note names, the did-save note names again.
    private func noteSet(of objects: [NSManagedObject]) -> Set<NSManagedObject> {
        if objects.isEmpty { return [] }
        if let known = noteSets?.first(where: { Self.agree($0.objects, objects) }) { return known.set }
        let set = Set(objects)
        noteSets?.append((objects, set))
        return set
    }

    private static func agree(_ left: [NSManagedObject], _ right: [NSManagedObject]) -> Bool {
        left.count == right.count && left.indices.allSatisfy { left[$0] === right[$0] }
    }

    /// Posts the note with the IDs of what was merged, and with the context it came from where that is known.
    func announceMerge(_ report: SaveReport, from source: NSManagedObjectContext?) {
        guard ObjectIDNotifications.areMergesWanted else { return }
        func identifiers(_ keys: [RowKey]) -> Set<NSManagedObjectID> { Set(keys.map { makeObjectID(for: $0) }) }
        var info: [AnyHashable: Any] = [
            NSInsertedObjectIDsKey: identifiers(report.inserted), NSUpdatedObjectIDsKey: identifiers(report.updated),
            NSDeletedObjectIDsKey: identifiers(report.deleted),
        ]
        if let source { info[NotificationKey.sourceContext.rawValue] = source }
        NotificationCenter.default.post(name: ObjectIDNotifications.didMerge, object: self, userInfo: info)
    }
}
