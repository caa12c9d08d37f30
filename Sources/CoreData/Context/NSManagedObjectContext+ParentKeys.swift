import CoreDataSchema
import CoreDataStorage

/// A child knows new objects by the temporary keys its parent knew them by, until the parent's get permanent ones.
extension NSManagedObjectContext {
    /// Asks the parent something about keys, both sides speaking of the same ones meanwhile.
    func asking<Result>(_ parent: NSManagedObjectContext, _ question: () throws -> Result) rethrows -> Result {
        try parent.performAndWait {
            adoptParentKeys()
            return try question()
        }
    }

    /// Follows the parent, and the parent's parents, in giving permanent keys to objects.
    func adoptParentKeys() {
        guard let parent = parentStorage, let coordinator = persistentStoreCoordinator else { return }
        let generation = coordinator.keyGeneration.load(ordering: .acquiring)
        guard seenKeyGeneration != generation else { return }
        seenKeyGeneration = generation
        let (known, takenUp) = parent.performAndWait {
            parent.adoptParentKeys()
            return (parent.permanentKeys, parent.takenUpKeys)
        }
        guard known.count != seenParentKeys else { return }
        seenParentKeys = known.count
        takenUpKeys.formUnion(takenUp)
        var objects = registry?.objects ?? []
        let moved = objects.compactMap { object in
            object.key.isTemporary ? known[object.key.primaryKey].map { (object: object, key: $0) } : nil
        }
        let isTakenUp = { (move: (object: NSManagedObject, key: RowKey)) in takenUp.contains(move.object.key.primaryKey) }
        rekey(moved.filter { !isTakenUp($0) })
        let succession = takenUp.isEmpty ? TakenUpObjects() : TakenUpObjects(moved.filter(isTakenUp), in: self)
        rekey(succession.heirs)
        objects.removeAll { object in succession.leavers.contains { $0.object === object } }
        // Clean objects too may name others by temporary keys, and so may rows made before.
        for object in objects {
            object.rewriteReferences(known)
            if let row = object.row { object.row = object.isUnfired ? nil : row.rewritten(known, key: object.key) }
        }
        pending.event.rewrite(known)
        journal.rewrite(known)
        permanentKeys.merge(known) { $1 }
        succession.settle()
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
