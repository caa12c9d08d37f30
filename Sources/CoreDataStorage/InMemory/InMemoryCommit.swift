import CoreDataSchema

/// One commit of an in-memory store: first everything that can refuse it, then the writes.
struct InMemoryCommit {
    let batch: ChangeBatch
    let schema: InMemorySchema
    let store: Int32
    /// Permanent keys of the batch's inserted rows, by the key they came with.
    private var permanent: [RowKey: RowKey] = [:]
    private var inserted: [RowBlock] = []
    private var updated: [RowBlock] = []

    init(_ batch: ChangeBatch, _ schema: InMemorySchema, store: Int32) {
        self.batch = batch
        self.schema = schema
        self.store = store
    }

    /// Changes `state` only when the outcome is `.committed`; keys handed out on the way stay handed out.
    mutating func run(on state: inout InMemoryState) throws(StoreError) -> CommitOutcome {
        try checkKeys(state)
        let conflicts = conflicts(state)
        if !conflicts.isEmpty { return .conflicts(conflicts) }
        try assignKeys(&state)
        try makeRows(state)
        let collisions = ConstraintCheck(batch, schema).conflicts(state, inserted: inserted, updated: updated, given: permanent)
        if !collisions.isEmpty { return .constraintConflicts(collisions) }
        for deleted in batch.deleted { state.remove(deleted.key, schema) }
        for row in updated { state.put(row, schema) }
        for row in inserted { state.put(row, schema) }
        for link in batch.links { state.apply(resolve(link), schema) }
        return .committed(CommitReceipt(inserted: inserted, updated: updated))
    }

    private func checkKeys(_ state: InMemoryState) throws(StoreError) {
        for row in batch.inserted {
            let entity = try entity(of: row.key)
            if entity.isAbstract {
                throw .invalidRequest("Entity <\(entity.name)> is abstract: insert one of its subentities instead.")
            }
            try checkCount(row.values, entity)
            if !row.key.isTemporary && state.row(row.key, schema) != nil {
                throw .invalidRequest("A row of <\(entity.name)> with the primary key \(row.key.primaryKey) exists already.")
            }
        }
        for row in batch.updated { try checkCount(row.values, try entity(of: row.key)) }
        for row in batch.deleted { _ = try entity(of: row.key) }
        for link in batch.links {
            let owner = try entity(of: link.owner)
            guard schema.model.entities.indices.contains(link.relationship.entity),
                  schema.model.entities[link.relationship.entity].includes(owner.index),
                  owner.properties.indices.contains(link.relationship.slot),
                  owner.properties[link.relationship.slot].storage == .toMany
            else { throw .invalidRequest("Slot \(link.relationship.slot) of <\(owner.name)> is not a to-many relationship.") }
        }
    }

    private func entity(of key: RowKey) throws(StoreError) -> ResolvedEntity {
        guard schema.model.entities.indices.contains(Int(key.entity)) else {
            throw .invalidRequest("The change is of entity number \(key.entity), which the model does not have.")
        }
        return schema.model.entities[Int(key.entity)]
    }

    private func checkCount(_ values: ContiguousArray<AttributeValue>, _ entity: ResolvedEntity) throws(StoreError) {
        guard values.count == entity.properties.count else {
            throw .invalidRequest("A row of <\(entity.name)> came with \(values.count) values for \(entity.properties.count) properties.")
        }
    }

    private func conflicts(_ state: InMemoryState) -> [RowConflict] {
        var conflicts: [RowConflict] = []
        func check(_ key: RowKey, _ expected: Int64, _ overrides: Bool, isDelete: Bool) {
            let row = state.row(key, schema)
            if let row, overrides || row.version == expected { return }
            if row == nil && isDelete && overrides { return }
            conflicts.append(
                RowConflict(key: key, isDelete: isDelete, cached: row, persisted: nil, isDeletedInStore: row == nil))
        }
        for row in batch.updated { check(row.key, row.expectedVersion, row.overridesConflicts, isDelete: false) }
        for row in batch.deleted { check(row.key, row.expectedVersion, row.overridesConflicts, isDelete: true) }
        return conflicts
    }

    private mutating func assignKeys(_ state: inout InMemoryState) throws(StoreError) {
        for row in batch.inserted {
            var key = row.key
            key.store = store
            let root = schema.root(of: key)
            if key.isTemporary {
                key.primaryKey = state.reserve(1, root: root)
            } else if key.primaryKey >= state.nextKey(root: root) || key.primaryKey == 0 {
                throw .invalidRequest("The primary key \(key.primaryKey) was not reserved in this store.")
            }
            if permanent.updateValue(key, forKey: row.key) != nil {
                throw .invalidRequest("The row \(row.key.primaryKey) is inserted twice by one save.")
            }
        }
    }

    private mutating func makeRows(_ state: InMemoryState) throws(StoreError) {
        for row in batch.inserted {
            guard let key = permanent[row.key] else { continue }
            inserted.append(make(key, version: 1, row.values))
        }
        for row in batch.updated {
            guard let old = state.row(row.key, schema) else { continue }
            var values = old.values
            row.changedSlots.forEach { if values.indices.contains($0) { values[$0] = row.values[$0] } }
            updated.append(make(old.key, version: old.version + 1, values))
        }
    }

    private func make(_ key: RowKey, version: Int64, _ values: ContiguousArray<AttributeValue>) -> RowBlock {
        var values = values
        if !permanent.isEmpty {
            for slot in values.indices {
                if case .reference(let target) = values[slot], let known = permanent[target] { values[slot] = .reference(known) }
            }
        }
        return RowBlock.make(layout: schema.layouts[Int(key.entity)], key: key, version: version, values: values)
    }

    private func resolve(_ link: LinkChange) -> LinkChange {
        LinkChange(
            owner: permanentKey(link.owner), relationship: link.relationship, added: link.added.map(permanentKey),
            removed: link.removed.map(permanentKey), order: link.order?.map(permanentKey))
    }

    private func permanentKey(_ key: RowKey) -> RowKey {
        var key = permanent[key] ?? key
        key.store = store
        return key
    }
}
