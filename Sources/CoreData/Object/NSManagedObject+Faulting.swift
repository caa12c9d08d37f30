import CoreDataSchema
import CoreDataStorage

extension NSManagedObject {
    /// Loads the values of a fault; a row that is gone leaves an object that reads nil everywhere (FA12).
    ///
    /// `quietly`: because a request asked for loaded objects, not because somebody touched one.
    final func fire(quietly: Bool = false) {
        guard state.contains(.fault) else { return }
        if let row, let anchor, anchor.knowsNewest(row, ofStore: key.store), quietly || DiagnosticInterests.wanted.isEmpty {
            state.remove(.fault)
            return awakenFromFetch()
        }
        guard let context = anchor?.context else { return fireWithoutContext() }
        if !quietly, !DiagnosticInterests.wanted.isEmpty { noteFault() }
        state.remove(.fault)
        guard let current = context.currentRow(of: self) else {
            guard context.shouldHandleInaccessibleFault(self, for: objectID, triggeredByProperty: nil) else {
                raise(.objectInaccessible, "CoreData could not fulfill a fault for ‘\(objectID.uriRepresentation())’: "
                    + "the row is not in the store.")
            }
            becomeInaccessible()
            return
        }
        row = current
        awakenFromFetch()
    }

    private final func awakenFromFetch() {
        // No row holds a transient attribute's default (FA17).
        if edits == nil, !runtime.defaultedTransientSlots.isEmpty { _ = makeEdits() }
        awaken { awakeFromFetch() }
        if state.contains(.observed) { noteRealized() }
    }

    /// Inaccessible after a reset (FA19) or the context’s end (DD08); a saved deletion leaves the row that was fetched.
    private final func fireWithoutContext() {
        if anchor != nil { row = nil }
        if row == nil, anchor?.raisesForInaccessibleFaults ?? state.contains(.unforgiving) {
            raise(.objectInaccessible, "CoreData could not fulfill a fault for ‘\(objectID.uriRepresentation())’: "
                + "its context was reset or is gone, and its values were never loaded.")
        }
        state.remove(.fault)
        if row == nil { becomeInaccessible() }
    }

    /// Runs a hook in which changes are values and not edits.
    final func awaken(_ hook: () -> Void) {
        guard !state.contains(.awakening) else { return hook() }
        state.insert(.awakening)
        hook()
        state.remove(.awakening)
    }

    /// All values read nil, and the object takes no part in saves.
    final func becomeInaccessible() {
        row = nil
        edits = EditBuffer(values: ContiguousArray(repeating: .null, count: runtime.layout.slotCount))
        toMany = Dictionary(uniqueKeysWithValues: runtime.toManySlots.map { slot in
            (slot, ToManyState(isOrdered: runtime.resolved.properties[slot].relationship?.isOrdered ?? false, members: []))
        })
        state.insert(.inaccessible)
        guard let context = anchor?.context else { return }
        state.insert([.deletedElsewhere, .deleted])
        context.noteInaccessible(self)
    }

    /// Forgets values, edits and loaded relationships; the next access reads the row again.
    final func turnIntoFault() {
        guard !isUnfired else { return dropPrefetchedRow() }
        // Observers hear of every property (Core Data Programming Guide, “Faulting and KVO Notifications”).
        noting(where: { _ in true }) {
            willTurnIntoFault()
            edits = nil
            row = nil
            toMany = nil
            state.insert(.fault)
            state.subtract([.updated, .inEvent, .touched])
            didTurnIntoFault()
        }
    }

    /// Back to the last committed values, transient defaults included, without asking a store.
    final func revert() {
        // A fault may have members that come from the other side's change.
        guard !isUnfired else { return revertToManys() }
        guard row != nil else { return turnIntoFault() }
        noting(where: { _ in true }) {
            edits = nil
            revertToManys()
            if !runtime.defaultedTransientSlots.isEmpty { _ = makeEdits() }
        }
    }

    private final func revertToManys() {
        for many in (toMany ?? [:]).values where many.isChanged { many.turnIntoFault(keepingChanges: false) }
    }

    /// Of a fault: what was loaded ahead of the first touch.
    final func dropPrefetchedRow() {
        guard isUnfired else { return }
        row = nil
        if let toMany { for many in toMany.values { many.turnIntoFault(keepingChanges: true) } }
    }

    /// Takes a newer row under the object's own edits: edited slots keep their value, the others show the row.
    final func rebase(on newer: RowBlock) {
        noting(where: { self.differs($0, from: newer) }) { show(newer) }
    }

    /// Whether rebasing changes a property's value, or may: a to-many is read again.
    private final func differs(_ property: ResolvedProperty, from newer: RowBlock) -> Bool {
        if property.storage == .toMany { return toMany?[property.slot]?.members != nil }
        guard property.isStored, edits?.changed.contains(property.slot) != true else { return false }
        return storedValue(property.slot, in: newer) != value(at: property.slot)
    }

    private final func show(_ newer: RowBlock) {
        row = newer
        if let edits {
            for slot in runtime.layout.kinds.indices where runtime.layout.isStored[slot] && !edits.changed.contains(slot) {
                edits[slot] = newer.unreadValue(slot)
            }
            dropCleanEdits()
        }
        for many in (toMany ?? [:]).values { many.turnIntoFault(keepingChanges: true) }
    }

    /// Lets the buffer go when it says nothing the row does not.
    final func dropCleanEdits() {
        guard let edits, edits.changed.isEmpty, let row, state.isDisjoint(with: .inserted) else { return }
        let holdsMore = edits.unarchived != nil || runtime.transientSlots.contains { edits[$0] != row.value($0) }
        if !holdsMore { self.edits = nil }
    }
}
