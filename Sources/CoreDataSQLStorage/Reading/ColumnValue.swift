import CoreDataSchema
import Foundation
import SQLiteDriver

/// Reads one column as a value: for the paths that are not worth a decoding plan.
enum ColumnValue {
    static func read(_ statement: SQLiteStatement, _ column: Int32, kind: StorageKind) -> AttributeValue {
        if statement.isNull(column) { return .null }
        switch kind {
        case .integer, .boolean: return .integer(statement.integer(column))
        case .double, .float, .date: return .real(statement.real(column))
        case .string, .uri: return .string(statement.text(column) ?? "")
        case .decimal: return decimal(statement.text(column) ?? "").map(AttributeValue.decimal) ?? .null
        case .uuid:
            guard let bytes = statement.blobBytes(column), bytes.count == 16 else { return .null }
            return .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))
        case .data, .object: return .data(Data(statement.blob(column) ?? []))
        case .none, .objectID, .composite, .toOne, .toMany, .fetched: return .null
        }
    }

    static func decimal(_ text: String) -> Decimal? {
        text == "NaN" ? .nan : Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
    }
}

/// A composite attribute's value as nested dictionaries, reached by path.
enum CompositeValue {
    static func set(_ value: AttributeValue, at path: [String], in values: inout [String: AttributeValue]) {
        guard let first = path.first else { return }
        if path.count == 1 {
            values[first] = value
            return
        }
        var inner: [String: AttributeValue] = [:]
        if case .composite(let present) = values[first] { inner = present }
        set(value, at: Array(path.dropFirst()), in: &inner)
        values[first] = .composite(inner)
    }

    static func get(_ path: [String], from value: AttributeValue) -> AttributeValue {
        var current = value
        for name in path {
            guard case .composite(let values) = current else { return .null }
            current = values[name] ?? .null
        }
        return current
    }
}
