import CoreDataSchema
import CoreDataStorage

/// An object as it stood before an event, and, once the event is over, what of it the event changed: undo takes back that
/// and nothing else, so that what others saved and this context merged meanwhile stays.
struct ObjectMemento {
    let object: NSManagedObject
    /// Whether the object was in the context at all.
    let isPresent: Bool
    let isDeleted: Bool
    private var values: ContiguousArray<AttributeValue>
    /// To-many relationships before their first change in the event.
    private var toMany: [Int: ToManyState] = [:]
    private var changed = SlotSet()
    private var memberships: [Int: MembershipChange] = [:]

    /// The object as it stands.
    init(of object: NSManagedObject) {
        self.object = object
        isPresent = object.anchor != nil
        isDeleted = object.state.contains(.deleted)
        values = object.currentValues
    }

    /// An object that was not there.
    init(absent object: NSManagedObject) {
        self.object = object
        isPresent = false
        isDeleted = false
        values = []
    }

    /// A to-many is about to change.
    mutating func note(_ many: ToManyState, at slot: Int) {
        if isPresent, toMany[slot] == nil { toMany[slot] = many.copy() }
    }

    /// The event is over.
    mutating func close() {
        guard isPresent else { return }
        let now = object.currentValues
        for slot in values.indices where values[slot] != now[slot] { changed.insert(slot) }
        for (slot, before) in toMany {
            let change = MembershipChange(from: before, to: object.toManyState(at: slot))
            if !change.isEmpty { memberships[slot] = change }
        }
        toMany = [:]
    }

    mutating func rewrite(_ map: [Int64: RowKey]) {
        func permanent(_ key: RowKey) -> RowKey? { key.isTemporary ? map[key.primaryKey] : nil }
        for slot in values.indices {
            if case .reference(let key) = values[slot], let new = permanent(key) { values[slot] = .reference(new) }
        }
        for many in toMany.values { many.rewrite(permanent) }
        for slot in memberships.keys { memberships[slot]?.rewrite { permanent($0) ?? $0 } }
        // Who left the context is not on its lists.
        if object.anchor == nil { object.rewriteReferences(map) }
    }

    // MARK: Going back

    /// Takes the event's changes back; an object that was away gets everything it had.
    func restore(in context: NSManagedObjectContext, wasAway: Bool) {
        guard !values.isEmpty else { return }
        object.noting(where: { differs($0, wasAway) }) { putBack(in: context, wasAway) }
    }

    private func differs(_ property: ResolvedProperty, _ wasAway: Bool) -> Bool {
        if property.storage == .toMany { return memberships[property.slot] != nil }
        return (wasAway || changed.contains(property.slot)) && values[property.slot] != object.value(at: property.slot)
    }

    private func putBack(in context: NSManagedObjectContext, _ wasAway: Bool) {
        if wasAway {
            let edits = EditBuffer(values: values)
            for slot in values.indices { edits.changed.insert(slot) }
            object.edits = edits
            object.countMembersAsAdded()
        } else {
            let edits = object.editable()
            changed.forEach { slot in
                edits[slot] = values[slot]
                edits.changed.insert(slot)
            }
        }
        for (slot, change) in memberships {
            let many = change.order == nil ? object.toManyState(at: slot) : object.loadedMembers(at: slot)
            context.journal.note(many, at: slot, of: object)
            for key in change.joined { many.remove(key) }
            for key in change.left { many.add(key) }
            if let order = change.order, let members = many.members {
                var wanted = members
                wanted.arrange(order)
                many.reorder(wanted.order)
            }
        }
    }
}

/// What an event did to one to-many relationship.
struct MembershipChange {
    private(set) var joined: Set<RowKey>
    private(set) var left: Set<RowKey>
    /// An ordered relationship's members before, in order.
    private(set) var order: [RowKey]?

    init(from before: ToManyState, to now: ToManyState) {
        if let old = before.members, let new = now.members {
            joined = new.set.subtracting(old.set)
            left = old.set.subtracting(new.set)
            order = before.isOrdered && old.order != new.order ? old.order : nil
        } else {
            joined = now.added.subtracting(before.added).union(before.removed.subtracting(now.removed))
            left = now.removed.subtracting(before.removed).union(before.added.subtracting(now.added))
            order = before.isOrdered ? before.members?.order : nil
        }
    }

    var isEmpty: Bool { joined.isEmpty && left.isEmpty && order == nil }

    mutating func rewrite(_ map: (RowKey) -> RowKey) {
        joined = Set(joined.map(map))
        left = Set(left.map(map))
        order = order?.map(map)
    }
}

extension NSManagedObject {
    /// Of an object that is inserted again, every member is a new one to the store.
    fileprivate final func countMembersAsAdded() {
        for (slot, many) in toMany ?? [:] where runtime.resolved.properties[slot].storage == .toMany {
            let fresh = ToManyState(isOrdered: many.isOrdered, members: [])
            for key in many.members?.keys ?? [] { fresh.add(key) }
            toMany?[slot] = fresh
        }
    }
}
