import CoreDataSchema
import CoreDataStorage

/// A context's changes on their way out: objects beside the values made of them, in the same order.
struct SaveBatch {
    /// New objects, changed ones, deleted ones: what the did-save note announces.
    let inserted: [NSManagedObject]
    let updated: [NSManagedObject]
    let deleted: [NSManagedObject]
    /// One batch a store, with the objects its lists are parallel to.
    private(set) var stores: [Int32: StoreBatch] = [:]

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

    /// Makes the values for the stores. A new object's key stays temporary; `assignedStore` says where it goes.
    mutating func prepare(for coordinator: NSPersistentStoreCoordinator, in context: NSManagedObjectContext) throws {
        stores = [:]
        try chooseStores(coordinator, context)
        for object in inserted {
            let store = coordinator.store(number: object.storeNumber)
            let row = InsertedRow(key: object.key, values: try storable(object, for: store, in: context))
            stores[object.storeNumber, default: StoreBatch()].batch.inserted.append(row)
            stores[object.storeNumber, default: StoreBatch()].inserted.append(object)
            collectLinks(of: object)
        }
        for object in updated where !object.state.contains(.inaccessible) {
            try addUpdate(of: object, store: coordinator.store(number: object.key.store), in: context)
        }
        for object in deleted where object.state.isDisjoint(with: [.deletedElsewhere, .inaccessible]) {
            guard let version = try context.versionForDeletion(of: object) else { continue }
            stores[object.key.store, default: StoreBatch()].batch.deleted.append(DeletedRow(key: object.key, expectedVersion: version))
            stores[object.key.store, default: StoreBatch()].deleted.append(object)
        }
        for number in stores.keys {
            stores[number]?.batch.author = context.transactionAuthor
            stores[number]?.batch.contextName = context.name
        }
    }

    private func chooseStores(_ coordinator: NSPersistentStoreCoordinator, _ context: NSManagedObjectContext) throws {
        var byEntity: [Int: NSPersistentStore] = [:]
        for object in inserted where object.storeNumber == 0 {
            let store = try byEntity[object.runtime.index] ?? coordinator.storeForInsertion(of: object)
            byEntity[object.runtime.index] = store
            object.assignedStore = store.rowStore.number
        }
    }

    private mutating func addUpdate(of object: NSManagedObject, store: NSPersistentStore?, in context: NSManagedObjectContext) throws {
        let links = object.toMany?.values.contains { $0.isChanged } ?? false
        var slots = SlotSet()
        for slot in object.changedSlots() where object.runtime.layout.isStored[slot] { slots.insert(slot) }
        guard links || !slots.isEmpty else { return }
        let row = UpdatedRow(
            key: object.key, expectedVersion: object.row?.version ?? 0, changedSlots: slots, values: try storable(object, for: store, in: context))
        stores[object.key.store, default: StoreBatch()].batch.updated.append(row)
        stores[object.key.store, default: StoreBatch()].updated.append(object)
        collectLinks(of: object)
    }

    /// To-many changes the store must write itself. Of two to-many sides one speaks for both; an ordered side always speaks.
    private mutating func collectLinks(of object: NSManagedObject) {
        for (slot, many) in object.toMany ?? [:] where many.isChanged {
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
            stores[object.storeNumber, default: StoreBatch()].batch.links.append(LinkChange(
                owner: object.key, relationship: reference, added: Array(many.added), removed: Array(many.removed),
                order: relationship.isOrdered ? many.members?.keys : nil))
        }
    }

    /// The object's values as the store keeps them: transformables archived, and no reference across stores.
    private func storable(
        _ object: NSManagedObject, for store: NSPersistentStore?, in context: NSManagedObjectContext
    ) throws -> ContiguousArray<AttributeValue> {
        var values = object.currentValues
        let runtime = object.runtime
        for slot in runtime.toOneSlots {
            guard case .reference(let key) = values[slot] else { continue }
            let target = key.isTemporary ? context.registered(key)?.storeNumber ?? object.storeNumber : key.store
            if target != object.storeNumber { throw ErrorTranslation.crossStore(object, slot) }
        }
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
