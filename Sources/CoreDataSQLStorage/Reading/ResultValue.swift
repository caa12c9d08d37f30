import CoreDataPredicate
import CoreDataSchema
import Foundation
import SQLiteDriver

/// A column of a dictionary fetch as a value.
enum ResultValue {
    static func read(
        _ statement: SQLiteStatement, _ column: Int32, type: ValueType, storeNumber: Int32, external: ExternalBlobs
    ) throws -> PredicateValue {
        if statement.isNull(column) { return .null }
        switch type {
        case .external:
            guard let stored = statement.blobBytes(column) else { return .null }
            switch external.content(stored, of: statement.columnName(column)) {
            case .inline(let bytes): return .data(Data(bytes))
            case .file(let value): return .data(try value.read())
            }
        case .integer: return .integer(statement.integer(column))
        case .boolean: return .boolean(statement.integer(column) != 0)
        case .real: return .real(statement.real(column))
        case .date: return .date(Date(timeIntervalSinceReferenceDate: statement.real(column)))
        case .decimal: return ColumnValue.decimal(statement.text(column) ?? "").map(PredicateValue.decimal) ?? .null
        case .text: return .string(statement.text(column) ?? "")
        case .url:
            let text = statement.text(column) ?? ""
            return URL(string: text).map(PredicateValue.url) ?? .string(text)
        case .uuid:
            guard case .uuid(let value) = ColumnValue.read(statement, column, kind: .uuid) else { return .null }
            return .uuid(value)
        case .data, .opaque: return .data(Data(statement.blob(column) ?? []))
        case .reference(let entity):
            let key = RowKey(primaryKey: statement.integer(column), entity: Int32(entity), store: storeNumber)
            return .reference(PredicateReference(RowReferent(key)))
        case .any, .entity: return natural(statement, column)
        }
    }

    private static func natural(_ statement: SQLiteStatement, _ column: Int32) -> PredicateValue {
        switch statement.columnType(column) {
        case 1: .integer(statement.integer(column))
        case 2: .real(statement.real(column))
        case 3: .string(statement.text(column) ?? "")
        default: .data(Data(statement.blob(column) ?? []))
        }
    }
}

/// A row key standing in a predicate value: an object ID before it is one.
package final class RowReferent: PredicateReferent, Sendable {
    package let predicateKey: RowKey

    package init(_ key: RowKey) { predicateKey = key }

    package var predicateText: String { "<row \(predicateKey.primaryKey) of entity \(predicateKey.entity)>" }
    package var predicateSubject: (any PredicateSubject)? { nil }
}
