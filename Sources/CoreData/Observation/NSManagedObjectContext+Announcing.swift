import CoreDataSchema

extension NSManagedObjectContext {
    /// Posts `NSManagedObjectContextObjectsDidChange` for an event.
    func announce(_ event: EventChanges) {
        var info: [AnyHashable: Any] = [:]
        let inserted = Set((event.inserted + event.merged).filter { !$0.state.contains(.deleted) })
        let deleted = Set(event.deleted)
        // What was inserted in this event is not among `changed`; what was deleted says so itself.
        let updated = Set(event.changed.filter { !$0.state.contains(.deleted) })
        let refreshed = Set(event.refreshed).subtracting(updated)
        if !inserted.isEmpty { info[NSInsertedObjectsKey] = inserted }
        if !updated.isEmpty { info[NSUpdatedObjectsKey] = updated }
        if !deleted.isEmpty { info[NSDeletedObjectsKey] = deleted }
        if !refreshed.isEmpty { info[NSRefreshedObjectsKey] = refreshed }
        guard !info.isEmpty else { return }
        NotificationCenter.default.post(name: .NSManagedObjectContextObjectsDidChange, object: self, userInfo: info)
    }

    func announceWillSave() {
        NotificationCenter.default.post(name: .NSManagedObjectContextWillSave, object: self)
    }

    /// Posts the did-save note with objects, then the one with object IDs.
    func announceDidSave(inserted: [NSManagedObject], updated: [NSManagedObject], deleted: [NSManagedObject], deletedIDs: [NSManagedObjectID]) {
        NotificationCenter.default.post(name: .NSManagedObjectContextDidSave, object: self, userInfo: [
            NSInsertedObjectsKey: Set(inserted), NSUpdatedObjectsKey: Set(updated), NSDeletedObjectsKey: Set(deleted),
        ])
        guard ObjectIDNotifications.areWanted else { return }
        NotificationCenter.default.post(name: ObjectIDNotifications.didSave, object: self, userInfo: [
            NSInsertedObjectIDsKey: Set(inserted.map(\.objectID)), NSUpdatedObjectIDsKey: Set(updated.map(\.objectID)),
            NSDeletedObjectIDsKey: Set(deletedIDs),
        ])
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
