import CoreDataSchema

/// Objects of a child that its parent knows no more: when the parent saved, a uniqueness conflict took them up into others.
///
/// One of them goes on as the object of the row that stayed (the heir), unless the child has that object already, or the row is of
/// another entity: then that object takes over what was not saved here, and the one taken up leaves the context, as it left the
/// parent's. An object whose entity has properties that the row has no place for stays what it is: saving it is a conflict.
struct TakenUpObjects {
    typealias Move = (object: NSManagedObject, key: RowKey)

    private(set) var heirs: [Move] = []
    private(set) var leavers: [Move] = []
    private let context: NSManagedObjectContext

    init(_ moves: [Move], in context: NSManagedObjectContext) {
        self.context = context
        var taken: Set<RowKey> = []
        for move in moves where move.object.runtime.resolved.includes(Int(move.key.entity)) {
            if move.key.entity == move.object.key.entity, context.registry?[move.key] == nil, taken.insert(move.key).inserted {
                heirs.append(move)
            } else {
                leavers.append(move)
            }
        }
    }

    /// After all references were rewritten: shows what the parent made of them, under what was not saved here.
    func settle() {
        for (object, _) in heirs where !object.state.contains(.deleted) { context.refreshQuietly(object, mergeChanges: true) }
        for (object, key) in leavers { context.handOver(object, to: context.object(for: key)) }
    }
}

extension NSManagedObjectContext {
    /// After a save that took objects up into others: whoever knows the old ones, or only their IDs, is led to those that stayed.
    func followTakenUp() {
        let pairs = takenUp.reversed().filter { $0.object.anchor == nil }
        takenUp = []
        if pairs.isEmpty { return }
        let hasChildren = !children.all.isEmpty
        for (object, survivor) in pairs {
            if object.key.isTemporary, hasChildren || object.cachedID != nil {
                formerKeys.note(object.key.primaryKey, survivor.key, identifier: object.cachedID, isTakenUp: true)
            }
            object.answer(to: survivor)
        }
        if hasChildren { persistentStoreCoordinator?.keyGeneration.add(1, ordering: .releasing) }
    }

    /// Lets an object leave; its unsaved changes are the survivor's from now on.
    fileprivate func handOver(_ object: NSManagedObject, to survivor: NSManagedObject) {
        refreshQuietly(survivor, mergeChanges: true)
        if object.state.contains(.deleted) {
            markDeleted(survivor)
        } else if object.state.contains(.updated) {
            if survivor.state.contains(.deleted) { insert(survivor) }
            survivor.take(unsaved: object)
        }
        forget(object)
        pending.drop(object)
        object.answer(to: survivor)
    }
}

extension NSManagedObject {
    fileprivate func take(unsaved object: NSManagedObject) {
        let changed = object.changedSlots()
        let shared = zip(object.runtime.resolved.properties, runtime.resolved.properties).prefix { $0.name == $1.name }.map(\.0)
        for property in shared {
            switch property.storage {
            case .fetched: continue
            case .toMany:
                guard let many = object.toMany?[property.slot], let context = anchor?.context else { continue }
                let added = context.objects(for: Array(many.added)).filter { $0 !== self }
                if !added.isEmpty { add(added, toMany: property.slot) }
                let removed = context.objects(for: Array(many.removed))
                if !removed.isEmpty { remove(removed, fromMany: property.slot) }
            case .toOne: if changed.contains(property.slot) { setRelated(object.related(at: property.slot), at: property.slot) }
            default: if changed.contains(property.slot) { assign(object.value(at: property.slot), to: property.slot) }
            }
        }
    }
}
