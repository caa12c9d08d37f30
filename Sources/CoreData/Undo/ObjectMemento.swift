import CoreDataSchema
import CoreDataStorage

/// An object as it stood at one moment: what undo goes back to.
struct ObjectMemento {
    let object: NSManagedObject
    /// Whether the object was in the context at all.
    let isPresent: Bool
    let isDeleted: Bool
    private(set) var values: ContiguousArray<AttributeValue>
    private let toMany: [Int: ToManyState]

    /// The object as it stands.
    init(of object: NSManagedObject) {
        self.object = object
        isPresent = object.anchor != nil
        isDeleted = object.state.contains(.deleted)
        values = object.currentValues
        toMany = (object.toMany ?? [:]).mapValues { $0.copy() }
    }

    /// An object that was not there.
    init(absent object: NSManagedObject) {
        self.object = object
        isPresent = false
        isDeleted = false
        values = []
        toMany = [:]
    }

    mutating func rewrite(_ map: [Int64: RowKey]) {
        for slot in values.indices {
            if case .reference(let key) = values[slot], key.isTemporary, let new = map[key.primaryKey] { values[slot] = .reference(new) }
        }
        for many in toMany.values { many.rewrite { $0.isTemporary ? map[$0.primaryKey] : nil } }
    }

    /// Puts the values back; what differs from the row counts as changed.
    func restoreValues() {
        guard !values.isEmpty else { return }
        object.noting(where: differs) { putBack() }
    }

    private func differs(_ property: ResolvedProperty) -> Bool {
        let slot = property.slot
        guard property.storage == .toMany else { return values[slot] != object.value(at: slot) }
        return toMany[slot]?.members != object.toMany?[slot]?.members
    }

    private func putBack() {
        let edits = EditBuffer(values: values)
        for slot in values.indices {
            let isChanged = object.row.map { object.storedValue(slot, in: $0) != values[slot] } ?? true
            if isChanged { edits.changed.insert(slot) }
        }
        object.edits = edits
        for (slot, many) in toMany { restore(many, at: slot) }
        // A relationship nobody had touched then shows what the store has.
        for (slot, many) in object.toMany ?? [:] where toMany[slot] == nil && many.isChanged {
            many.turnIntoFault(keepingChanges: false)
        }
    }

    /// Membership then, as a difference against what the store has now.
    private func restore(_ many: ToManyState, at slot: Int) {
        guard let members = many.members?.keys else {
            object.toMany?[slot] = many.copy()
            return
        }
        let now = object.loadedMembers(at: slot)
        let wanted = Set(members)
        for key in (now.members?.keys ?? []) where !wanted.contains(key) { now.remove(key) }
        for key in members { now.add(key) }
        if now.isOrdered { now.reorder(members) }
    }
}
