import CoreDataSchema
import CoreDataStorage
import Foundation
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
        // What the cache has need not wait for the connection.
        if let known = cached(keys, staleAfter) { return known }
        return try serialised(.rows) { connection in
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

    /// nil unless the cache has every row, none of them stale.
    private func cached(_ keys: [RowKey], _ staleAfter: Double) -> [RowBlock]? {
        var rows: [RowBlock] = []
        rows.reserveCapacity(keys.count)
        let now = staleAfter < 0 ? 0 : RowClock.now
        for row in rowCache.rows(for: keys) {
            guard let row, staleAfter < 0 || now - row.readAt < staleAfter else { return nil }
            rows.append(row)
        }
        return rows
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
        let select = "SELECT \(decoder.columns.joined(separator: ", ")) FROM \(table.name) WHERE Z_PK"
        var result: [RowBlock] = []
        result.reserveCapacity(keys.count)
        let wanted = SQLiteRowStore.sorted(keys)
        var start = 0
        while start < wanted.count {
            let part = wanted[start..<min(start + 500, wanted.count)]
            start += part.count
            if SQLiteRowStore.isDense(part) {
                try readRange(part, select, decoder, on: connection, into: &result)
            } else {
                try readEach(part, select, decoder, on: connection, into: &result)
            }
        }
        return result
    }

    /// By C's function: a debug build of Swift's own allocates some times for each comparison.
    private static func sorted(_ keys: [RowKey]) -> [Int64] {
        var numbers: [Int64] = []
        numbers.reserveCapacity(keys.count)
        for key in keys { numbers.append(key.primaryKey) }
        if numbers.count < 2 { return numbers }
        qsort(&numbers, numbers.count, MemoryLayout<Int64>.size) { left, right in
            guard let left = left?.load(as: Int64.self), let right = right?.load(as: Int64.self) else { return 0 }
            return left < right ? -1 : left > right ? 1 : 0
        }
        return numbers
    }

    /// Whether walking through the table from the first key to the last meets few rows that are not wanted: a step to the next
    /// row costs a fraction of a search.
    private static func isDense(_ keys: ArraySlice<Int64>) -> Bool {
        guard keys.count > 8, let first = keys.first, let last = keys.last else { return false }
        let (span, overflow) = last.subtractingReportingOverflow(first)
        return !overflow && span < Int64(keys.count) + Int64(keys.count / 2)
    }

    /// `keys` in their order.
    private func readRange(
        _ keys: ArraySlice<Int64>, _ select: String, _ decoder: RowDecoder, on connection: SQLiteConnection, into rows: inout [RowBlock]
    ) throws {
        guard let first = keys.first, let last = keys.last else { return }
        let now = RowClock.now
        try connection.withStatement(select + " BETWEEN ? AND ? ORDER BY Z_PK") { statement in
            try statement.bind(1, first)
            try statement.bind(2, last)
            var next = keys.startIndex
            while try statement.step() {
                let key = statement.integer(0)
                while next < keys.endIndex, keys[next] < key { next += 1 }
                guard next < keys.endIndex, keys[next] == key else { continue }
                if let row = try decoder.row(statement, readAt: now) { rows.append(row) }
            }
        }
    }

    private func readEach(
        _ keys: ArraySlice<Int64>, _ select: String, _ decoder: RowDecoder, on connection: SQLiteConnection, into rows: inout [RowBlock]
    ) throws {
        let size = SQLiteRowStore.listSize(for: keys.count), now = RowClock.now
        try connection.withStatement(select + " IN (\(SQLiteRowStore.placeholders(size)))") { statement in
            for index in 0..<size {
                // Unused places repeat the last key.
                try statement.bind(Int32(index + 1), keys[keys.startIndex + min(index, keys.count - 1)])
            }
            while try statement.step() {
                if let row = try decoder.row(statement, readAt: now) { rows.append(row) }
            }
        }
    }
}

/// A primary key within its table.
struct PrimaryKey: Hashable {
    let root: Int
    let key: Int64
}
