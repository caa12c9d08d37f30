import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage
import Foundation

/// A store of the program's own behind the engine's contract.
///
/// Invariant: `store` is set before the store is attached, and outlives every call. Calls are made one at a time, under
/// `lock`, which the store's own calls back into the engine may take again.
///
/// Unchecked Sendable: `store` is written once, before anybody else has this object.
final class IncrementalRowStore: RowStore, @unchecked Sendable {
    let runtime: ModelRuntime
    let number: Int32
    let rowCache: RowCache
    let references: ReferenceTable
    weak var store: NSIncrementalStore?
    private let lock = NSRecursiveLock()
    private let storedMetadata: LockedValue<StoreMetadata>

    init(runtime: ModelRuntime, number: Int32, type: String) {
        self.runtime = runtime
        self.number = number
        rowCache = RowCache(model: runtime.resolved)
        references = ReferenceTable(store: number)
        storedMetadata = LockedValue(StoreMetadata(identifier: UUID().uuidString, type: type, values: [:]))
    }

    var model: ResolvedModel { runtime.resolved }
    var metadata: StoreMetadata { storedMetadata.withLock { $0 } }
    func setMetadata(_ metadata: StoreMetadata) { storedMetadata.withLock { $0 = metadata } }

    /// Calls the program's store on behalf of the context that asks.
    func asking<Result>(_ body: (NSIncrementalStore, NSManagedObjectContext) throws -> Result) throws -> Result {
        guard let store else { throw StoreError.closed(path: metadata.identifier) }
        guard let context = AskingContext.current else {
            throw StoreError.unsupported("A store of the class \(type(of: store)) can be asked by contexts only.")
        }
        return try lock.withLock { try body(store, context) }
    }

    /// Reports to the coordinator of the context that asks.
    private func watch(_ context: NSManagedObjectContext) -> RoundTripWatch {
        DiagnosticInterests.wanted.isEmpty
            ? RoundTripWatch(nil) : RoundTripWatch(context.persistentStoreCoordinator?.reporter(for: store?.url))
    }

    func objectID(for key: RowKey) -> NSManagedObjectID {
        NSManagedObjectID(
            key: key, entity: runtime.entities[Int(key.entity)].entity, storeIdentifier: metadata.identifier, store: store,
            referenceText: references.text(of: key.primaryKey))
    }

    func fetch(_ plan: FetchPlan) throws -> FetchOutcome {
        try asking { store, context in
            try watch(context).read(.fetch, rows: \.rowCount) {
                let answer = try store.execute(IncrementalFetch.request(for: plan, runtime, in: context), with: context)
                return try IncrementalFetch(plan: plan, context: context, storeClass: "\(type(of: store))").outcome(answer)
            }
        }
    }

    func rows(for keys: [RowKey], staleAfter: Double) throws -> [RowBlock] {
        try asking { store, context in
            var result: [RowBlock] = [], wanted: [RowKey] = []
            for key in keys {
                if let known = rowCache.row(for: key), staleAfter < 0 || RowClock.now - known.storage.header.readAt <= staleAfter {
                    result.append(known)
                } else {
                    wanted.append(key)
                }
            }
            let read = try watch(context).read(.rows, rows: { wanted.isEmpty ? nil : $0.count }) {
                try wanted.compactMap { try row(for: $0, store, context) }
            }
            rowCache.adopt(read)
            return result + read
        }
    }

    func relatedKeys(of owners: [RowKey], through relationship: PropertyReference) throws -> [[RowKey]] {
        try asking { store, context in
            try watch(context).read(.relationship, rows: { $0.reduce(0) { $0 + $1.count } }) {
                try owners.map { try related(to: $0, relationship, store, context) }
            }
        }
    }

    func reserveKeys(entity: Int, count: Int) throws -> [RowKey] {
        throw StoreError.unsupported("A store of the program’s own names its records itself: see obtainPermanentIDs(for:).")
    }

    func commit(_ batch: ChangeBatch) throws -> CommitOutcome {
        try asking { store, context in try watch(context).commit(batch) { try commit(batch, to: store, context) } }
    }

    private func commit(_ batch: ChangeBatch, to store: NSIncrementalStore, _ context: NSManagedObjectContext) throws -> CommitOutcome {
        func objects(_ keys: [RowKey]) -> Set<NSManagedObject> { Set(keys.compactMap { context.registered($0) }) }
        _ = try store.execute(NSSaveChangesRequest(
            inserted: objects(batch.inserted.map(\.key)), updated: objects(batch.updated.map(\.key)),
            deleted: objects(batch.deleted.map(\.key)), locked: nil), with: context)
        let receipt = CommitReceipt(
            inserted: batch.inserted.map { row($0.key, version: 1, $0.values) },
            updated: batch.updated.map { row($0.key, version: $0.expectedVersion + 1, $0.values) })
        rowCache.remove(batch.deleted.map(\.key))
        rowCache.adopt(receipt.inserted + receipt.updated)
        return .committed(receipt)
    }

    private func noBatches() -> StoreError {
        .unsupported("Batch requests cannot be executed on a store of the program’s own: change objects and save. Leave the store "
            + "out with affectedStores where others are meant.")
    }

    func insertBatch(_ plan: BatchInsertPlan, from source: any BatchRowSource) throws -> BatchReceipt { throw noBatches() }
    func updateBatch(_ plan: BatchUpdatePlan) throws -> BatchReceipt { throw noBatches() }
    func deleteBatch(_ plan: BatchDeletePlan) throws -> BatchReceipt { throw noBatches() }

    func close() throws { rowCache.removeAll() }

    // MARK: Values

    private func row(_ key: RowKey, version: Int64, _ values: ContiguousArray<AttributeValue>) -> RowBlock {
        RowBlock.make(layout: runtime.entities[Int(key.entity)].layout, key: key, version: version, values: values)
    }

    /// nil when the record does not exist.
    private func row(for key: RowKey, _ store: NSIncrementalStore, _ context: NSManagedObjectContext) throws -> RowBlock? {
        let id = objectID(for: key)
        let node: NSIncrementalStoreNode
        do { node = try store.newValuesForObject(with: id, with: context) } catch {
            let known = error as NSError
            if known.domain == NSCocoaErrorDomain, known.code == NSManagedObjectReferentialIntegrityError { return nil }
            throw error
        }
        let entity = runtime.entities[Int(key.entity)]
        var values = ContiguousArray(repeating: AttributeValue.null, count: entity.layout.slotCount)
        for property in entity.resolved.properties where property.isStored && property.storage != .toMany {
            if property.storage != .toOne {
                values[property.slot] = try attribute(node.value(named: property.name), property, entity, id)
                continue
            }
            let given = node.value(named: property.name).map { destination($0).map { [$0] } ?? [] }
            let reference = PropertyReference(entity: property.declaringEntity, slot: property.slot)
            if let target = try (given ?? related(to: key, reference, store, context)).first { values[property.slot] = .reference(target) }
        }
        return row(key, version: Int64(truncatingIfNeeded: node.version), values)
    }

    private func attribute(
        _ given: Any?, _ property: ResolvedProperty, _ entity: EntityRuntime, _ id: NSManagedObjectID
    ) throws -> AttributeValue {
        if let value = ValueBridging.value(from: given, for: property, of: entity.entity) { return value }
        throw StoreError.invalidRequest("The store gave a \(given.map { "\(type(of: $0))" } ?? "nil") for “\(entity.name).\(property.name)” of "
            + "\(id.uriRepresentation()); a \(ValueBridging.desiredType(of: property)) is needed.")
    }

    private func related(
        to owner: RowKey, _ reference: PropertyReference, _ store: NSIncrementalStore, _ context: NSManagedObjectContext
    ) throws -> [RowKey] {
        let entity = runtime.entities[Int(owner.entity)]
        let name = entity.resolved.properties[reference.slot].name
        guard let description = entity.entity.relationshipsByName[name] else { return [] }
        let value = try store.newValue(forRelationship: description, forObjectWith: objectID(for: owner), with: context)
        if let single = destination(value) { return [single] }
        return members(value).compactMap(destination)
    }

    private func members(_ value: Any) -> [Any] {
        switch value {
        case let array as [Any]: array
        case let set as NSSet: set.allObjects
        case let ordered as NSOrderedSet: ordered.array
        default: []
        }
    }

    private func destination(_ value: Any) -> RowKey? {
        if let object = value as? NSManagedObject { return object.key }
        guard let id = value as? NSManagedObjectID else { return nil }
        return AskingContext.current?.localKey(id)
    }
}
