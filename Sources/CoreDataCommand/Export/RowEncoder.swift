import CoreDataSQLStorage
import CoreDataSchema
import CoreDataStorage
import Foundation

/// Writes rows of one entity as JSON objects, a line each, straight from the store's bytes.
final class RowEncoder {
    private let session: StoreSession
    let plan: ExportPlan
    /// `,"name":` of each property.
    private let keys: [[UInt8]]
    /// `{"$id":`, or `{"$entity":"Name","$id":`.
    private let head: [UInt8]
    /// What could not be read, in words.
    private(set) var losses: [String] = []

    init(_ plan: ExportPlan, _ session: StoreSession, namesEntity: Bool) {
        self.plan = plan
        self.session = session
        keys = plan.properties.map { property in
            var bytes: [UInt8] = [UInt8(ascii: ",")]
            JSONText.write(property.name, to: &bytes)
            return bytes + [UInt8(ascii: ":")]
        }
        var head: [UInt8] = []
        head.append(contentsOf: "{".utf8)
        if namesEntity {
            head.append(contentsOf: "\"$entity\":".utf8)
            JSONText.write(plan.entity.name, to: &head)
            head.append(contentsOf: ",".utf8)
        }
        self.head = head + "\"$id\":".utf8
    }

    /// The members of the rows' to-manys, by property.
    func members(of rows: [RowBlock]) throws -> [Int: [[RowKey]]] {
        var result: [Int: [[RowKey]]] = [:]
        for property in plan.properties where property.storage == .toMany {
            let reference = PropertyReference(entity: property.declaringEntity, slot: property.slot)
            do { result[property.slot] = try session.store.relatedKeys(of: rows.map(\.key), through: reference) } catch StoreError.notADatabase {
                // Damaged: one row after the other loses the least.
                result[property.slot] = rows.map { row in
                    do { return try session.store.relatedKeys(of: [row.key], through: reference).first ?? [] } catch {
                        losses.append("the members of \(property.name) of \(ValueJSON.reference(row.key, session.model)) cannot be read: the database is damaged there")
                        return []
                    }
                }
            }
        }
        return result
    }

    /// The entity's rows in portions, as far as the database gives them.
    func rows(_ body: ([RowBlock]) throws -> Void) throws {
        try session.store.salvage(plan.entity.index, gap: { keys in
            let name = plan.entity.name, first = "\(name)/\(keys.lowerBound)"
            losses.append("rows are left out that the damaged database does not give: \(keys.upperBound == .max ? "all from \(first) on" : "\(first) to \(name)/\(keys.upperBound)")")
        }, body)
    }

    static func loss(of file: ExternalData) -> String { "a value is null because its file is missing or empty: \(file.path) (\(file.attribute))" }

    func write(_ row: RowBlock, _ index: Int, _ members: [Int: [[RowKey]]], to bytes: inout [UInt8]) {
        bytes.append(contentsOf: head)
        bytes.append(contentsOf: String(row.key.primaryKey).utf8)
        for (number, property) in plan.properties.enumerated() {
            bytes.append(contentsOf: keys[number])
            if property.storage == .toMany {
                write(members[property.slot]?[index] ?? [], to: &bytes)
            } else {
                write(row, property, to: &bytes)
            }
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private func write(_ keys: [RowKey], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        for (index, key) in keys.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(key, to: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private func write(_ key: RowKey, to bytes: inout [UInt8]) {
        JSONText.write(ValueJSON.reference(key, session.model), to: &bytes)
    }

    private func write(_ row: RowBlock, _ property: ResolvedProperty, to bytes: inout [UInt8]) {
        let slot = property.slot
        if let file = row.external(slot) { return write(file, to: &bytes) }
        guard !row.isNull(slot) || row.object(slot) != nil else { return bytes.append(contentsOf: "null".utf8) }
        switch property.storage {
        case .integer: bytes.append(contentsOf: String(row.integer(slot)).utf8)
        case .double: JSONText.write(row.real(slot), to: &bytes)
        case .decimal: ValueJSON.value(row, property, session.model).write(to: &bytes)
        case .string, .uri:
            bytes.append(UInt8(ascii: "\""))
            row.withBytes(slot) { text in
                // What is no UTF-8 is repaired first, or the output would be none either.
                if text.allSatisfy({ $0 < 0x80 }) { return JSONText.escape(text, to: &bytes) }
                var repaired = String(decoding: text, as: UTF8.self)
                repaired.withUTF8 { JSONText.escape(UnsafeRawBufferPointer($0), to: &bytes) }
            }
            bytes.append(UInt8(ascii: "\""))
        case .toOne: if let key = row.reference(slot) { write(key, to: &bytes) }
        default: ValueJSON.value(row, property, session.model).write(to: &bytes)
        }
    }

    private func write(_ file: ExternalData, to bytes: inout [UInt8]) {
        // No store writes an empty file: a value that short stays in its row.
        guard let data = try? file.read(), !data.isEmpty else {
            losses.append(RowEncoder.loss(of: file))
            return bytes.append(contentsOf: "null".utf8)
        }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(contentsOf: data.base64EncodedData())
        bytes.append(UInt8(ascii: "\""))
    }
}
