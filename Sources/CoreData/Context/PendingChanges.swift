import CoreDataSchema

/// What a context has not saved, and what has not been announced yet.
///
/// Invariant: an object's `state` bits are the truth; these lists keep the objects alive and in order, and may hold
/// objects whose bits were cleared since.
struct PendingChanges {
    var inserted: [NSManagedObject] = []
    var updated: [NSManagedObject] = []
    var deleted: [NSManagedObject] = []
    /// Objects changed since the last `willSave` pass.
    var touched: [NSManagedObject] = []
    var event = EventChanges()
    /// Deleted objects whose delete rules were not followed yet.
    var unpropagated: [NSManagedObject] = []

    var insertedNow: [NSManagedObject] { inserted.filter { $0.state.contains(.inserted) && !$0.state.contains(.deleted) } }
    var updatedNow: [NSManagedObject] { updated.filter { $0.state.contains(.updated) && $0.state.isDisjoint(with: [.inserted, .deleted]) } }
    var deletedNow: [NSManagedObject] { deleted.filter { $0.state.contains(.deleted) && !$0.state.contains(.inserted) } }

    /// Everything a save would touch, in one array.
    var changedNow: [NSManagedObject] {
        var result: [NSManagedObject] = []
        result.reserveCapacity(inserted.count + updated.count + deleted.count)
        for object in inserted where object.state.contains(.inserted) && !object.state.contains(.deleted) { result.append(object) }
        for object in updated where object.state.contains(.updated) && object.state.isDisjoint(with: [.inserted, .deleted]) {
            result.append(object)
        }
        for object in deleted where object.state.contains(.deleted) && !object.state.contains(.inserted) { result.append(object) }
        return result
    }

    var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && deleted.isEmpty || insertedNow.isEmpty && updatedNow.isEmpty && deletedNow.isEmpty
    }

    mutating func clear() { self = PendingChanges() }
}

/// Changes since the last `processPendingChanges`.
struct EventChanges {
    var inserted: [NSManagedObject] = []
    /// Everything that was touched, inserted ones included.
    var changed: [NSManagedObject] = []
    var deleted: [NSManagedObject] = []
    var refreshed: [NSManagedObject] = []
    /// Objects that joined by a merge: announced as inserted, without being inserted here (NO05).
    var merged: [NSManagedObject] = []
    /// Values before the event's first change, by object.
    var before: [ObjectIdentifier: ContiguousArray<AttributeValue>] = [:]
    /// Rows that somebody else changed and that are faults here, or held by nobody: no note names them (NO04), but results may
    /// have to take them in (FR23).
    var foreign: [RowKey] = []

    var isEmpty: Bool {
        inserted.isEmpty && changed.isEmpty && deleted.isEmpty && refreshed.isEmpty && merged.isEmpty && foreign.isEmpty
    }
}
