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
        for row in batch.updated { try check(row.key, count: row.changedValues.count) }
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
            if writer.hasLinks { try removeLinks(of: row.key) }
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
        if !batch.inserted.isEmpty, batch.updated.contains(where: { row in row.changedValues.contains { if case .reference(let key) = $0 { key.isTemporary } else { false } } }) {
            try allocateKeys()
        }
        updated.reserveCapacity(batch.updated.count)
        for (index, row) in batch.updated.enumerated() {
            let writer = try writer(row.key.entity)
            let shape = EntityWriter.UpdateShape(slots: row.changedSlots, checksVersion: !row.overridesConflicts)
            let (statement, columns) = try writer.update(shape, on: connection)
            if columns.hasExternal {
                try noteExternalFiles(of: row.key, columns: columns.columns, table: writer.table)
            }
            let layout = store.layouts[Int(row.key.entity)]
            let values = try externalised(resolved(row.changedValues, layout), columns.columns, of: writer)
            let block: RowBlock
            var isComplete = false
            // Only the changed slots are the batch's; the others are what the store has.
            if let old = cached[index], old.version == row.expectedVersion, old.layout === layout {
                block = RowBlock.changing(old, row.changedSlots, to: values, readAt: now)
                isComplete = !row.overridesConflicts && !writer.isDerived
            } else {
                block = RowBlock.make(
                    layout: layout, key: storedKey(row.key), version: row.expectedVersion + 1,
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
            let end = insertedKeys[start...].firstIndex { $0.entity != entity } ?? insertedKeys.count
            let writer = try writer(entity)
            let atOnce = writer.rowsAtOnce
            // Preparing the long statement costs as much as some rows.
            if atOnce > 1, end - start >= 4 * atOnce {
                let statement = try writer.insertMany(on: connection)
                while end - start >= atOnce {
                    try insertRows(start..<start + atOnce, writer, statement)
                    start += atOnce
                }
            }
            let statement = try writer.insert(on: connection)
            while start < end {
                try insertRows(start..<start + 1, writer, statement)
                start += 1
            }
        }
    }

    /// Rows of one entity, as many as the statement takes.
    private mutating func insertRows(_ rows: Range<Int>, _ writer: EntityWriter, _ statement: SQLiteStatement) throws {
        let layout = store.layouts[writer.entity]
        var parameter: Int32 = 1
        for index in rows {
            let key = insertedKeys[index]
            let block = RowBlock.make(
                layout: layout, key: key, version: 1,
                values: try externalised(resolved(batch.inserted[index].values, layout), writer.columns, of: writer), readAt: now)
            try statement.bind(parameter, key.primaryKey)
            parameter = try bind(writer.list, of: block, to: statement, from: parameter + 1)
            // Holds the bytes that are bound.
            inserted.append(block)
        }
        try statement.run()
    }

    private func storedKey(_ key: RowKey) -> RowKey { RowKey(primaryKey: key.primaryKey, entity: key.entity, store: store.number) }

    /// Values with temporary references replaced and transformables still as objects.
    private func resolved(_ values: ContiguousArray<AttributeValue>, _ layout: RowLayout) -> ContiguousArray<AttributeValue> {
        if permanent.count == 0 || layout.toOneSlots.isEmpty { return values }
        var result = values
        for slot in layout.toOneSlots {
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
        let roots = batch.inserted.map { $0.key.isTemporary ? model.entities[Int($0.key.entity)].rootIndex : -1 }
        var next: [Int: Int64] = [:]
        for root in Set(roots) where root >= 0 {
            next[root] = try store.takeKeys(root: root, count: roots.count { $0 == root }, on: connection)
        }
        // Who names new rows: links and to-ones.
        let areNamed = !batch.links.isEmpty || batch.inserted.contains { names($0.values, in: $0.key.entity) }
            || batch.updated.contains { names($0.changedValues, in: $0.key.entity) }
        insertedKeys.reserveCapacity(batch.inserted.count)
        if areNamed { permanent.reserveCapacity(batch.inserted.count) }
        var (root, free) = (-1, Int64(1))
        for (index, row) in batch.inserted.enumerated() {
            guard roots[index] >= 0 else {
                insertedKeys.append(storedKey(row.key))
                continue
            }
            if roots[index] != root {
                if root >= 0 { next[root] = free }
                root = roots[index]
                free = next[root] ?? 1
            }
            let key = RowKey(primaryKey: free, entity: row.key.entity, store: store.number)
            free += 1
            insertedKeys.append(key)
            if areNamed { permanent.insert(key, for: row.key.primaryKey) }
        }
    }

    /// Whether a row's to-ones lead to rows without a key of their own yet.
    private func names(_ values: ContiguousArray<AttributeValue>, in entity: Int32) -> Bool {
        store.layouts[Int(entity)].toOneSlots.contains { slot in
            if case .reference(let key) = values[slot] { key.isTemporary } else { false }
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
