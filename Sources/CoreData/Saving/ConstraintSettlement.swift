import CoreDataGraph
import CoreDataSchema
import CoreDataStorage

/// Carries out, in the objects of a context, what a merge policy decided about values that must be unique.
///
/// A stored row survives with its ID (UC02): a new object that has its values is taken up into it. What referred to the
/// object that goes refers to the one that stays, and to-manys become the union of both.
struct ConstraintSettlement {
    /// Slots of the constraint.
    let slots: [Int]
    let context: NSManagedObjectContext

    func apply(_ kind: MergePolicyKind, to objects: [NSManagedObject], stored: NSManagedObject?) {
        let objects = objects.filter(takesPart)
        settle(objects, stored, kind)
        for object in objects + (stored.map { [$0] } ?? []) { object.tellSettled(in: context) }
    }

    private func settle(_ objects: [NSManagedObject], _ stored: NSManagedObject?, _ kind: MergePolicyKind) {
        let localWins = kind == .objectTrump || kind == .overwrite
        guard let stored else { return settle(objects, kind, localWins) }
        guard takesPart(stored) else { return }
        for object in objects where object !== stored {
            if object.isInserted, localWins, !holds(stored, everythingOf: object) {
                takeUp(stored, into: object, withValues: false)
            } else if object.isInserted {
                takeUp(object, into: stored, withValues: localWins)
            } else if localWins {
                takeUp(stored, into: object, withValues: false)
            } else {
                giveUp(object, kind)
            }
        }
    }

    /// Among changes of one save the last one wins, with the store's policies the first; a saved row stays before a new one.
    private func settle(_ objects: [NSManagedObject], _ kind: MergePolicyKind, _ localWins: Bool) {
        guard objects.count > 1 else { return }
        let saved = objects.filter { !$0.isInserted }, new = objects.filter(\.isInserted)
        if kind == .rollback, !saved.isEmpty {
            for object in saved { object.revertAll() }
            return
        }
        let candidates = saved.isEmpty ? new : saved
        guard var survivor = localWins ? candidates.last : candidates.first else { return }
        for object in saved where object !== survivor { giveUp(object, kind) }
        for object in new where object !== survivor {
            if localWins, !survivor.isInserted, !holds(survivor, everythingOf: object) {
                takeUp(survivor, into: object, withValues: false)
                survivor = object
            } else {
                takeUp(object, into: survivor, withValues: localWins && !survivor.isInserted)
            }
        }
    }

    /// Whether a row can take all of an object's values: a row of a superentity, or of another subentity, has no place for some.
    private func holds(_ stored: NSManagedObject, everythingOf object: NSManagedObject) -> Bool {
        object.runtime.resolved.includes(stored.runtime.index)
    }

    private func takesPart(_ object: NSManagedObject) -> Bool {
        object.anchor === context.anchor && !object.state.contains(.deleted)
    }

    /// A saved object cannot go: it keeps the values its row has.
    private func giveUp(_ object: NSManagedObject, _ kind: MergePolicyKind) {
        if kind == .rollback { return object.revertAll() }
        for slot in slots { object.revert(slot) }
        object.settleIfClean()
    }

    // MARK: Two objects become one

    private func takeUp(_ loser: NSManagedObject, into survivor: NSManagedObject, withValues: Bool) {
        let shared = zip(loser.runtime.resolved.properties, survivor.runtime.resolved.properties).prefix { $0.name == $1.name }.map(\.0)
        survivor.prepareForReading()
        for property in shared {
            switch property.storage {
            case .fetched: continue
            case .toMany:
                let members = loser.members(at: property.slot).filter { !$0.isDeleted && $0 !== survivor }
                if !members.isEmpty { survivor.add(members, toMany: property.slot) }
            case .toOne: if withValues { survivor.setRelated(loser.related(at: property.slot), at: property.slot) }
            default: if withValues { survivor.assign(loser.value(at: property.slot), to: property.slot) }
            }
        }
        context.redirect(loser.key, to: survivor.key)
        context.delete(loser)
        context.takenUp.append((loser, survivor))
    }
}

extension NSManagedObjectContext {
    /// Relationships without inverse that still name an object that was taken up into another.
    fileprivate func redirect(_ old: RowKey, to new: RowKey) {
        for object in pending.changedNow {
            for slot in object.runtime.toOneSlots where object.runtime.resolved.properties[slot].relationship?.inverse == nil {
                if object.edits?[slot] == .reference(old) { object.assign(.reference(new), to: slot) }
            }
            for (slot, many) in object.toMany ?? [:] {
                guard let relationship = object.runtime.resolved.properties[slot].relationship, relationship.inverse == nil,
                      many.members?.contains(old) ?? many.added.contains(old)
                else { continue }
                many.remove(old)
                many.add(new)
            }
        }
    }
}
