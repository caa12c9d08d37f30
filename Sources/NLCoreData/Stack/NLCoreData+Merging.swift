import Dispatch

/// A save to be taken into main contexts.
struct PendingMerge {
    /// The note with object IDs, which mean the same on every thread.
    let note: Handover<Notification>
    let contexts: [NSManagedObjectContext]
    /// What the saver wants called on main afterwards.
    let completion: Handover<(Notification) -> Void>?
}

/// A save of one family is merged into the other's main context: at once when it happens on main, else by whoever is next on
/// main, a block on the main queue or a call for a main context. Nothing here waits for the main queue.
extension NLCoreData {
    func observeSaves() {
        locked { state in
            guard state.saveObserver == nil else { return }
            state.saveObserver = NotificationCenter.default.addObserver(
                forName: NSManagedObjectContext.didSaveObjectIDsNotification, object: nil, queue: nil
            ) { [weak self] note in self?.noteSave(note) }
        }
    }

    private func noteSave(_ note: Notification) {
        guard let saver = note.object as? NSManagedObjectContext, saver.parent == nil else { return }
        let found = locked { state in
            state.coordinator != nil && saver.persistentStoreCoordinator === state.coordinator ? state.contexts : nil
        }
        guard let contexts = found, saver.savesReachMain else { return }
        let message = Handover(note)
        if let store = contexts.store, store !== saver {
            // The main context reads through it. Its queue never waits for another of ours, so this ends.
            store.performAndWait { store.mergeChanges(fromContextDidSave: message.value) }
        }
        var targets: [NSManagedObjectContext] = []
        if let main = contexts.main, saver !== contexts.store { targets.append(main) }
        if let mainThread = contexts.mainThread, mainThread !== saver { targets.append(mainThread) }
        let completion = saver.mainMergeCompletion
        guard !targets.isEmpty || completion != nil else { return }
        enqueue(PendingMerge(note: message, contexts: targets, completion: completion))
    }

    private func enqueue(_ merge: PendingMerge) {
        let schedules = locked { state in
            state.merges.append(merge)
            defer { state.isDrainScheduled = true }
            return !state.isDrainScheduled
        }
        if Main.isCurrent {
            drainMerges()
        } else if schedules {
            DispatchQueue.main.async { [weak self] in self?.drainMerges() }
        }
    }

    /// On main: takes in what was saved since.
    func drainMerges() {
        while true {
            let merges = locked { state in
                defer {
                    state.merges = []
                    state.isDrainScheduled = false
                }
                return state.merges
            }
            if merges.isEmpty { return }
            for merge in merges {
                for context in merge.contexts { context.mergeChanges(fromContextDidSave: merge.note.value) }
                merge.completion?.value(merge.note.value)
            }
        }
    }
}
