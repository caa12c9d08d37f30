import CoreDataSchema
import CoreDataStorage
import Foundation
import SQLiteDriver

/// Encodes values of a batch's rows into an entity's columns.
///
/// This and `CommitRun.bind` are the two places where a value becomes what a column holds.
struct BatchBinding {
    let store: SQLiteRowStore
    let entity: ResolvedEntity
    /// External files made by this batch; removed again when it fails.
    var createdFiles: [String] = []

    /// Binds one value a column, two where the concrete entity of a to-one is kept. Returns the next parameter.
    mutating func bind(
        _ columns: [EntityWriter.Column], of values: ContiguousArray<AttributeValue>, to statement: SQLiteStatement, from first: Int32
    ) throws -> Int32 {
        var index = first
        for column in columns {
            switch values[column.slot] {
            case .null:
                try statement.bindNull(index)
                if column.entityColumn != nil {
                    index += 1
                    try statement.bindNull(index)
                }
            case .integer(let value): try statement.bind(index, value)
            case .real(let value): try statement.bind(index, value)
            case .string(let text): try statement.bind(index, text)
            case .data(let data) where !column.isExternal: try data.withUnsafeBytes { try statement.bindBlob(index, $0) }
            case .reference(let key):
                try statement.bind(index, key.primaryKey)
                if column.entityColumn != nil {
                    index += 1
                    try statement.bind(index, store.schema.entityNumbers[Int(key.entity)])
                }
            case let value: try bindRare(value, column, to: statement, at: index)
            }
            index += 1
        }
        return index
    }

    private mutating func bindRare(
        _ value: AttributeValue, _ column: EntityWriter.Column, to statement: SQLiteStatement, at index: Int32
    ) throws {
        switch value {
        case .decimal(let number): try statement.bind(index, number.isNaN ? "NaN" : number.description)
        case .uuid(let uuid): try withUnsafeBytes(of: uuid.uuid) { try statement.bindBlob(index, $0) }
        case .data(let data):
            try statement.bindBlob(index, bytes: data.withUnsafeBytes { try store.external.write($0, created: &createdFiles) })
        case .object, .composite:
            try BatchBinding.encode(value, column, of: entity, in: store).bind(to: statement, at: index)
        case .null, .integer, .real, .string, .reference: try statement.bindNull(index)
        }
    }

    /// The same for a value that many rows get.
    static func encode(
        _ value: AttributeValue, _ column: EntityWriter.Column, of entity: ResolvedEntity, in store: SQLiteRowStore
    ) throws -> SQLValue {
        let value = column.path.isEmpty ? value : CompositeValue.get(column.path, from: value)
        switch value {
        case .null, .composite: return .null
        case .integer(let value): return .integer(value)
        case .real(let value): return .real(value)
        case .string(let text): return .text(text)
        case .decimal(let number): return .text(number.isNaN ? "NaN" : number.description)
        case .uuid(let uuid): return .blob(withUnsafeBytes(of: uuid.uuid) { Array($0) })
        case .data(let data): return .blob(column.isExternal ? ExternalBlobs.inline(data) : [UInt8](data))
        case .reference(let key): return .integer(key.primaryKey)
        case .object(let object): return .blob([UInt8](try store.options.archive(object, entity.properties[column.slot])))
        }
    }
}
