import CoreDataSchema
import CoreDataStorage

// MARK: Keys to objects

extension NSManagedObjectContext {
    /// The registered object of a key.
    package func registered(_ key: RowKey) -> NSManagedObject? {
        if let object = registry?[key] { return object }
        if key.isTemporary, let permanent = formerKeys[key.primaryKey] { return registry?[permanent] }
        return nil
    }

    /// What a key is by now: objects known by temporary ones get others when they are saved.
    func permanentKey(of key: RowKey) -> RowKey {
        key.isTemporary ? formerKeys[key.primaryKey] ?? key : key
    }

    /// The object of a key: the registered one, or a new fault.
    package func object(for key: RowKey) -> NSManagedObject {
        registered(key) ?? makeFault(key)
    }

    package func objects(for keys: [RowKey]) -> [NSManagedObject] {
        registry?.all(keys) ?? keys.map { object(for: $0) }
    }

    /// The object of a key that the program asks for. A loaded one that nobody holds may be out of date, and is made anew.
    func askedObject(for key: RowKey) -> NSManagedObject {
        if !retainsRegisteredObjects { registry?.forgetUnheld(permanentKey(of: key)) }
        return object(for: key)
    }

    func makeFault(_ key: RowKey) -> NSManagedObject {
        let key = key.isTemporary ? familyKey(of: key) : key
        if !pending.forgotten.isEmpty, let former = pending.forgotten[key] { return former }
        let object = materialize(key, requireRuntime().entities[Int(key.entity)])
        registry?.insert(object)
        return object
    }

    @inline(__always)
    private func materialize(_ key: RowKey, _ runtime: EntityRuntime) -> NSManagedObject {
        let object = runtime.objectClass.init(entity: runtime.entity, insertInto: nil)
        // Nobody else knows the object yet.
        object.key = key
        object.anchor = anchor
        object.state = isChecked ? [.fault, .guarded] : .fault
        return object
    }

    /// Objects for fetched rows: one a key; new ones are faults that already hold their row.
    func materialize(_ rows: [RowBlock], asFaults: Bool) -> [NSManagedObject] {
        let runtime = requireRuntime()
        adoptParentKeys()
        let known = (retainsRegisteredObjects ? registry?.known(rows) : registry?.held(rows)) ?? []
        var result: [NSManagedObject] = [], made: [NSManagedObject] = []
        result.reserveCapacity(rows.count)
        var entity = runtime.entities.first
        func make(_ row: RowBlock) -> NSManagedObject? {
            let key = row.key
            if entity?.index != Int(key.entity) { entity = runtime.entities[Int(key.entity)] }
            guard let entity else { return nil }
            let object = materialize(key, entity)
            object.row = row
            return object
        }
        if known.isEmpty {
            for row in rows { if let object = make(row) { result.append(object) } }
            made = result
        } else {
            for (index, row) in rows.enumerated() {
                if let object = known[index] {
                    if object.state.contains(.fault) { object.row = row }
                    result.append(object)
                } else if let object = make(row) {
                    made.append(object)
                    result.append(object)
                }
            }
        }
        registry?.insert(all: made)
        if !asFaults { for object in result { object.fire(quietly: true) } }
        if !retainsRegisteredObjects { registry?.sweepIfDue(held: made.count) }
        return result
    }

    /// The row a fault shows when it fires; nil when it is gone.
    func currentRow(of object: NSManagedObject) -> RowBlock? {
        if showsCurrentRow(object) { return object.row }
        do {
            if fetchBatches != nil, let row = try loadBatch(of: object) { return row }
            return try rows(for: [object.key]).first
        } catch { unreadable(object, error) }
    }

    /// Whether the row a fault holds is known to be the newest.
    func showsCurrentRow(_ object: NSManagedObject) -> Bool {
        guard let row = object.row, row.generation != 0, stalenessInterval < 0 else { return false }
        return row.generation == cacheGeneration(ofStore: object.key.store)
    }

    /// A row that cannot be read is not a row that is gone: Apple raises here, and nil would pass for a deletion.
    private func unreadable(_ object: NSManagedObject, _ error: any Error) -> Never {
        raise(.objectInaccessible, "CoreData could not fulfill a fault for ‘\(object.objectID.uriRepresentation())’: \(error)")
    }

    /// The generation of a store's row cache; the cache asked last is remembered.
    private func cacheGeneration(ofStore number: Int32) -> UInt64? {
        if let last = anchor.lastCache, last.store == number { return last.cache.generation }
        guard let cache = coordinatorStorage?.store(number: number)?.rowStore.rowCache else { return nil }
        anchor.lastCache = (number, cache)
        return cache.generation
    }

    /// Rows from the parent or the stores.
    func rows(for keys: [RowKey]) throws -> [RowBlock] {
        if let parent = parentStorage { return try asking(parent) { try parent.rowsForChild(keys) } }
        guard let coordinator = coordinatorStorage else { return [] }
        return try coordinator.asked(by: self) {
            try coordinator.rows(for: keys.filter { !$0.isTemporary }, staleAfter: stalenessInterval)
        }
    }

    /// Members of a to-many as the parent or store has them.
    func storedMembers(of object: NSManagedObject, through relationship: PropertyReference) -> [RowKey] {
        if let parent = parentStorage {
            // What was inserted here and never saved means nothing there.
            if object.state.contains(.inserted), object.row == nil { return [] }
            return asking(parent) { parent.membersForChild(object.key, relationship.slot) }
        }
        guard let coordinator = coordinatorStorage, !object.key.isTemporary else { return [] }
        do {
            return try coordinator.asked(by: self) { try coordinator.relatedKeys(of: [object.key], through: relationship).first ?? [] }
        } catch { unreadable(object, error) }
    }

    // MARK: IDs

    func makeObjectID(for key: RowKey, entity: NSEntityDescription? = nil) -> NSManagedObjectID {
        let entity = entity ?? requireRuntime().entities[Int(key.entity)].entity
        let store = key.store == 0 ? nil : persistentStoreCoordinator?.store(number: key.store)
        return NSManagedObjectID(
            key: key, entity: entity, storeIdentifier: store?.identifier, store: store, referenceText: store?.referenceText(of: key))
    }

    /// IDs of many keys, mostly of one store.
    func makeObjectIDs(for keys: [RowKey]) -> [NSManagedObjectID] {
        let entities = requireRuntime().entities
        var last: (number: Int32, store: NSPersistentStore?, identifier: String?)?
        return keys.map { key in
            if last?.number != key.store {
                let store = key.store == 0 ? nil : persistentStoreCoordinator?.store(number: key.store)
                last = (key.store, store, store?.identifier)
            }
            return NSManagedObjectID(
                key: key, entity: entities[Int(key.entity)].entity, storeIdentifier: last?.identifier, store: last?.store,
                referenceText: last?.store?.referenceText(of: key))
        }
    }

    func knownObject(_ objectID: NSManagedObjectID) -> NSManagedObject? {
        checkQueue()
        adoptParentKeys()
        guard let key = localKey(objectID) else { return nil }
        return registered(key)
    }

    func assumedObject(_ objectID: NSManagedObjectID) -> NSManagedObject {
        checkQueue()
        adoptParentKeys()
        guard let key = localKey(objectID) else {
            raise(.invalidArgument, "The object ID \(objectID.uriRepresentation()) belongs to another model or store.")
        }
        return askedObject(for: key)
    }

    func storedObject(_ objectID: NSManagedObjectID) throws -> NSManagedObject {
        checkQueue()
        adoptParentKeys()
        guard let key = localKey(objectID) else { throw ErrorTranslation.missingObject(objectID) }
        if !retainsRegisteredObjects { registry?.forgetUnheld(key) }
        if let known = registered(key), !known.isUnfired {
            if known.state.contains(.inaccessible) { throw ErrorTranslation.missingObject(objectID) }
            try ErrorTranslation.translating { try known.row?.checkExternalFiles() }
            try known.readTransformables()
            return known
        }
        if key.isTemporary, parentStorage == nil, formerKeys[key.primaryKey] == nil {
            throw ErrorTranslation.missingObject(objectID)
        }
        guard let row = try rows(for: [key]).first else { throw ErrorTranslation.missingObject(objectID) }
        try ErrorTranslation.translating { try row.checkExternalFiles() }
        let object = registered(row.key) ?? makeFault(row.key)
        if object.isUnfired {
            object.row = row
            object.fire(quietly: true)
        }
        try object.readTransformables()
        return object
    }

    /// The ID's key in this context's model; nil for an ID of another model or of a store that is not attached.
    func localKey(_ objectID: NSManagedObjectID) -> RowKey? {
        guard let runtime = modelRuntime, let name = objectID.entity.name, let index = runtime.resolved.indexByName[name] else { return nil }
        if objectID.key.isTemporary {
            return familyKey(of: RowKey(primaryKey: objectID.key.primaryKey, entity: Int32(index)))
        }
        guard let coordinator = persistentStoreCoordinator, let identifier = objectID.storeIdentifier,
              let store = coordinator.store(identifier: identifier)
        else { return nil }
        if let text = objectID.referenceText { return store.key(forReferenceText: text, entity: index) }
        return RowKey(primaryKey: objectID.key.primaryKey, entity: Int32(index), store: store.rowStore.number)
    }

    func makePermanent(_ objects: [NSManagedObject]) throws {
        checkQueue()
        adoptParentKeys()
        let unsaved = objects.filter { $0.key.isTemporary && $0.anchor === anchor }
        guard !unsaved.isEmpty else { return }
        guard let coordinator = persistentStoreCoordinator else { throw ErrorTranslation.noStores() }
        var keys: [RowKey?] = []
        if let parent = parentStorage {
            // The parent may hold the same object already and must agree on its key.
            keys = try parent.runAndWait { () throws -> [RowKey?] in
                let known = unsaved.map { parent.registered($0.key) }
                try parent.obtainPermanentIDs(for: known.compactMap { $0 })
                return known.map { $0?.key }
            }
        } else {
            keys = unsaved.map { _ in nil }
        }
        var rekeyed = zip(unsaved, keys).compactMap { pair in pair.1.map { (object: pair.0, key: $0) } }
        let rest = zip(unsaved, keys).filter { $1 == nil }.map(\.0)
        let stores = try rest.map { try coordinator.storeForInsertion(of: $0) }
        for (_, group) in Dictionary(grouping: zip(rest, stores), by: { ObjectIdentifier($0.1) }) {
            let keys = try coordinator.translating { try group[0].1.reserveKeys(for: group.map(\.0)) }
            guard keys.count == group.count else { throw ErrorTranslation.noStores() }
            rekeyed += zip(group, keys).map { (object: $0.0, key: $1) }
        }
        rekey(rekeyed)
    }

    /// Puts objects under their permanent keys, and rewrites every reference to the temporary ones.
    func rekey(_ changes: [(object: NSManagedObject, key: RowKey)]) {
        guard !changes.isEmpty else { return }
        var map: [Int64: RowKey] = [:]
        let hasChildren = !children.all.isEmpty
        let mustMap = hasChildren || undoStorage != nil || !pending.event.before.isEmpty || holdsTemporaryReferences
        if mustMap { map.reserveCapacity(changes.count) }
        var moved: [(object: NSManagedObject, from: RowKey)] = []
        moved.reserveCapacity(changes.count)
        for (object, key) in changes where object.key != key {
            if mustMap, object.key.isTemporary { map[object.key.primaryKey] = key }
            if object.key.isTemporary, hasChildren || object.cachedID != nil {
                // Somebody has its temporary ID and may ask by it.
                formerKeys.note(object.key.primaryKey, key, identifier: object.cachedID)
            }
            moved.append((object, object.key))
            object.rename(to: key)
        }
        registry?.move(moved)
        sweepFormerKeysIfDue()
        guard mustMap else { return }
        rewriteReferences(map)
        pending.event.rewrite(map)
        if hasChildren { persistentStoreCoordinator?.keyGeneration.add(1, ordering: .releasing) }
        journal.rewrite(map)
    }

    /// Whether any unsaved object refers to another unsaved one.
    private var holdsTemporaryReferences: Bool {
        [pending.inserted, pending.updated, pending.deleted].joined().contains { object in
            if object.toMany?.isEmpty == false { return true }
            guard let edits = object.edits else { return false }
            return object.runtime.toOneSlots.contains { slot in
                if case .reference(let key) = edits[slot] { key.isTemporary } else { false }
            }
        }
    }

    private func rewriteReferences(_ map: [Int64: RowKey]) {
        for object in [pending.inserted, pending.updated, pending.deleted].joined() { object.rewriteReferences(map) }
    }

    func assignChecked(_ object: Any, to store: NSPersistentStore) {
        checkQueue()
        guard let object = object as? NSManagedObject else { return }
        guard object.key.isTemporary else {
            raise(.invalidArgument, "Can’t reassign an object to a different store once it has been saved.")
        }
        object.assignedStore = store.rowStore.number
    }
}
