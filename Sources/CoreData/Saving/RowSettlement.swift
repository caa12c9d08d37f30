import CoreDataGraph
import CoreDataSchema
import CoreDataStorage

/// Carries out, in the objects of a context, what a merge policy decided about one row that moved under an unsaved change.
struct RowSettlement {
    let conflict: RowConflict
    let object: NSManagedObject
    let context: NSManagedObjectContext

    /// The row to go on from; nil when it is gone.
    private var stored: RowBlock? { conflict.isDeletedInStore ? nil : conflict.persisted ?? conflict.cached }

    func apply(_ kind: MergePolicyKind) {
        guard object.anchor === context.anchor else { return }
        switch (stored, object.state.contains(.deleted)) {
        case (let stored?, false): merge(stored, kind)
        case (let stored?, true): keepOrTakeBackDeletion(stored, kind)
        case (nil, true): object.state.insert(.deletedElsewhere)
        case (nil, false): keepOrGiveUpEdits(kind)
        }
        object.tellSettled(in: context)
    }

    // MARK: Edited on both sides

    private func merge(_ stored: RowBlock, _ kind: MergePolicyKind) {
        // A policy of the app's own may have refreshed the object already.
        guard (object.row?.version ?? 0) < stored.version else { return }
        object.prepareForReading()
        let local = object.currentValues
        var changed = SlotSet(), unstored: [Int] = []
        object.forEachChangedValue {
            if object.runtime.layout.isStored[$0] { changed.insert($0) } else { unstored.append($0) }
        }
        guard let merged = MergeResolution.resolve(policy: kind, base: object.row, local: local, changed: changed, stored: stored)
        else { return }
        let loaded = (object.toMany ?? [:]).compactMapValues { $0.members?.keys }
        let differs = { (property: ResolvedProperty) in
            property.storage == .toMany ? loaded[property.slot] != nil : merged.values[property.slot] != local[property.slot]
        }
        object.noting(where: differs) { show(merged, over: stored, local, loaded, unstored, kind) }
        context.pending.event.refreshed.append(object)
    }

    private func show(
        _ merged: MergedRow, over stored: RowBlock, _ local: ContiguousArray<AttributeValue>, _ loaded: [Int: [RowKey]],
        _ unstored: [Int], _ kind: MergePolicyKind
    ) {
        if kind == .rollback { object.withdrawToManyChanges() }
        object.row = stored
        let edits = EditBuffer(values: merged.values)
        edits.changed = merged.changedSlots
        for slot in unstored { edits.changed.insert(slot) }
        object.edits = edits
        for slot in object.runtime.toOneSlots {
            if local[slot] != merged.values[slot] { relink(slot, from: local[slot], to: merged.values[slot]) }
            if stored.value(slot) != merged.values[slot] { sever(slot, from: stored.value(slot)) }
        }
        for (slot, before) in loaded { reload(slot, before) }
        object.settleIfClean()
    }

    /// To-many changes of both sides are kept; what is loaded comes from the store again, on both ends.
    private func reload(_ slot: Int, _ before: [RowKey]) {
        guard let relationship = object.runtime.resolved.properties[slot].relationship, let many = object.toMany?[slot] else { return }
        let stored = context.storedMembers(of: object, through: reference(slot)), mine = many.added.union(many.removed)
        if many.isOrdered, many.isChanged { many.reload(stored) } else { many.turnIntoFault(keepingChanges: true) }
        guard let inverse = relationship.inverse else { return }
        // Members this context added or took out are edits of both ends, and stay.
        for key in Set(before).symmetricDifference(stored).subtracting(mine) {
            if let member = context.registered(key), !member.isUnfired { member.takeNotice(of: object.key, at: inverse.slot) }
        }
    }

    private func reference(_ slot: Int) -> PropertyReference {
        PropertyReference(entity: object.runtime.resolved.properties[slot].declaringEntity, slot: slot)
    }

    /// A one-to-one whose stored target gave way: that row must not go on naming this object.
    private func sever(_ slot: Int, from stored: AttributeValue) {
        guard let inverse = object.runtime.resolved.properties[slot].relationship?.inverse, case .reference(let key) = stored,
              object.runtime.resolvedModel.entities[inverse.entity].properties[inverse.slot].storage == .toOne
        else { return }
        let target = context.object(for: key)
        target.refreshIfClean()
        guard target.value(at: inverse.slot) == .reference(object.key), !target.state.contains(.inaccessible) else { return }
        target.assign(.null, to: inverse.slot)
    }

    /// The other ends of a to-one whose local target gave way: what the local edit did to them is taken back.
    private func relink(_ slot: Int, from local: AttributeValue, to merged: AttributeValue) {
        guard let inverse = object.runtime.resolved.properties[slot].relationship?.inverse else { return }
        if case .reference(let key) = local, let target = context.registered(key), !target.isUnfired {
            target.takeBack(object.key, at: inverse.slot)
        }
        if case .reference(let key) = merged, let target = context.registered(key), !target.isUnfired {
            target.takeNotice(of: object.key, at: inverse.slot)
        }
    }

    // MARK: Deleted on one side

    private func keepOrTakeBackDeletion(_ stored: RowBlock, _ kind: MergePolicyKind) {
        guard kind == .storeTrump || kind == .rollback else {
            if !object.isUnfired, object.edits == nil { _ = object.makeEdits() }
            object.row = stored
            return
        }
        object.state.subtract([.deleted, .propagated])
        object.turnIntoFault()
        object.row = stored
        object.restoreReferencesToSelf()
        context.pending.event.refreshed.append(object)
    }

    /// The row is gone: the object goes too, or its row is written again under the same ID (DD12).
    private func keepOrGiveUpEdits(_ kind: MergePolicyKind) {
        if kind == .storeTrump || kind == .rollback {
            object.state.insert(.deletedElsewhere)
            context.markDeleted(object)
            return
        }
        object.edits = EditBuffer(values: object.currentValues)
        object.row = nil
        object.state.remove(.updated)
        object.state.insert(.inserted)
        context.pending.list(inserted: object)
        restoreLinks()
    }

    /// The row's links went with it: those this context knows of, from either end, are written again.
    private func restoreLinks() {
        for slot in object.runtime.toManySlots {
            let many = object.toManyState(at: slot)
            guard let relationship = object.runtime.resolved.properties[slot].relationship else { continue }
            var keys = many.members?.keys ?? Array(many.added)
            if let inverse = relationship.inverse {
                if object.runtime.resolvedModel.entities[inverse.entity].properties[inverse.slot].storage == .toOne {
                    many.turnIntoFault(keepingChanges: true)
                    continue
                }
                keys += context.registry?.objects.filter { other in
                    object.runtime.resolvedModel.entities[inverse.entity].includes(other.runtime.index)
                        && other.toMany?[inverse.slot]?.members?.contains(object.key) == true
                }.map(\.key) ?? []
            }
            let existing = Set(((try? context.rows(for: keys)) ?? []).map(\.key))
            let fresh = ToManyState(isOrdered: many.isOrdered, members: [])
            for key in keys where key.isTemporary || existing.contains(key) { fresh.add(key) }
            object.toMany?[slot] = fresh
        }
    }
}
