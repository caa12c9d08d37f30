import CoreDataSQLStorage
import CoreDataSchema
import CoreDataStorage
import Foundation

/// Reads columns of many rows at once: each step through a relationship is one question to the store, whatever the number of rows.
struct ColumnReader {
    let session: StoreSession
    let columns: [ColumnPath]
    /// Gives the number of bytes in place of bytes.
    var countsBytes = false

    /// For each row its columns.
    func read(_ rows: [RowBlock]) throws -> [[JSONValue]] {
        var result = [[JSONValue]](repeating: [], count: rows.count)
        for column in columns {
            for (index, value) in try values(of: column, column.steps[...], rows).enumerated() { result[index].append(value) }
        }
        return result
    }

    private func values(
        of column: ColumnPath, _ steps: ArraySlice<ResolvedProperty>, _ rows: [RowBlock]
    ) throws -> [JSONValue] {
        guard let step = steps.first else { return try ends(of: column, rows) }
        if step.storage == .toMany {
            let members = try self.members(step, rows)
            let read = try follow(Array(Set(members.flatMap { $0 })), column, steps.dropFirst())
            return members.map { .array($0.compactMap { read[$0.primaryKey] }) }
        }
        let keys = rows.map { $0.reference(step.slot) }
        let read = try follow(Array(Set(keys.compactMap { $0 })), column, steps.dropFirst())
        return keys.map { key in key.flatMap { read[$0.primaryKey] } ?? .null }
    }

    private func members(_ property: ResolvedProperty, _ rows: [RowBlock]) throws -> [[RowKey]] {
        try session.store.relatedKeys(
            of: rows.map(\.key), through: PropertyReference(entity: property.declaringEntity, slot: property.slot))
    }

    /// Values at the end of the path, by primary key: all rows are of one table.
    private func follow(_ keys: [RowKey], _ column: ColumnPath, _ steps: ArraySlice<ResolvedProperty>) throws -> [Int64: JSONValue] {
        let rows = try session.store.rows(for: keys, staleAfter: -1)
        let values = try values(of: column, steps, rows)
        return Dictionary(zip(rows.map(\.key.primaryKey), values)) { first, _ in first }
    }

    private func ends(of column: ColumnPath, _ rows: [RowBlock]) throws -> [JSONValue] {
        switch column.end {
        case .row: return rows.map { .string(ValueJSON.reference($0.key, session.model)) }
        case .count(let property): return try members(property, rows).map { .count($0.count) }
        case .property(let property) where property.storage == .toMany:
            return try members(property, rows).map { .array($0.map { .string(ValueJSON.reference($0, session.model)) }) }
        case .property(let property) where countsBytes && column.isData:
            return rows.map { row in
                row.isNull(property.slot) && row.object(property.slot) == nil ? .null : .string(size(row, property.slot))
            }
        case .property(let property): return rows.map { ValueJSON.value($0, property, session.model) }
        case .composite(let property, let path):
            return rows.map { row in
                path.reduce(ValueJSON.value(row, property, session.model)) { $0[$1] ?? .null }
            }
        }
    }

    private func size(_ row: RowBlock, _ slot: Int) -> String {
        guard let file = row.external(slot) else { return ByteText.text(row.withBytes(slot) { $0.count }) }
        let bytes = try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int
        return (bytes ?? nil).map(ByteText.text) ?? "file missing"
    }
}
