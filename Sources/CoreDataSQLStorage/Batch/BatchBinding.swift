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
    private let texts = TextScratch()

    init(store: SQLiteRowStore, entity: ResolvedEntity) {
        self.store = store
        self.entity = entity
    }

    /// What binding needs of a column, without references to count.
    struct Step {
        let slot: Int
        let column: Int
        let hasEntityColumn: Bool
        /// Its values take the long way.
        let isRare: Bool
    }

    static func steps(_ columns: [EntityWriter.Column]) -> ContiguousArray<Step> {
        ContiguousArray(columns.enumerated().map { index, column in
            Step(
                slot: column.slot, column: index, hasEntityColumn: column.entityColumn != nil,
                isRare: column.isExternal || !column.path.isEmpty || column.kind == .object)
        })
    }

    /// Before each statement.
    func releaseTexts() { texts.reset() }

    /// Binds one value a column, two where the concrete entity of a to-one is kept. Returns the next parameter. Texts stay
    /// where they are bound until `releaseTexts`.
    mutating func bind(
        _ steps: ContiguousArray<Step>, _ columns: [EntityWriter.Column], of values: ContiguousArray<AttributeValue>,
        to statement: SQLiteStatement, from first: Int32
    ) throws -> Int32 {
        var index = first
        for step in steps {
            if step.isRare {
                try bindRare(values[step.slot], columns[step.column], to: statement, at: index)
                index += 1
                continue
            }
            switch values[step.slot] {
            case .integer(let value): try statement.bind(index, value)
            case .real(let value): try statement.bind(index, value)
            case .string(let text):
                if let bytes = texts.keep(text) { try statement.bindTextStatic(index, bytes) } else { try statement.bind(index, text) }
            case .data(let data): try data.withUnsafeBytes { try statement.bindBlob(index, $0) }
            case .reference(let key):
                try statement.bind(index, key.primaryKey)
                if step.hasEntityColumn {
                    index += 1
                    try statement.bind(index, store.schema.entityNumbers[Int(key.entity)])
                }
            case .decimal(let number): try statement.bind(index, number.isNaN ? "NaN" : number.description)
            case .uuid(let uuid): try withUnsafeBytes(of: uuid.uuid) { try statement.bindBlob(index, $0) }
            case .null, .object, .composite:
                try statement.bindNull(index)
                if step.hasEntityColumn {
                    index += 1
                    try statement.bindNull(index)
                }
            }
            index += 1
        }
        return index
    }

    private mutating func bindRare(
        _ value: AttributeValue, _ column: EntityWriter.Column, to statement: SQLiteStatement, at index: Int32
    ) throws {
        if case .data(let data) = value, column.isExternal {
            let attribute = "\(entity.name).\(entity.properties[column.slot].name)"
            let stored = try data.withUnsafeBytes { try store.external.stored($0, of: attribute, created: &createdFiles) }
            return try statement.bindBlob(index, bytes: stored)
        }
        try BatchBinding.encode(value, column, of: entity, in: store).bind(to: statement, at: index)
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

/// Room for one row's texts while a statement runs: SQLite would allocate for each to copy it.
///
/// Invariant: what `keep` gave stays in place until `reset`; the buffer never moves.
private final class TextScratch {
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16_384, alignment: 1)
    private var used = 0

    deinit { buffer.deallocate() }

    func reset() { used = 0 }

    /// A copy of the text's bytes; nil when there is no room left.
    func keep(_ text: String) -> UnsafeRawBufferPointer? {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.count > 0, used + bytes.count <= buffer.count else { return nil }
            let place = UnsafeMutableRawBufferPointer(rebasing: buffer[used..<used + bytes.count])
            place.copyMemory(from: UnsafeRawBufferPointer(bytes))
            used += bytes.count
            return UnsafeRawBufferPointer(place)
        }
    }
}
