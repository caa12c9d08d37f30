import CoreDataSchema
import CoreDataStorage

/// A child knows new objects by the temporary keys its parent knew them by, until the parent's get permanent ones.
extension NSManagedObjectContext {
    /// Asks the parent something about keys, both sides speaking of the same ones meanwhile.
    func asking<Result>(_ parent: NSManagedObjectContext, _ question: () throws -> Result) rethrows -> Result {
        try parent.runAndWait {
            adoptParentKeys()
            defer { noteHeardKeys() }
            return try question()
        }
    }

    /// From here on this context may know any temporary key there is.
    func noteHeardKeys() { latestHeardKey.min(TemporaryKeys.latest, ordering: .relaxed) }

    /// What a temporary key is by now, for this context or those above it.
    func familyKey(of key: RowKey) -> RowKey {
        if let known = formerKeys[key.primaryKey] { return known }
        guard let parent = parentStorage else { return key }
        noteHeardKeys()
        return parent.runAndWait { parent.familyKey(of: key) }
    }

    /// Follows the parent, and the parent's parents, in giving permanent keys to objects.
    func adoptParentKeys() {
        guard let parent = parentStorage, let coordinator = persistentStoreCoordinator else { return }
        let generation = coordinator.keyGeneration.load(ordering: .acquiring)
        guard seenKeyGeneration != generation else { return }
        seenKeyGeneration = generation
        // Who has no objects asks by single keys (`familyKey`).
        let isEmpty = registry?.count ?? 0 == 0 && undoStorage == nil && children.all.isEmpty
        let entries = parent.runAndWait { () -> [Int64: FormerKeys.Entry] in
            parent.adoptParentKeys()
            let seen = adoptedSerial.exchange(parent.formerKeys.serial, ordering: .relaxed)
            return isEmpty ? [:] : parent.formerKeys.entries(since: seen)
        }
        if !entries.isEmpty { adopt(entries) }
    }

    private func adopt(_ entries: [Int64: FormerKeys.Entry]) {
        // First: `rekey` would note that they moved, and not why.
        for (temporary, entry) in entries { formerKeys.note(temporary, entry.key, isTakenUp: entry.isTakenUp) }
        let known = entries.mapValues(\.key)
        let hasTakenUp = entries.values.contains(where: \.isTakenUp)
        var objects = registry?.objects ?? []
        let moved = objects.compactMap { object in
            object.key.isTemporary ? known[object.key.primaryKey].map { (object: object, key: $0) } : nil
        }
        let isTakenUp = { (move: TakenUpObjects.Move) in entries[move.object.key.primaryKey]?.isTakenUp == true }
        let lost = hasTakenUp ? moved.filter(isTakenUp) : []
        rekey(hasTakenUp ? moved.filter { !isTakenUp($0) } : moved)
        let succession = TakenUpObjects(lost, in: self)
        rekey(succession.heirs)
        objects.removeAll { object in succession.leavers.contains { $0.object === object } }
        // Clean objects too may name others by temporary keys, and so may rows made before.
        for object in objects {
            object.rewriteReferences(known)
            if let row = object.row { object.row = object.isUnfired ? nil : row.rewritten(known, key: object.key) }
        }
        pending.event.rewrite(known)
        journal.rewrite(known)
        sweepFormerKeysIfDue()
        succession.settle()
    }

    /// Forgets keys that nobody can ask by any more: whose object nobody holds, and whose change every child has followed that may know
    /// the old one.
    func sweepFormerKeysIfDue() {
        guard formerKeys.isSweepDue else { return }
        let children = children.all
        formerKeys.sweep { temporary, key, serial in
            registry?.isHeld(key) == true
                || children.contains {
                    $0.adoptedSerial.load(ordering: .relaxed) < serial && temporary >= $0.latestHeardKey.load(ordering: .relaxed)
                }
        }
    }
}

extension NSManagedObject {
    /// Names other objects by the permanent keys they got.
    final func rewriteReferences(_ map: [Int64: RowKey]) {
        func permanent(_ key: RowKey) -> RowKey? { key.isTemporary ? map[key.primaryKey] : nil }
        if let edits {
            for slot in runtime.toOneSlots {
                if case .reference(let key) = edits[slot], let new = permanent(key) { edits[slot] = .reference(new) }
            }
        }
        guard let toMany else { return }
        for many in toMany.values { many.rewrite(permanent) }
    }
}

extension RowBlock {
    /// The row under its object's key, naming others by the permanent keys they got; itself when that changes nothing.
    fileprivate func rewritten(_ map: [Int64: RowKey], key: RowKey) -> RowBlock {
        func isStale(_ slot: Int) -> Bool {
            guard layout.kinds[slot] == .toOne, let key = reference(slot), key.isTemporary else { return false }
            return map[key.primaryKey] != nil
        }
        guard self.key != key || layout.kinds.indices.contains(where: isStale) else { return self }
        var values = values
        for slot in values.indices {
            if case .reference(let key) = values[slot], key.isTemporary, let new = map[key.primaryKey] { values[slot] = .reference(new) }
        }
        return RowBlock.make(layout: layout, key: key, version: version, values: values, keepsTransients: true)
    }
}
