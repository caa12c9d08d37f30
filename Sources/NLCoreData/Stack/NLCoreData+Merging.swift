import Dispatch

/// A save to be taken into main contexts.
struct PendingMerge {
    /// The note with object IDs, which mean the same on every thread; nil when there were too many to keep.
    let note: Handover<Notification>?
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
            if state.merges.count > Self.mostPendingMerges { state.merges = Self.condensed(state.merges) }
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
                for context in merge.contexts {
                    if let note = merge.note {
                        context.mergeChanges(fromContextDidSave: note.value)
                    } else {
                        context.refreshAllObjects()
                    }
                }
                if let note = merge.note { merge.completion?.value(note.value) }
            }
        }
    }

    /// A program whose main thread never comes back must not fill memory with notes of saves.
    static let mostPendingMerges = 512

    /// One order to look at everything again, in place of many notes; those that somebody waits for stay.
    private static func condensed(_ merges: [PendingMerge]) -> [PendingMerge] {
        var contexts: [NSManagedObjectContext] = []
        for context in merges.flatMap(\.contexts) where !contexts.contains(where: { $0 === context }) { contexts.append(context) }
        let awaited = merges.filter { $0.completion != nil }.map { PendingMerge(note: $0.note, contexts: [], completion: $0.completion) }
        return [PendingMerge(note: nil, contexts: contexts, completion: nil)] + awaited
    }
}
