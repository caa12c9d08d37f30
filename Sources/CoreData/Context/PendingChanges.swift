import CoreDataSchema

/// What a context has not saved, and what has not been announced yet.
///
/// Invariant: an object's `state` bits are the truth; these lists keep the objects alive and in order, and may hold
/// objects that are not (or no longer) inserted, updated or deleted. Each holds an object once (its `listed` bits say so):
/// a save would write it twice.
struct PendingChanges {
    private(set) var inserted: [NSManagedObject] = []
    private(set) var updated: [NSManagedObject] = []
    private(set) var deleted: [NSManagedObject] = []
    /// Objects changed since the last `willSave` pass.
    var touched: [NSManagedObject] = []
    var event = EventChanges()
    /// `before` of the event that a did-change note announces just now.
    var announcedBefore: [ObjectIdentifier: ContiguousArray<AttributeValue>] = [:]
    /// Objects that came and went without a save, by their keys, temporary or obtained: what still names them names them.
    var forgotten: [RowKey: NSManagedObject] = [:]
    /// Deleted objects whose delete rules were not followed yet.
    var unpropagated: [NSManagedObject] = []

    /// How many objects of each entity were listed as inserted, and as updated or deleted.
    private(set) var insertedOf = EntityCounts(), changedOf = EntityCounts()
    /// nil until a fetch by a value has to look through many objects.
    private var index: PendingIndex?

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
        !inserted.contains { $0.state.contains(.inserted) && !$0.state.contains(.deleted) }
            && !updated.contains { $0.state.contains(.updated) && $0.state.isDisjoint(with: [.inserted, .deleted]) }
            && !deleted.contains { $0.state.contains(.deleted) && !$0.state.contains(.inserted) }
    }

    mutating func list(inserted object: NSManagedObject) {
        if Self.list(object, in: &inserted, .listedInserted) { insertedOf.add(object) }
    }

    mutating func list(updated object: NSManagedObject) {
        if Self.list(object, in: &updated, .listedUpdated) { changedOf.add(object) }
    }

    mutating func list(deleted object: NSManagedObject) {
        if Self.list(object, in: &deleted, .listedDeleted) { changedOf.add(object) }
    }

    private static func list(_ object: NSManagedObject, in objects: inout [NSManagedObject], _ bit: ObjectState) -> Bool {
        guard !object.state.contains(bit) else { return false }
        object.state.insert(bit)
        objects.append(object)
        return true
    }

    /// Lets go of objects that left the context: another one may list them next. The counts stay: they are never too low.
    mutating func dropDetached() {
        index = nil
        Self.drop(from: &inserted, .listedInserted) { $0.anchor == nil }
        Self.drop(from: &updated, .listedUpdated) { $0.anchor == nil }
        Self.drop(from: &deleted, .listedDeleted) { $0.anchor == nil }
    }

    /// Lets go of an object that leaves in the middle of an event, as if nothing had ever happened to it.
    mutating func drop(_ object: NSManagedObject) {
        dropDetached()
        touched.removeAll { $0 === object }
        unpropagated.removeAll { $0 === object }
        event.drop(object)
    }

    mutating func clear() {
        Self.drop(from: &inserted, .listedInserted) { _ in true }
        Self.drop(from: &updated, .listedUpdated) { _ in true }
        Self.drop(from: &deleted, .listedDeleted) { _ in true }
        self = PendingChanges()
    }

    private static func drop(from objects: inout [NSManagedObject], _ bit: ObjectState, _ goes: (NSManagedObject) -> Bool) {
        objects.removeAll { object in
            guard goes(object) else { return false }
            object.state.remove(bit)
            return true
        }
    }
}

extension PendingChanges {
    /// Below it looking at each object costs less.
    private static let fewest = 8

    func object(at place: PendingIndex.Place) -> NSManagedObject { place.isUpdated ? updated[place.index] : inserted[place.index] }

    /// Inserted and updated objects that may have a value; nil when there are so few of them that all may as well be tested.
    mutating func candidates(_ equality: KeyEquality, _ entity: ResolvedEntity) -> [NSManagedObject]? {
        if inserted.count + updated.count <= Self.fewest { return nil }
        let index = index ?? PendingIndex()
        self.index = index
        return index.places(of: equality, entity, in: self).map(object)
    }
}

/// Numbers of objects by entity.
struct EntityCounts {
    private var counts: ContiguousArray<Int> = []

    mutating func add(_ object: NSManagedObject) {
        let entity = object.runtime.index
        while counts.count <= entity { counts.append(0) }
        counts[entity] += 1
    }

    func sum(_ entities: ClosedRange<Int>) -> Int {
        entities.lowerBound < counts.count ? counts[entities.lowerBound...min(entities.upperBound, counts.count - 1)].reduce(0, +) : 0
    }
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

    /// Temporary keys that became permanent: no change of what named them.
    mutating func rewrite(_ map: [Int64: RowKey]) {
        for (identifier, values) in before {
            for slot in values.indices {
                guard case .reference(let key) = values[slot], key.isTemporary, let new = map[key.primaryKey] else { continue }
                before[identifier]?[slot] = .reference(new)
            }
        }
    }

    mutating func drop(_ object: NSManagedObject) {
        for list in [\EventChanges.inserted, \.changed, \.deleted, \.refreshed, \.merged] { self[keyPath: list].removeAll { $0 === object } }
        before[ObjectIdentifier(object)] = nil
    }

    var isEmpty: Bool { inserted.isEmpty && changed.isEmpty && deleted.isEmpty && refreshed.isEmpty && merged.isEmpty }
}
