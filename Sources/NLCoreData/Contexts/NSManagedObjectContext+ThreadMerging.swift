extension NSManagedObjectContext {
    /// Saves this context, merges what was saved into the context of another thread, on that thread, and calls `completion`
    /// there: at once when the caller is on that thread, else after this call has returned. Call it on the receiver's queue.
    ///
    /// The note has the saved objects as objects of that thread's context, and their IDs; deleted ones as far as that context
    /// had them. A context with a parent is saved up to the store. Throws, with nothing saved, `sameContext`, or
    /// `threadDoesNotAnswer` when the thread takes no work within `timeout` seconds (it runs no run loop, or waits for this
    /// thread); and whatever the save throws.
    public func merge(
        withContextOn thread: Thread, timeout: TimeInterval = 5, completion: ((Notification) -> Void)? = nil
    ) throws {
        let delivery = ThreadDelivery(thread: thread, timeout: timeout)
        let target = try mergeTarget(thread)
        try delivery.probe()
        let message = Handover(try saveNoting(timeout: timeout))
        let merge = {
            let note = target.takeIn(message.value)
            completion?(note)
        }
        if delivery.isHere { merge() } else { try delivery.post(merge) }
    }

    /// Saves this context on its queue, merges what was saved into the context of another thread, on that thread, and returns
    /// after that. Throws as the other.
    public func merge(withContextOn thread: Thread, timeout: TimeInterval = 5) async throws {
        let delivery = ThreadDelivery(thread: thread, timeout: timeout)
        let target = try mergeTarget(thread)
        try await delivery.probe()
        if needsMain { try await ThreadDelivery(thread: .main, timeout: timeout).probe() }
        let message: Handover<Notification> = try await perform { Handover(try self.saveNoting(timeout: timeout)) }
        try await delivery.run { _ = target.takeIn(message.value) }
    }

    private func mergeTarget(_ thread: Thread) throws -> NSManagedObjectContext {
        try throwStackFailure()
        let target = stack.context(of: thread)
        try target.throwStackFailure()
        if target === self { throw NLCoreDataError.sameContext }
        return target
    }

    /// Saves up to the store; the note of this context's save, with object IDs. Without changes: a note of nothing.
    private func saveNoting(timeout: TimeInterval) throws -> Notification {
        if parent != nil { try obtainPermanentIDs(for: Array(insertedObjects)) }
        let box = NoteBox()
        let name = NSManagedObjectContext.didSaveObjectIDsNotification
        let observer = NotificationCenter.default.addObserver(forName: name, object: self, queue: nil) { box.note = $0 }
        defer { NotificationCenter.default.removeObserver(observer) }
        try parent == nil ? save() : saveNested(timeout: timeout)
        return box.note ?? Notification(name: name, object: self, userInfo: [:])
    }

    /// Merges another context's save into this one; the note as this context sees it.
    private func takeIn(_ note: Notification) -> Notification {
        // Saves on the coordinator are merged into the main contexts by the stack; if that is still to come, it comes now.
        if concurrencyType == .mainQueueConcurrencyType { stack.drainMerges() }
        if concurrencyType != .mainQueueConcurrencyType || !((note.object as? NSManagedObjectContext)?.savesReachMain ?? false) {
            mergeChanges(fromContextDidSave: note)
        }
        func identifiers(_ key: String) -> Set<NSManagedObjectID> { note.userInfo?[key] as? Set<NSManagedObjectID> ?? [] }
        let inserted = identifiers(NSInsertedObjectIDsKey), updated = identifiers(NSUpdatedObjectIDsKey)
        let deleted = identifiers(NSDeletedObjectIDsKey)
        return Notification(name: .NSManagedObjectContextDidSave, object: note.object, userInfo: [
            NSInsertedObjectIDsKey: inserted, NSUpdatedObjectIDsKey: updated, NSDeletedObjectIDsKey: deleted,
            NSInsertedObjectsKey: Set(inserted.map { object(with: $0) }),
            NSUpdatedObjectsKey: Set(updated.map { object(with: $0) }),
            NSDeletedObjectsKey: Set(deleted.compactMap { registeredObject(for: $0) }),
        ])
    }
}

/// Unchecked Sendable: written by a notification that is posted synchronously on the thread that reads it.
private final class NoteBox: @unchecked Sendable { var note: Notification? }
