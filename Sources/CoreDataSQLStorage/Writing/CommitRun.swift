import CoreDataSchema
import CoreDataStorage
import Foundation
import SQLiteDriver

/// One commit while it runs: inside the transaction, under the store's lock.
///
/// Order: deletes, then unique values out of the way, then updates, inserts, to-many links, metadata. The first pass
/// collects every conflict; anything found rolls the whole batch back.
struct CommitRun {
    let store: SQLiteRowStore
    let connection: SQLiteConnection
    var batch: ChangeBatch
    var conflicts: [RowConflict] = []
    /// The cache's rows of the updated keys, parallel to the batch.
    var cached: [RowBlock?] = []
    /// Permanent keys of the inserted rows, parallel to the batch.
    var insertedKeys: [RowKey] = []
    /// Temporary to permanent primary keys.
    var permanent = KeyTable<RowKey>()
    var inserted: [RowBlock] = []
    var updated: [RowBlock] = []
    /// Rows of others that triggers changed.
    var derivedKeys: [RowKey] = []
    /// External files this run made; removed again when it fails.
    var createdFiles: [String] = []
    /// External files no row names any more; removed once the commit is done.
    var obsoleteFiles: [String] = []
    /// External files rows of the batch name.
    var keptFiles: Set<String> = []
    let now = RowClock.now

    init(store: SQLiteRowStore, connection: SQLiteConnection, batch: ChangeBatch) {
        self.store = store
        self.connection = connection
        self.batch = batch
    }

    var model: ResolvedModel { store.model }
    var schema: StoreSchema { store.schema }

    mutating func write() throws {
        try check()
        findCacheConflicts()
        try deleteRows()
        try vacateUniqueValues()
        try updateRows()
        guard conflicts.isEmpty else { return }
        try allocateKeys()
        try insertRows()
        try writeLinks()
        try readDerivedValues()
        if let metadata = store.pendingMetadata { try StoreMetadataFile.write(metadata, to: connection) }
    }

    /// Refuses a batch that does not fit the model before anything is written.
    private func check() throws {
        func check(_ key: RowKey, count: Int?) throws {
            let entity = Int(key.entity)
            guard model.entities.indices.contains(entity), schema.holds(entity) else {
                throw StoreError.invalidRequest(
                    "The store “\(store.url.lastPathComponent)” does not hold the entity “\(model.entities.indices.contains(entity) ? model.entities[entity].name : String(entity))”.")
            }
            if let count, count != model.entities[entity].properties.count {
                throw StoreError.invalidRequest(
                    "A row of “\(model.entities[entity].name)” came with \(count) values; it has \(model.entities[entity].properties.count) properties.")
            }
        }
        for row in batch.inserted {
            try check(row.key, count: row.values.count)
            if model.entities[Int(row.key.entity)].isAbstract {
                throw StoreError.invalidRequest(
                    "The entity “\(model.entities[Int(row.key.entity)].name)” is abstract: insert one of its subentities.")
            }
        }
        for row in batch.updated { try check(row.key, count: row.values.count) }
        for row in batch.deleted { try check(row.key, count: nil) }
        for link in batch.links where store.toMany(link.relationship) == nil || schema.links[link.relationship] == nil {
            throw StoreError.invalidRequest("The store has no to-many relationship \(store.describe(link.relationship)).")
        }
    }

    /// Rows whose newer version the cache knows already: the context's snapshot is behind.
    private mutating func findCacheConflicts() {
        cached = store.rowCache.rows(for: batch.updated.map(\.key))
        for (row, cached) in zip(batch.updated, cached) where !row.overridesConflicts {
            add(cached, newerThan: row.expectedVersion, key: row.key, isDelete: false)
        }
        for (row, cached) in zip(batch.deleted, store.rowCache.rows(for: batch.deleted.map(\.key))) where !row.overridesConflicts {
            add(cached, newerThan: row.expectedVersion, key: row.key, isDelete: true)
        }
    }

    private mutating func add(_ cached: RowBlock?, newerThan version: Int64, key: RowKey, isDelete: Bool) {
        guard let cached, cached.version > version else { return }
        conflicts.append(RowConflict(key: key, isDelete: isDelete, cached: cached, persisted: nil, isDeletedInStore: false))
    }

    private func isKnownConflict(_ key: RowKey) -> Bool { !conflicts.isEmpty && conflicts.contains { $0.key == key } }

    func writer(_ entity: Int32) throws -> EntityWriter {
        try store.writer(Int(entity))
    }

    /// The row under an update or delete was not the expected one.
    private mutating func addStoreConflict(_ key: RowKey, isDelete: Bool) throws {
        if isKnownConflict(key) { return }
        let persisted = try store.readRows([key], on: connection).first
        conflicts.append(RowConflict(
            key: key, isDelete: isDelete, cached: nil, persisted: persisted, isDeletedInStore: persisted == nil))
    }

    // MARK: rows

    private mutating func deleteRows() throws {
        for row in batch.deleted {
            let writer = try writer(row.key.entity)
            if writer.hasExternal { try noteExternalFiles(of: row.key, columns: writer.columns, table: writer.table) }
            let statement = try writer.delete(checksVersion: !row.overridesConflicts, on: connection)
            try statement.bind(1, row.key.primaryKey)
            if !row.overridesConflicts { try statement.bind(2, row.expectedVersion) }
            try statement.run()
            if connection.changes == 0, !row.overridesConflicts { try addStoreConflict(row.key, isDelete: true) }
            try removeLinks(of: row.key)
        }
    }

    /// Two rows may swap unique values: rows whose unique values change give them up first.
    private mutating func vacateUniqueValues() throws {
        guard batch.updated.count > 1 else { return }
        for row in batch.updated {
            let entity = model.entities[Int(row.key.entity)]
            if entity.uniquenessConstraints.isEmpty { continue }
            // One NULL in each constraint is enough: NULLs are distinct.
            var columns = Set<String>()
            for constraint in entity.uniquenessConstraints {
                if let slot = constraint.first(where: row.changedSlots.contains), let column = schema.column(entity.properties[slot]) {
                    columns.insert(column.name)
                }
            }
            if columns.isEmpty { continue }
            let table = try writer(row.key.entity).table
            let sets = columns.sorted().map { "\($0) = NULL" }.joined(separator: ", ")
            try connection.withStatement("UPDATE \(table) SET \(sets) WHERE Z_PK = ?") { statement in
                try statement.bind(1, row.key.primaryKey)
                try statement.run()
            }
        }
    }

    private mutating func updateRows() throws {
        // References to rows inserted by the same batch need their keys first.
        if !batch.inserted.isEmpty, batch.updated.contains(where: { row in row.values.contains { if case .reference(let key) = $0 { key.isTemporary } else { false } } }) {
            try allocateKeys()
        }
        for index in batch.updated.indices {
            let row = batch.updated[index]
            let writer = try writer(row.key.entity)
            let shape = EntityWriter.UpdateShape(slots: row.changedSlots, checksVersion: !row.overridesConflicts)
            let (statement, columns) = try writer.update(shape, on: connection)
            if columns.contains(where: \.isExternal) {
                try noteExternalFiles(of: row.key, columns: columns, table: writer.table)
            }
            let values = try externalised(resolved(row.values), columns, of: writer)
            let block: RowBlock
            var isComplete = false
            // Only the changed slots are the batch's; the others are what the store has.
            if let old = cached[index], old.version == row.expectedVersion, old.layout.entity == Int(row.key.entity) {
                block = RowBlock.changing(old, row.changedSlots, to: values, readAt: now)
                isComplete = !row.overridesConflicts && !writer.isDerived
            } else {
                block = RowBlock.make(
                    layout: store.layouts[Int(row.key.entity)], key: storedKey(row.key), version: row.expectedVersion + 1,
                    values: values, readAt: now)
            }
            var next = try bind(columns, of: block, to: statement, from: 1)
            try statement.bind(next, row.key.primaryKey)
            next += 1
            if !row.overridesConflicts { try statement.bind(next, row.expectedVersion) }
            try statement.run()
            if connection.changes == 0 {
                try addStoreConflict(row.key, isDelete: false)
            } else if isComplete {
                updated.append(block)
            } else if let stored = try store.readRows([row.key], on: connection).first {
                updated.append(stored)
            }
        }
    }

    private mutating func insertRows() throws {
        inserted.reserveCapacity(batch.inserted.count)
        var start = 0
        // Rows of one entity stand together more often than not: what belongs to the entity is looked up once a run.
        while start < insertedKeys.count {
            let entity = insertedKeys[start].entity
            let writer = try writer(entity)
            let statement = try writer.insert(on: connection)
            let (columns, layout) = (writer.columns, store.layouts[Int(entity)])
            try statement.bind(2, writer.number)
            while start < insertedKeys.count, insertedKeys[start].entity == entity {
                let key = insertedKeys[start]
                let block = RowBlock.make(
                    layout: layout, key: key, version: 1,
                    values: try externalised(resolved(batch.inserted[start].values), columns, of: writer), readAt: now)
                try statement.bind(1, key.primaryKey)
                _ = try bind(columns, of: block, to: statement, from: 3)
                try statement.run()
                inserted.append(block)
                start += 1
            }
        }
    }

    private func storedKey(_ key: RowKey) -> RowKey { RowKey(primaryKey: key.primaryKey, entity: key.entity, store: store.number) }

    /// Values with temporary references replaced and transformables still as objects.
    private func resolved(_ values: ContiguousArray<AttributeValue>) -> ContiguousArray<AttributeValue> {
        guard permanent.count > 0 else { return values }
        var result = values
        for slot in values.indices {
            // One that stays temporary is refused when it is bound.
            if case .reference(let key) = values[slot], key.isTemporary, let known = permanent[key.primaryKey] {
                result[slot] = .reference(known)
            }
        }
        return result
    }

    // MARK: keys

    /// Takes primary keys for the inserted rows from each root's `Z_MAX`.
    private mutating func allocateKeys() throws {
        guard insertedKeys.isEmpty, !batch.inserted.isEmpty else { return }
        var wanted: [Int: Int] = [:]
        for row in batch.inserted where row.key.isTemporary {
            wanted[model.entities[Int(row.key.entity)].rootIndex, default: 0] += 1
        }
        var next: [Int: Int64] = [:]
        for (root, count) in wanted { next[root] = try store.takeKeys(root: root, count: count, on: connection) }
        insertedKeys.reserveCapacity(batch.inserted.count)
        permanent.reserveCapacity(batch.inserted.count)
        var root = -1
        var free: Int64 = 0
        for row in batch.inserted {
            guard row.key.isTemporary else {
                insertedKeys.append(storedKey(row.key))
                continue
            }
            let rowRoot = model.entities[Int(row.key.entity)].rootIndex
            if rowRoot != root {
                if root >= 0 { next[root] = free }
                root = rowRoot
                free = next[root] ?? 1
            }
            let key = RowKey(primaryKey: free, entity: row.key.entity, store: store.number)
            free += 1
            insertedKeys.append(key)
            permanent.insert(key, for: row.key.primaryKey)
        }
    }

    /// The permanent key of a row of this batch or of the store.
    func permanentKey(_ key: RowKey) -> RowKey? { key.isTemporary ? permanent[key.primaryKey] : key }
}

extension SQLiteRowStore {
    /// First of `count` fresh primary keys of a root entity's table; inside a write transaction.
    func takeKeys(root: Int, count: Int, on connection: SQLiteConnection) throws -> Int64 {
        let highest = try highestKey(root: root, on: connection)
        try setHighestKey(highest + Int64(count), root: root, on: connection)
        return highest + 1
    }

    /// The highest primary key ever handed out for a root entity's table.
    func highestKey(root: Int, on connection: SQLiteConnection) throws -> Int64 {
        guard let table = schema.table(of: root) else { return 0 }
        let number = schema.entityNumbers[root]
        // Some old stores carry a Z_MAX below their highest key.
        let sql = "SELECT MAX(IFNULL((SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(number)), 0), IFNULL((SELECT MAX(Z_PK) FROM \(table.name)), 0))"
        return try connection.integer(sql) ?? 0
    }

    func setHighestKey(_ key: Int64, root: Int, on connection: SQLiteConnection) throws {
        try connection.withStatement("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?") { statement in
            try statement.bind(1, key)
            try statement.bind(2, schema.entityNumbers[root])
            try statement.run()
        }
    }
}
