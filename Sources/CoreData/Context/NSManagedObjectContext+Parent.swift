import CoreDataSchema
import CoreDataStorage

/// What a context does for its children: it is their store. Called on this context's queue.
extension NSManagedObjectContext {
    /// Rows as this context sees them, unsaved edits included (PC03).
    func rowsForChild(_ keys: [RowKey]) throws -> [RowBlock] {
        adoptParentKeys()
        var result: [RowBlock] = []
        var missing: [RowKey] = []
        for key in keys {
            let object = registered(key)
            if let object, !object.isUnfired {
                if !object.state.contains(.deleted), !object.state.contains(.inaccessible) { result.append(rowForChild(object)) }
            } else {
                // Let go here since its save, it is still the child's question by the old key.
                missing.append(object?.key ?? permanentKey(of: key))
            }
        }
        if !missing.isEmpty { result += try rows(for: missing) }
        return result
    }

    /// Members of a to-many as this context sees them; none for an object that is not there.
    func membersForChild(_ key: RowKey, _ slot: Int) -> [RowKey] {
        if let known = registered(key) { return known.memberKeys(at: slot) }
        guard let row = try? rows(for: [permanentKey(of: key)]).first else { return [] }
        return object(for: row.key).memberKeys(at: slot)
    }

    /// The same for many owners, in one trip to whom this context asks.
    func membersForChild(_ keys: [RowKey], _ slot: Int) -> [[RowKey]] {
        adoptParentKeys()
        let unknown = keys.filter { registered($0) == nil }
        let rows = unknown.isEmpty ? [] : (try? rows(for: unknown.map(permanentKey))) ?? []
        // Whom nobody here has heard of is the child's own: a fault made for it would be taken for one whose row is gone.
        for row in rows {
            let object = object(for: row.key)
            if object.isUnfired { object.row = row }
        }
        let owners = keys.map { registered($0) }
        let known = owners.compactMap { $0 }
        loadRows(of: known)
        loadMembers(of: known, at: slot)
        return owners.map { $0?.memberKeys(at: slot) ?? [] }
    }

    func rowForChild(_ object: NSManagedObject) -> RowBlock {
        if object.edits == nil, let row = object.row { return row }
        return RowBlock.make(
            layout: object.runtime.layout, key: object.key, version: object.row?.version ?? 0, values: object.currentValues,
            keepsTransients: false)
    }

    /// Answers a child's fetch: from the stores directly when this context has nothing of its own to add.
    func fetchForChild(_ plan: FetchPlan) throws -> FetchOutcome {
        adoptParentKeys()
        if case .dictionaries = plan.result { return try source(plan) }
        if pending.isEmpty { return try source(plan) }
        switch plan.result {
        case .rows, .dictionaries:
            return .rows(objects(for: try overlaid(plan).keys).map { object in
                if object.isUnfired, let row = object.row { return row }
                object.prepareForReading()
                return rowForChild(object)
            })
        case .keys: return .keys(try overlaid(plan).keys)
        case .count:
            var keys = plan
            keys.result = .keys
            keys.sort = []
            return .count(try overlaid(keys).keys.count)
        }
    }

    /// Those of a child's edited objects that this context has deleted, or finds deleted.
    ///
    /// What only a relationship's other side changed is nobody's loss, nor is that one of them refers to nothing any more; where there is
    /// no object left to take that in, it is dropped from the changes.
    func lostToChild(_ changes: inout ChildChanges) throws -> Set<RowKey> {
        adoptParentKeys()
        var gone: Set<RowKey> = [], rowless: Set<RowKey> = [], unread: [RowKey: RowKey] = [:]
        for change in changes.updated {
            let object = registered(change.key)
            if let object, object.state.contains(.inaccessible) {
                rowless.insert(change.key)
            } else if let object, object.state.contains(.deleted) {
                gone.insert(change.key)
            } else if object?.isUnfired ?? true, object.map(showsCurrentRow) != true {
                unread[object?.key ?? permanentKey(of: change.key)] = change.key
            }
        }
        if !unread.isEmpty {
            for row in try rows(for: Array(unread.keys)) {
                unread[row.key] = nil
                let object = object(for: row.key)
                if object.isUnfired { object.row = row }
            }
            rowless.formUnion(unread.values)
        }
        let lost = Set(changes.updated.filter { (gone.contains($0.key) || rowless.contains($0.key)) && holdsEdits($0) }.map(\.key))
        if lost.isEmpty { changes.updated.removeAll { rowless.contains($0.key) } }
        return lost
    }

    private func holdsEdits(_ change: ChildChange) -> Bool {
        let properties = requireRuntime().entities[Int(change.key.entity)].resolved.properties
        return change.slots.slots.contains { slot in
            change.toMany[slot] == nil && !(properties[slot].storage == .toOne && change.values[slot].isNull)
        }
    }

    /// Takes in a child's save: its objects' values become this context's unsaved changes (PC01, PC02).
    func adopt(_ changes: ChildChanges) {
        adoptParentKeys()
        for change in changes.inserted {
            if let known = registered(change.key) {
                if known.state.contains(.deleted) { insert(known) }
                take(change, into: known)
                continue
            }
            let runtime = requireRuntime().entities[Int(change.key.entity)]
            let object = runtime.objectClass.init(entity: runtime.entity, insertInto: nil)
            object.state = []
            object.edits = EditBuffer(values: runtime.defaults)
            object.rename(to: change.key, in: anchor)
            register(inserted: object)
            object.awakeFromInsert()
        }
        for change in changes.inserted { if let object = registered(change.key) { take(change, into: object) } }
        for change in changes.updated { take(change, into: object(for: change.key)) }
        for change in changes.deleted {
            let object = object(for: change.key)
            guard !object.state.contains(.deleted) else { continue }
            object.prepareForReading()
            // Its rules are followed here too: this context may know members that the child did not. What the child took away before
            // is not among them.
            if !object.state.contains(.inaccessible) { take(change, into: object) }
            markDeleted(object)
        }
        processPendingChanges()
    }

    private func take(_ change: ChildChange, into object: NSManagedObject) {
        let differs = { (property: ResolvedProperty) in
            property.storage == .toMany ? change.toMany[property.slot] != nil
                : change.slots.contains(property.slot) && change.values[property.slot] != object.value(at: property.slot)
        }
        object.noting(where: differs) { put(change, into: object) }
    }

    private func put(_ change: ChildChange, into object: NSManagedObject) {
        let edits = object.editable()
        change.slots.forEach { slot in
            edits[slot] = change.values[slot]
            edits.changed.insert(slot)
        }
        for (slot, difference) in change.toMany {
            let many = object.loadedMembers(at: slot)
            if undoStorage != nil { journal.note(many, at: slot, of: object) }
            for key in difference.removed { many.remove(key) }
            for key in difference.added { many.add(key) }
            if let order = difference.order { many.reorder(order) }
        }
    }
}

/// A child's save as values.
///
/// Invariant: keys are those of the child at the time; slots not in `slots` are not to be read.
struct ChildChanges: Sendable {
    var inserted: [ChildChange] = []
    var updated: [ChildChange] = []
    /// With what each had changed before its end.
    var deleted: [ChildChange] = []
}

struct ChildChange: Sendable {
    var key: RowKey
    var values: ContiguousArray<AttributeValue>
    var slots: SlotSet
    var toMany: [Int: MembershipDifference]
}

struct MembershipDifference: Sendable {
    var added: [RowKey]
    var removed: [RowKey]
    var order: [RowKey]?
}
