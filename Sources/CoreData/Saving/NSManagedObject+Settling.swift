import CoreDataSchema
import CoreDataStorage

/// Steps back that conflicts ask for. None of them is an edit.
extension NSManagedObject {
    /// Tells an object that shows values that a merge policy changed them; what it sets then are values and not edits.
    final func tellSettled(in context: NSManagedObjectContext) {
        guard anchor === context.anchor, !isUnfired, !state.contains(.deleted) else { return }
        awaken { awake(fromSnapshotEvents: .mergePolicy) }
    }

    /// Leaves the context's changed objects when nothing differs from the row any more.
    final func settleIfClean() {
        guard row != nil, state.isDisjoint(with: [.inserted, .deleted]), changedSlots().isEmpty else { return }
        state.remove(.updated)
        edits?.changed.removeAll()
        dropCleanEdits()
    }

    /// Forgets membership changes, on both sides. Those another object's to-one says are that object's, and stay.
    final func withdrawToManyChanges() {
        for (slot, many) in toMany ?? [:] where many.isChanged {
            let property = runtime.resolved.properties[slot]
            guard let relationship = property.relationship else { continue }
            if let inverse = relationship.inverse {
                let other = runtime.resolvedModel.entities[inverse.entity].properties[inverse.slot]
                if other.storage == .toOne { continue }
                for key in many.added.union(many.removed) {
                    anchor?.context?.registered(key)?.takeBack(self.key, at: inverse.slot)
                }
            }
            many.turnIntoFault(keepingChanges: false)
        }
    }

    /// Takes one slot back to the row's value.
    final func revert(_ slot: Int) {
        guard let edits, let row, edits.changed.contains(slot) else { return }
        let local = edits[slot]
        noting(slot, .setting) {
            edits[slot] = row.unreadValue(slot)
            edits.changed.remove(slot)
        }
        guard let inverse = runtime.resolved.properties[slot].relationship?.inverse, local != edits[slot] else { return }
        for value in [local, edits[slot]] {
            if case .reference(let key) = value { anchor?.context?.registered(key)?.takeBack(self.key, at: inverse.slot) }
        }
    }

    /// All changes back to the row's values.
    final func revertAll() {
        guard let edits, row != nil else { return }
        withdrawToManyChanges()
        for slot in edits.changed.slots { revert(slot) }
        settleIfClean()
    }

    /// Undoes what another object's change did to this end of their relationship.
    final func takeBack(_ other: RowKey, at slot: Int) {
        guard !isUnfired else { return }
        if runtime.resolved.properties[slot].storage == .toMany {
            guard let many = toMany?[slot] else { return }
            guard many.added.contains(other) || many.removed.contains(other) else { return settleIfClean() }
            noting(slot, .setting) { _ = many.added.contains(other) ? many.remove(other) : many.add(other) }
            settleIfClean()
        } else if let edits, let row, edits.changed.contains(slot),
                  edits[slot] == .reference(other) || row.value(slot) == .reference(other) {
            noting(slot, .setting) {
                edits[slot] = row.value(slot)
                edits.changed.remove(slot)
            }
            settleIfClean()
        }
    }

    /// The store made another object refer to this one: what is loaded here is out of date.
    final func takeNotice(of other: RowKey, at slot: Int) {
        if runtime.resolved.properties[slot].storage == .toMany {
            guard let many = toMany?[slot] else { return }
            noting(slot, .setting) {
                if many.removed.contains(other) { many.add(other) }
                many.turnIntoFault(keepingChanges: true)
            }
        } else {
            refreshIfClean()
        }
    }

    /// An object with changes of its own must meet its own conflict.
    final func refreshIfClean() {
        guard state.isDisjoint(with: .pending) else { return }
        anchor?.context?.refreshQuietly(self, mergeChanges: true)
    }

    /// After a deletion was taken back: the objects it had been taken out of refer to this one again.
    final func restoreReferencesToSelf() {
        guard let context = anchor?.context else { return }
        for property in runtime.resolved.properties {
            guard let inverse = property.relationship?.inverse else { continue }
            for key in context.relatedKeys(of: self.key, at: property.slot) {
                context.registered(key)?.takeBack(self.key, at: inverse.slot)
            }
        }
    }
}
