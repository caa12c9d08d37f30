import CoreDataGraph
import CoreDataSchema
import CoreDataStorage

/// Keeping both sides of a relationship alike.
extension NSManagedObject {
    /// Changes the other side of a relationship that was just changed on this one.
    final func maintainInverse(of property: ResolvedProperty, removing: [RowKey], adding: [RowKey]) {
        guard property.relationship?.inverse != nil, !(removing.isEmpty && adding.isEmpty) else { return }
        guard let context = anchor?.context else { return maintainInverseOutside(of: property, removing: removing, adding: adding) }
        let edits = inverseEdits(of: property, removing: removing, adding: adding, in: context)
        guard edits.contains(where: { context.object(for: $0.object).state.contains(.observed) }) else {
            for edit in edits { context.object(for: edit.object).apply(edit) }
            return
        }
        // Observers may change this very relationship: they are told when both sides agree. What they did while they were told
        // beforehand counts.
        var notes: [(object: NSManagedObject, key: String, open: [OpenNote])] = []
        for edit in edits {
            let object = context.object(for: edit.object)
            let key = object.runtime.resolved.properties[edit.slot].name
            notes.append((object, key, object.openNotes(of: edit, among: edits)))
        }
        let members = Set(removing + adding)
        let gone = members.filter { !refers(to: $0, at: property.slot) }
        for edit in inverseEdits(of: property, removing: Array(gone), adding: adding.filter { !gone.contains($0) }, in: context) {
            context.object(for: edit.object).put(edit)
        }
        for note in notes { note.object.close(note.open, forKey: note.key) }
    }

    private final func inverseEdits(
        of property: ResolvedProperty, removing: [RowKey], adding: [RowKey], in context: NSManagedObjectContext
    ) -> [RelationshipEdit] {
        InverseMaintenance.plan(
            owner: key, relationship: property, removing: removing, adding: adding, model: runtime.resolvedModel
        ) { key, slot in
            if case .reference(let target) = context.object(for: key).value(at: slot) { return target }
            return nil
        }
    }

    private final func refers(to other: RowKey, at slot: Int) -> Bool {
        guard runtime.resolved.properties[slot].storage == .toMany else { return value(at: slot) == .reference(other) }
        let many = toManyState(at: slot)
        return many.members?.contains(other) ?? many.added.contains(other)
    }

    /// Tells observers what a planned change is going to do. All that leave an ordered relationship leave it in one note, whose
    /// places are those they have now.
    private final func openNotes(of edit: RelationshipEdit, among edits: [RelationshipEdit]) -> [OpenNote] {
        guard state.contains(.observed) else { return [] }
        let key = runtime.resolved.properties[edit.slot].name
        switch edit.change {
        case .set: return openNotes(forKey: key, .setting)
        case .add(let member):
            let many = loadedMembers(at: edit.slot)
            if many.members?.contains(member) == true { return [] }
            return openNotes(forKey: key, change(of: many, .insertion, member))
        case .remove(let member):
            let many = loadedMembers(at: edit.slot)
            if many.members?.contains(member) != true { return [] }
            guard many.isOrdered else { return openNotes(forKey: key, change(of: many, .removal, member)) }
            var leaving: [RowKey] = []
            for other in edits where other.object == edit.object && other.slot == edit.slot {
                if case .remove(let former) = other.change { leaving.append(former) }
            }
            if leaving.first != member { return [] }
            let order = many.members?.order ?? []
            return openNotes(forKey: key, .indexed(.removal, IndexSet(leaving.compactMap { order.firstIndex(of: $0) })))
        }
    }

    /// One planned change, without telling anybody.
    private final func put(_ edit: RelationshipEdit) {
        switch edit.change {
        case .set(let target): put(target.map(AttributeValue.reference) ?? .null, into: edit.slot)
        case .add(let member):
            let many = inverseState(at: edit.slot)
            guard many.members?.contains(member) != true else { return }
            noteChange(of: many, at: edit.slot)
            many.add(member)
        case .remove(let member):
            let many = inverseState(at: edit.slot)
            guard many.members?.contains(member) != false else { return }
            noteChange(of: many, at: edit.slot)
            many.remove(member)
        }
    }

    /// One planned change, without maintaining the inverse again.
    package final func apply(_ edit: RelationshipEdit) {
        switch edit.change {
        case .set(let target): assign(target.map(AttributeValue.reference) ?? .null, to: edit.slot)
        case .add(let member):
            let many = inverseState(at: edit.slot)
            guard many.members?.contains(member) != true else { return }
            noting(edit.slot, change(of: many, .insertion, member)) {
                noteChange(of: many, at: edit.slot)
                many.add(member)
            }
        case .remove(let member):
            let many = inverseState(at: edit.slot)
            guard many.members?.contains(member) != false else { return }
            noting(edit.slot, change(of: many, .removal, member)) {
                noteChange(of: many, at: edit.slot)
                many.remove(member)
            }
        }
    }

    /// How one member joins or leaves, for observers.
    private final func change(of many: ToManyState, _ kind: NSKeyValueChange, _ member: RowKey) -> PropertyChange {
        guard many.isOrdered else {
            return .members(kind == .insertion ? .union : .minus, Set(peers([member])))
        }
        let order = many.members?.order ?? []
        return .indexed(kind, IndexSet(integer: kind == .insertion ? order.count : order.firstIndex(of: member) ?? 0))
    }

    /// A to-many that is changed from its other side: only an ordered or observed one must be loaded for that.
    private final func inverseState(at slot: Int) -> ToManyState {
        runtime.resolved.properties[slot].relationship?.isOrdered == true || state.contains(.observed)
            ? loadedMembers(at: slot) : toManyState(at: slot)
    }

    /// Keeps the inverse of a relationship that was changed by primitive access.
    final func keepInverse(of property: ResolvedProperty, since before: RelationshipBefore) {
        guard !state.contains(.awakening) else { return }
        switch before {
        case .one(let old):
            var now: RowKey?
            if case .reference(let key) = value(at: property.slot) { now = key }
            guard old != now else { return }
            maintainInverse(of: property, removing: old.map { [$0] } ?? [], adding: now.map { [$0] } ?? [])
        case .many(let old):
            let now = memberKeys(at: property.slot)
            let (former, current) = (Set(old), Set(now))
            maintainInverse(
                of: property, removing: old.filter { !current.contains($0) }, adding: now.filter { !former.contains($0) })
        }
    }
}
