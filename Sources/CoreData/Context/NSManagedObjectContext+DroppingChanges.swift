import CoreDataSchema
import CoreDataStorage

/// `refresh(_:mergeChanges: false)` of an object that takes part in unsaved changes of relationships.
///
/// Both sides must go on telling the same story, before the save and after it. A to-one is the object's own: it goes back, and
/// the other sides follow. A membership that the other side changed too is that one's change as much: it stays.
extension NSManagedObjectContext {
    func dropChanges(of object: NSManagedObject) {
        guard !object.isUnfired, object.state.contains(.updated), object.state.isDisjoint(with: [.deleted, .inaccessible]) else {
            return object.turnIntoFault()
        }
        let lost = takeBackToOnes(of: object)
        let shared = sharedMemberships(of: object)
        object.turnIntoFault()
        for slot in lost { object.assign(.null, to: slot) }
        for (slot, many) in shared {
            if object.toMany == nil { object.toMany = [:] }
            object.toMany?[slot] = many
        }
        if !shared.isEmpty { noteChange(of: object) }
    }

    /// Puts changed to-ones back to what the row says; answers the slots where that object is about to be deleted.
    private func takeBackToOnes(of object: NSManagedObject) -> [Int] {
        guard let row = object.row, let edits = object.edits else { return [] }
        var lost: [Int] = []
        for slot in object.runtime.toOneSlots where edits.changed.contains(slot) && edits[slot] != row.value(slot) {
            let stored = row.reference(slot)
            if let stored, registered(stored)?.state.contains(.deleted) == true {
                if edits[slot].isNull { lost.append(slot) }
                continue
            }
            var removing: [RowKey] = []
            if case .reference(let key) = object.value(at: slot) { removing = [key] }
            object.put(row.value(slot), into: slot)
            object.maintainInverse(
                of: object.runtime.resolved.properties[slot], removing: removing, adding: stored.map { [$0] } ?? [])
        }
        return lost
    }

    private func sharedMemberships(of object: NSManagedObject) -> [Int: ToManyState] {
        var result: [Int: ToManyState] = [:]
        for (slot, many) in object.toMany ?? [:] where many.isChanged {
            guard let relationship = object.runtime.resolved.properties[slot].relationship, let inverse = relationship.inverse else { continue }
            let kept = ToManyState(isOrdered: many.isOrdered)
            for key in many.members?.keys ?? Array(many.added)
            where many.added.contains(key) && holds(key, object.key, at: inverse.slot, isAdded: true) { kept.add(key) }
            for key in many.removed where holds(key, object.key, at: inverse.slot, isAdded: false) { kept.remove(key) }
            if kept.isChanged { result[slot] = kept }
        }
        return result
    }

    /// Whether another object's side of a relationship gained or lost this one, and has not been saved.
    private func holds(_ other: RowKey, _ key: RowKey, at slot: Int, isAdded: Bool) -> Bool {
        guard let other = registered(other), !other.state.isDisjoint(with: .pending), !other.state.contains(.inaccessible) else { return false }
        if other.state.contains(.deleted) { return !isAdded }
        if other.runtime.resolved.properties[slot].storage == .toMany {
            let many = other.toMany?[slot]
            return (isAdded ? many?.added.contains(key) : many?.removed.contains(key)) == true
        }
        return (other.value(at: slot) == .reference(key)) == isAdded
    }
}
