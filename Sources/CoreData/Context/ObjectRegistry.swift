import CoreDataSchema
import CoreDataStorage

/// The identity map of a context: one object a key.
///
/// It holds objects strongly and lets go, in a sweep, of those nobody else holds and that have no changes: at most after
/// the map has doubled, and whenever it is asked what is registered. So no object unregisters in `deinit`, on whatever
/// thread that would be. Invariant: used on the context's queue only.
package struct ObjectRegistry {
    /// By store number, then root entity.
    private var tables: [[KeyTable<NSManagedObject>]] = []
    private let roots: [Int]
    private var sweepAt = 4_096
    package private(set) var count = 0
    /// Told which keys came (true) and went (false); nil unless a store wants to know.
    var follower: (([RowKey], Bool) -> Void)?

    package init(model: ResolvedModel) { roots = model.entities.map(\.rootIndex) }

    package subscript(key: RowKey) -> NSManagedObject? {
        let store = Int(key.store)
        guard store < tables.count else { return nil }
        return tables[store][roots[Int(key.entity)]][key.primaryKey]
    }

    /// The objects of some keys; nil unless all are known, and of one entity's family.
    func all(_ keys: [RowKey]) -> [NSManagedObject]? {
        guard let first = keys.first, first.store < tables.count else { return keys.isEmpty ? [] : nil }
        let table = tables[Int(first.store)][roots[Int(first.entity)]]
        var objects: [NSManagedObject] = []
        objects.reserveCapacity(keys.count)
        for key in keys {
            guard key.store == first.store, key.entity == first.entity || roots[Int(key.entity)] == roots[Int(first.entity)],
                  let object = table[key.primaryKey] else { return nil }
            objects.append(object)
        }
        return objects
    }

    package mutating func insert(_ object: NSManagedObject) {
        let store = Int(object.key.store)
        grow(toStore: store)
        if tables[store][roots[Int(object.key.entity)]].insert(object, for: object.key.primaryKey) == nil {
            count += 1
            follower?([object.key], true)
        }
    }

    /// The known objects of some rows, nil where there is none.
    func known(_ rows: [RowBlock]) -> [NSManagedObject?] { count == 0 ? [] : rows.map { self[$0.key] } }

    /// The same, letting go of loaded objects that nobody else holds: what they show may be old, and nobody could tell them from new ones.
    mutating func held(_ rows: [RowBlock]) -> [NSManagedObject?] {
        if count == 0 { return [] }
        return rows.map { row in
            forgetUnheld(row.key)
            return self[row.key]
        }
    }

    /// Lets go of a loaded, clean object that nobody but this map holds or observes.
    mutating func forgetUnheld(_ key: RowKey) {
        if let object = self[key], object.state.contains(.fault) { return }
        if !isHeld(key) { remove(key) }
    }

    /// Many new objects, mostly of one entity.
    mutating func insert(all objects: [NSManagedObject]) {
        guard let first = objects.first else { return }
        if objects.count > 256 { reserve(objects.count, entity: Int(first.key.entity), store: first.key.store) }
        guard follower == nil else {
            for object in objects { insert(object) }
            return
        }
        let store = Int(first.key.store), root = roots[Int(first.key.entity)]
        grow(toStore: store)
        // Out of the tables meanwhile: going through them costs more than the insertion.
        var table = KeyTable<NSManagedObject>(), others: [NSManagedObject] = []
        swap(&table, &tables[store][root])
        let before = table.count
        for object in objects {
            let key = object.key
            if Int(key.store) == store, key.entity == first.key.entity || roots[Int(key.entity)] == root {
                table.insert(object, for: key.primaryKey)
            } else {
                others.append(object)
            }
        }
        count += table.count - before
        swap(&table, &tables[store][root])
        for object in others { insert(object) }
    }

    /// Takes objects from their old keys to the ones they have now.
    mutating func move(_ objects: [(object: NSManagedObject, from: RowKey)]) {
        if objects.count > 256, let first = objects.first?.object {
            reserve(objects.count, entity: Int(first.key.entity), store: first.key.store)
        }
        if follower == nil, dropAll(objects) {
            for (object, _) in objects { insert(object) }
            return
        }
        for (object, old) in objects {
            remove(old)
            insert(object)
        }
    }

    /// Empties the table of temporary keys at once where all its objects move; false where they do not.
    private mutating func dropAll(_ objects: [(object: NSManagedObject, from: RowKey)]) -> Bool {
        guard objects.count > 16, let first = objects.first?.from, !tables.isEmpty else { return false }
        let root = roots[Int(first.entity)]
        guard tables[0][root].count == objects.count,
              objects.allSatisfy({ $0.from.store == 0 && roots[Int($0.from.entity)] == root && tables[0][root][$0.from.primaryKey] === $0.object })
        else { return false }
        tables[0][root].removeAll()
        count -= objects.count
        return true
    }

    package mutating func remove(_ key: RowKey) {
        let store = Int(key.store)
        guard store < tables.count else { return }
        if tables[store][roots[Int(key.entity)]].remove(key.primaryKey) != nil {
            count -= 1
            follower?([key], false)
        }
    }

    package mutating func reserve(_ extra: Int, entity: Int, store: Int32) {
        grow(toStore: Int(store))
        let root = roots[entity]
        tables[Int(store)][root].reserveCapacity(tables[Int(store)][root].count + extra)
    }

    package mutating func removeAll() {
        let gone = follower == nil ? [] : objects.map(\.key)
        tables = []
        count = 0
        follower?(gone, false)
    }

    package var objects: [NSManagedObject] {
        var result: [NSManagedObject] = []
        result.reserveCapacity(count)
        for store in tables { for table in store { table.forEach { result.append($1) } } }
        return result
    }

    /// Sweeps when the map has doubled. Where the objects the caller knows to be held are half of it or more, little could go.
    package mutating func sweepIfDue(held: Int) {
        if count <= sweepAt { return }
        if held * 2 >= count { sweepAt = held * 2 } else { sweep() }
    }

    /// Lets go of clean objects that only this map holds and nobody observes.
    package mutating func sweep() {
        let before = follower == nil ? [] : objects.map(\.key)
        count = 0
        for store in tables.indices {
            for root in tables[store].indices where tables[store][root].count > 0 {
                tables[store][root].removeUnheld {
                    $0.state.isDisjoint(with: [.inserted, .updated, .deleted, .observed])
                        || $0.state.isDisjoint(with: .pending) && !$0.isStillObserved()
                }
                count += tables[store][root].count
            }
        }
        sweepAt = max(4_096, count * 2)
        if let follower { follower(before.filter { self[$0] == nil }, false) }
    }

    /// Whether anybody but this map holds the object of a key or observes it, or it has changes.
    package mutating func isHeld(_ key: RowKey) -> Bool {
        let store = Int(key.store)
        guard store < tables.count else { return false }
        let root = roots[Int(key.entity)]
        if let object = tables[store][root][key.primaryKey],
           !object.state.isDisjoint(with: .pending) || object.state.contains(.observed) && object.isStillObserved() { return true }
        return tables[store][root].isHeldElsewhere(key.primaryKey)
    }

    private mutating func grow(toStore store: Int) {
        while tables.count <= store { tables.append(roots.map { _ in KeyTable() }) }
    }
}
