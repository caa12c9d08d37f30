import CoreDataSchema
import CoreDataStorage

/// Executing batch requests: each store in one transaction; contexts are not told.
extension NSPersistentStoreCoordinator {
    /// The result of a batch request; nil for requests of other kinds.
    func executeBatch(_ request: NSPersistentStoreRequest, for context: NSManagedObjectContext) throws -> NSPersistentStoreResult? {
        try translating {
            switch request {
            case let request as NSBatchInsertRequest:
                let receipt = try insert(request, context.mergePolicy as? NSMergePolicy)
                return NSBatchInsertResult(result: result(receipt, request.resultType.rawValue, [.status, .keys, .count], context), resultType: request.resultType)
            case let request as NSBatchUpdateRequest:
                let receipt = try update(request)
                return NSBatchUpdateResult(result: result(receipt, request.resultType.rawValue, [.status, .keys, .count], context), resultType: request.resultType)
            case let request as NSBatchDeleteRequest:
                let receipt = try delete(request)
                return NSBatchDeleteResult(result: result(receipt, request.resultType.rawValue, [.status, .keys, .count], context), resultType: request.resultType)
            default: return nil
            }
        }
    }

    /// `answers` by the raw value of the request's result type.
    private func result(
        _ receipt: BatchReceipt, _ type: UInt, _ answers: [BatchAnswer], _ context: NSManagedObjectContext
    ) -> Any? {
        switch answers[Int(type)] {
        case .status: NSNumber(value: true)
        case .count: NSNumber(value: receipt.count)
        case .keys: receipt.keys.map { context.makeObjectID(for: $0) }
        }
    }

    // MARK: Stores

    /// The stores a request is for. Read-only ones are refused before anything is written.
    private func writable(_ stores: [NSPersistentStore]) throws -> [NSPersistentStore] {
        if let closed = stores.first(where: \.isReadOnly) { throw closed.refusal }
        return stores
    }

    private func runtime(of subject: RequestSubject) throws -> EntityRuntime {
        let entity = try subject.resolve(in: managedObjectModel)
        guard let index = entity.resolvedEntity?.index else { throw FetchRequestError.noEntity }
        return runtime.entities[index]
    }

    // MARK: Requests

    private func insert(_ request: NSBatchInsertRequest, _ policy: NSMergePolicy?) throws -> BatchReceipt {
        let entity = try runtime(of: request.subject)
        let attached = persistentStores
        if attached.isEmpty { throw ErrorTranslation.noStores() }
        let holding = attached.filter { store in
            store.entities.contains(entity.index) && request.affectedStores?.contains { $0 === store } ?? true
        }
        guard let store = holding.first(where: { !$0.isReadOnly }) ?? holding.first else {
            throw StoreError.invalidRequest("No attached store’s configuration holds the entity “\(entity.name)”, so rows cannot be inserted.")
        }
        let columns = BatchColumns(entity, store: try writable([store])[0])
        let plan = try BatchPlanner.insert(request, columns, policy)
        return try store.rowStore.insertBatch(plan, from: BatchPlanner.source(of: request, columns))
    }

    private func update(_ request: NSBatchUpdateRequest) throws -> BatchReceipt {
        let entity = try runtime(of: request.subject)
        var selection = FetchPlan(entity: entity.index)
        selection.stores = request.affectedStores?.map(\.rowStore.number)
        var receipt = BatchReceipt()
        // A transformable's value differs by store: everything is planned before the first is written.
        let plans = try writable(stores(for: selection)).map { store in
            (store, try BatchPlanner.update(request, BatchColumns(entity, store: store)))
        }
        for (store, plan) in plans { receipt.add(try store.rowStore.updateBatch(plan)) }
        return receipt
    }

    private func delete(_ request: NSBatchDeleteRequest) throws -> BatchReceipt {
        let answer: BatchAnswer = switch request.resultType {
        case .resultTypeStatusOnly: .status
        case .resultTypeCount: .count
        case .resultTypeObjectIDs: .keys
        }
        var selections: [(NSPersistentStore, BatchDeletePlan.Selection)] = []
        switch try BatchPlanner.selection(request, in: self) {
        case .fetch(let plan):
            let stores = try writable(stores(for: plan))
            if stores.count > 1, plan.limit > 0 || plan.offset > 0 {
                // The window is one over all stores.
                guard case .keys(let keys) = try fetch(plan) else { return BatchReceipt() }
                selections = try byStore(keys)
            } else {
                selections = stores.map { ($0, .fetch(plan)) }
            }
        case .keys(let keys):
            let affected = request.affectedStores?.map(\.rowStore.number)
            selections = try byStore(keys.filter { affected?.contains($0.store) ?? true })
        }
        var receipt = BatchReceipt()
        for (store, selection) in selections {
            var plan = BatchDeletePlan(selection)
            plan.answer = answer
            receipt.add(try store.rowStore.deleteBatch(plan))
        }
        return receipt
    }

    private func byStore(_ keys: [RowKey]) throws -> [(NSPersistentStore, BatchDeletePlan.Selection)] {
        let groups = Dictionary(grouping: keys, by: \.store).sorted { $0.key < $1.key }
        let stores = try writable(groups.compactMap { store(number: $0.key) })
        return zip(stores, groups).map { ($0, .keys($1.value)) }
    }
}

extension BatchReceipt {
    fileprivate mutating func add(_ other: BatchReceipt) {
        count += other.count
        keys += other.keys
    }
}
