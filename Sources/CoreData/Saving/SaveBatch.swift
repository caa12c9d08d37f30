import CoreDataSchema
import CoreDataStorage

/// A context's changes on their way out: objects beside the values made of them, in the same order.
struct SaveBatch {
    /// New objects, changed ones, deleted ones: what the did-save note announces.
    private(set) var inserted: [NSManagedObject]
    private(set) var updated: [NSManagedObject]
    private(set) var deleted: [NSManagedObject]
    /// What a store has taken already.
    private var written: (inserted: [NSManagedObject], updated: [NSManagedObject]) = ([], [])
    /// One batch a store, with the objects its lists are parallel to.
    private(set) var stores: [Int32: StoreBatch] = [:]

    /// Rows of others whose derived attributes changed with the save.
    var derived: [RowKey] = []

    struct StoreBatch {
        var batch = ChangeBatch()
        var inserted: [NSManagedObject] = []
        var updated: [NSManagedObject] = []
        var deleted: [NSManagedObject] = []
    }

    init(of context: NSManagedObjectContext) {
        inserted = context.pending.insertedNow
        updated = context.pending.updatedNow
        deleted = context.pending.deletedNow
    }

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    /// A store has taken its part.
    mutating func drop(_ part: StoreBatch, of store: Int32) {
        stores[store] = nil
        written.inserted += part.inserted
        written.updated += part.updated
    }

    /// A merge policy changed objects: what is left to write is what they say now.
    mutating func renew(of context: NSManagedObjectContext) {
        inserted = written.inserted + context.pending.insertedNow
        updated = written.updated.filter { !$0.state.contains(.updated) } + context.pending.updatedNow
        deleted = context.pending.deletedNow
    }

    /// Makes the values for the stores. A new object's key stays temporary; `assignedStore` says where it goes.
    mutating func prepare(for coordinator: NSPersistentStoreCoordinator, in context: NSManagedObjectContext) throws {
        stores = [:]
        try chooseStores(coordinator)
        for (number, objects) in Self.byStore(written.inserted.isEmpty ? inserted : inserted.filter(\.isInserted)) {
            try add(number, coordinator, context) { part, store in
                part.inserted = objects
                part.batch.inserted.reserveCapacity(objects.count)
                for object in objects {
                    part.batch.inserted.append(InsertedRow(key: object.key, values: try Self.storable(object, for: store, in: context)))
                    Self.collectLinks(of: object, into: &part)
                }
            }
        }
        for (number, objects) in Self.byStore(updated) {
            try add(number, coordinator, context) { part, store in
                for object in objects where !object.state.contains(.inaccessible) && object.state.contains(.updated) {
                    try Self.addUpdate(of: object, to: &part, store: store, in: context)
                }
            }
        }
        for (number, objects) in Self.byStore(deleted) {
            try add(number, coordinator, context) { part, _ in
                for object in objects where object.state.isDisjoint(with: [.deletedElsewhere, .inaccessible]) {
                    guard let version = try context.versionForDeletion(of: object) else { continue }
                    part.batch.deleted.append(DeletedRow(key: object.key, expectedVersion: version))
                    part.deleted.append(object)
                }
            }
        }
        stores = stores.filter { !$0.value.batch.isEmpty }
    }

    /// Objects by their store; one group, without looking at more than the numbers, where there is one store.
    private static func byStore(_ objects: [NSManagedObject]) -> [(Int32, [NSManagedObject])] {
        guard let first = objects.first?.storeNumber else { return [] }
        if objects.allSatisfy({ $0.storeNumber == first }) { return [(first, objects)] }
        return Dictionary(grouping: objects, by: \.storeNumber).sorted { $0.key < $1.key }
    }

    private mutating func add(
        _ number: Int32, _ coordinator: NSPersistentStoreCoordinator, _ context: NSManagedObjectContext,
        _ fill: (inout StoreBatch, NSPersistentStore?) throws -> Void
    ) throws {
        // Taken out while it is filled, so that its arrays grow in place.
        var part = stores.removeValue(forKey: number) ?? StoreBatch()
        part.batch.author = context.transactionAuthor
        part.batch.contextName = context.name
        try fill(&part, coordinator.store(number: number))
        stores[number] = part
    }

    private func chooseStores(_ coordinator: NSPersistentStoreCoordinator) throws {
        var byEntity: [Int: Int32] = [:]
        var last: (entity: Int, store: Int32)?
        for object in inserted where object.storeNumber == 0 {
            let entity = object.runtime.index
            if let last, last.entity == entity {
                object.assignedStore = last.store
                continue
            }
            let store = try byEntity[entity] ?? coordinator.storeForInsertion(of: object).rowStore.number
            byEntity[entity] = store
            last = (entity, store)
            object.assignedStore = store
        }
    }

    private static func addUpdate(
        of object: NSManagedObject, to part: inout StoreBatch, store: NSPersistentStore?, in context: NSManagedObjectContext
    ) throws {
        let links = object.toMany?.values.contains { $0.isChanged } ?? false
        var slots = SlotSet()
        object.forEachChangedValue { if object.runtime.layout.isStored[$0] { slots.insert($0) } }
        guard links || !slots.isEmpty else { return }
        let version = object.row?.version ?? 0
        if let edits = object.edits, object.runtime.objectSlots.isEmpty {
            for slot in object.runtime.toOneSlots where slots.contains(slot) { try checkStore(of: edits[slot], object, slot, context) }
            part.batch.updated.append(edits.update(of: object.key, expecting: version, changing: slots))
        } else {
            part.batch.updated.append(UpdatedRow(
                key: object.key, expectedVersion: version, changedSlots: slots,
                values: try storable(object, for: store, in: context)))
        }
        part.updated.append(object)
        if links { collectLinks(of: object, into: &part) }
    }

    /// To-many changes the store must write itself. Of two to-many sides one speaks for both; an ordered side always speaks.
    private static func collectLinks(of object: NSManagedObject, into part: inout StoreBatch) {
        guard let toMany = object.toMany else { return }
        for (slot, many) in toMany where many.isChanged {
            let property = object.runtime.resolved.properties[slot]
            guard let relationship = property.relationship, !property.isTransient else { continue }
            let reference = PropertyReference(entity: property.declaringEntity, slot: slot)
            if let inverse = relationship.inverse, !relationship.isOrdered {
                let other = object.runtime.resolvedModel.entities[inverse.entity].properties[inverse.slot]
                if other.storage == .toOne { continue }
                let speaks = (reference.entity, reference.slot) <= (inverse.entity, inverse.slot)
                if !speaks, other.relationship?.isOrdered != true { continue }
            }
            if relationship.isOrdered { _ = object.loadedMembers(at: slot) }
            part.batch.links.append(LinkChange(
                owner: object.key, relationship: reference, added: Array(many.added), removed: Array(many.removed),
                order: relationship.isOrdered ? many.members?.keys : nil))
        }
    }

    /// Refuses a reference across stores.
    private static func checkStore(
        of value: AttributeValue, _ object: NSManagedObject, _ slot: Int, _ context: NSManagedObjectContext
    ) throws {
        guard case .reference(let key) = value else { return }
        let target = key.isTemporary ? context.registered(key)?.storeNumber ?? object.storeNumber : key.store
        if target != object.storeNumber { throw ErrorTranslation.crossStore(object, slot) }
    }

    /// The object's values as the store keeps them: transformables archived, and no reference across stores.
    private static func storable(
        _ object: NSManagedObject, for store: NSPersistentStore?, in context: NSManagedObjectContext
    ) throws -> ContiguousArray<AttributeValue> {
        let runtime = object.runtime
        if runtime.toOneSlots.isEmpty, runtime.objectSlots.isEmpty { return object.currentValues }
        var values = object.currentValues
        for slot in runtime.toOneSlots { try checkStore(of: values[slot], object, slot, context) }
        guard store?.archivesObjects ?? true, !runtime.objectSlots.isEmpty else { return values }
        for slot in runtime.objectSlots {
            guard case .object(let box) = values[slot] else { continue }
            let property = runtime.resolved.properties[slot]
            if property.storage == .object {
                let data = try Transformation.data(from: box.value, of: property, entity: runtime.name)
                values[slot] = data.map(AttributeValue.data) ?? .null
            }
        }
        return values
    }
}
