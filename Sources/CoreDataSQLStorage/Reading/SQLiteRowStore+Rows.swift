import CoreDataSchema
import CoreDataStorage
import SQLiteDriver

extension SQLiteRowStore {
    /// Sizes of the IN lists: few texts, so that each is prepared once.
    static let listSizes = [1, 8, 64, 500]

    static func listSize(for count: Int) -> Int { listSizes.first { $0 >= count } ?? 500 }

    static func placeholders(_ count: Int) -> String { "?" + String(repeating: ",?", count: count - 1) }

    func decoder(_ entity: Int, includesSubentities: Bool) -> RowDecoder {
        let key = DecoderKey(entity: entity, includesSubentities: includesSubentities)
        if let known = decoders[key] { return known }
        let made = RowDecoder(key, schema: schema, layouts: layouts, storeNumber: number, external: external)
        decoders[key] = made
        return made
    }

    package func rows(for keys: [RowKey], staleAfter: Double) throws -> [RowBlock] {
        try serialised(.rows) { connection in
            let now = RowClock.now
            let cached = rowCache.rows(for: keys)
            var result: [RowBlock] = []
            result.reserveCapacity(keys.count)
            var wanted: [Int: [RowKey]] = [:]
            for (key, row) in zip(keys, cached) {
                if let row, staleAfter < 0 || now - row.readAt < staleAfter {
                    result.append(row)
                } else if !key.isTemporary, schema.holds(Int(key.entity)) {
                    wanted[model.entities[Int(key.entity)].rootIndex, default: []].append(key)
                }
            }
            var read: [RowBlock] = []
            for (_, keys) in wanted { read += try readRows(keys, on: connection) }
            rowCache.adopt(read)
            // A row that was cached and is gone must not be found in the cache again.
            if !wanted.isEmpty { forgetMissing(wanted.values.flatMap { $0 }, found: read) }
            return result + read
        }
    }

    private func forgetMissing(_ keys: [RowKey], found: [RowBlock]) {
        guard keys.count > found.count else { return }
        let present = Set(found.map { PrimaryKey(root: model.entities[Int($0.key.entity)].rootIndex, key: $0.key.primaryKey) })
        let gone = keys.filter {
            !present.contains(PrimaryKey(root: model.entities[Int($0.entity)].rootIndex, key: $0.primaryKey))
        }
        if !gone.isEmpty { rowCache.remove(gone) }
    }

    /// Rows of one table, past the cache.
    func readRows(_ keys: [RowKey], on connection: SQLiteConnection) throws -> [RowBlock] {
        guard let first = keys.first, let table = schema.table(of: Int(first.entity)) else { return [] }
        // The key's entity may be a superentity of the row's: the narrowest entity that covers all keys.
        var entity = model.entities[Int(first.entity)]
        for key in keys where !entity.includes(Int(key.entity)) {
            entity = model.entities[table.root]
            break
        }
        let decoder = decoder(entity.index, includesSubentities: true)
        var result: [RowBlock] = []
        let now = RowClock.now
        var start = 0
        while start < keys.count {
            let part = keys[start..<min(start + 500, keys.count)]
            start += part.count
            let size = SQLiteRowStore.listSize(for: part.count)
            let sql = "SELECT \(decoder.columns.joined(separator: ", ")) FROM \(table.name) WHERE Z_PK IN (\(SQLiteRowStore.placeholders(size)))"
            try connection.withStatement(sql) { statement in
                for index in 0..<size {
                    // Unused places repeat the last key.
                    try statement.bind(Int32(index + 1), part[part.startIndex + min(index, part.count - 1)].primaryKey)
                }
                while try statement.step() {
                    if let row = try decoder.row(statement, readAt: now) { result.append(row) }
                }
            }
        }
        return result
    }
}

/// A primary key within its table.
struct PrimaryKey: Hashable {
    let root: Int
    let key: Int64
}
