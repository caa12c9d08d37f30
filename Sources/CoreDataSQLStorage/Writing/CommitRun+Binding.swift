import CoreDataSchema
import CoreDataStorage
import Foundation
import SQLiteDriver

extension CommitRun {
    /// Binds the columns from the row's own bytes, which stay in place until the statement has run: `block` is held by
    /// the caller for that long. Returns the next parameter.
    mutating func bind(
        _ list: EntityWriter.ColumnList, of block: RowBlock, to statement: SQLiteStatement, from first: Int32
    ) throws -> Int32 {
        var index = first
        for position in 0..<list.steps.count {
            let step = list.steps[position]
            let slot = step.slot
            if step.form == .other {
                try bindRare(list.columns[position], of: block, to: statement, at: index)
            } else if block.isNull(slot) {
                try statement.bindNull(index)
                if step.form == .typedReference {
                    index += 1
                    try statement.bindNull(index)
                }
            } else {
                switch step.form {
                case .integer, .other: try statement.bind(index, block.integer(slot))
                case .real: try statement.bind(index, block.real(slot))
                case .text: try statement.bindTextStatic(index, block.span(slot))
                case .bytes: try statement.bindBlobStatic(index, block.span(slot))
                case .reference, .typedReference:
                    let destination = block.integer(slot)
                    if destination <= 0 { throw missing(list.columns[position]) }
                    try statement.bind(index, destination)
                    if step.form == .typedReference {
                        index += 1
                        let entity = block.reference(slot).map { Int($0.entity) } ?? 0
                        try statement.bind(index, schema.entityNumbers[entity])
                    }
                }
            }
            index += 1
        }
        return index
    }

    private func missing(_ column: EntityWriter.Column) -> StoreError {
        .invalidRequest(
            "“\(column.name)” of a row refers to a row that is neither in the store nor in this save. Save the two together.")
    }

    /// Elements of composites, transformables, binary values, and what is not stored.
    private mutating func bindRare(
        _ column: EntityWriter.Column, of block: RowBlock, to statement: SQLiteStatement, at index: Int32
    ) throws {
        let slot = column.slot
        if !column.path.isEmpty {
            let property = model.entities[Int(block.key.entity)].properties[slot]
            return try bind(CompositeValue.get(column.path, from: composite(block, slot)), of: property, to: statement, at: index)
        }
        if column.kind == .object { return try bindTransformable(block, slot, to: statement, at: index) }
        guard column.kind == .data, !block.isNull(slot) else { return try statement.bindNull(index) }
        if let external = block.external(slot) {
            keptFiles.insert(external.name)
            try statement.bindBlob(index, bytes: ExternalBlobs.stored(external))
        } else if column.isExternal {
            try statement.bindBlob(index, bytes: ExternalBlobs.inline(block.span(slot)))
        } else {
            try statement.bindBlobStatic(index, block.span(slot))
        }
    }

    private func composite(_ block: RowBlock, _ slot: Int) -> AttributeValue {
        (block.object(slot)?.value as? CompositeBox)?.value ?? .null
    }

    private func bindTransformable(_ block: RowBlock, _ slot: Int, to statement: SQLiteStatement, at index: Int32) throws {
        if let object = block.object(slot) {
            let property = model.entities[Int(block.key.entity)].properties[slot]
            let bytes = try store.options.archive(object, property)
            try bytes.withUnsafeBytes { try statement.bindBlob(index, $0) }
        } else if block.isNull(slot) {
            try statement.bindNull(index)
        } else {
            try statement.bindBlobStatic(index, block.span(slot))
        }
    }

    /// One element of a composite.
    private func bind(
        _ value: AttributeValue, of property: ResolvedProperty, to statement: SQLiteStatement, at index: Int32
    ) throws {
        switch value {
        case .integer(let value): try statement.bind(index, value)
        case .real(let value): try statement.bind(index, value)
        case .string(let text): try statement.bind(index, text)
        case .decimal(let value): try statement.bind(index, value.isNaN ? "NaN" : value.description)
        case .uuid(let value): try withUnsafeBytes(of: value.uuid) { try statement.bindBlob(index, $0) }
        case .data(let data): try data.withUnsafeBytes { try statement.bindBlob(index, $0) }
        case .object(let object):
            let bytes = try store.options.archive(object, property)
            try bytes.withUnsafeBytes { try statement.bindBlob(index, $0) }
        case .null, .reference, .composite: try statement.bindNull(index)
        }
    }

    /// The values with what is too long for the row in files of its own, made here.
    mutating func externalised(
        _ values: ContiguousArray<AttributeValue>, _ columns: [EntityWriter.Column], of writer: EntityWriter
    ) throws -> ContiguousArray<AttributeValue> {
        guard writer.hasExternal else { return values }
        var values = values
        for column in columns where column.isExternal {
            guard case .data(let data) = values[column.slot], data.count > store.external.threshold else { continue }
            let attribute = "\(model.entities[writer.entity].name).\(model.entities[writer.entity].properties[column.slot].name)"
            let file = try data.withUnsafeBytes { try store.external.write($0, of: attribute) }
            createdFiles.append(file.name)
            values[column.slot] = .object(OpaqueObject(file))
        }
        return values
    }

    /// Remembers the external files a row names before its values go.
    mutating func noteExternalFiles(of key: RowKey, columns: [EntityWriter.Column], table: String) throws {
        let names = columns.filter(\.isExternal).map(\.name)
        try connection.withStatement("SELECT \(names.joined(separator: ", ")) FROM \(table) WHERE Z_PK = ?") { statement in
            try statement.bind(1, key.primaryKey)
            guard try statement.step() else { return }
            for index in names.indices {
                if let bytes = statement.blobBytes(Int32(index)), let file = ExternalBlobs.fileName(bytes) { obsoleteFiles.append(file) }
            }
        }
    }
}

extension RowBlock {
    /// The bytes of a variable slot where they lie. Valid as long as somebody holds the row: rows are heap objects that
    /// never move or change.
    func span(_ slot: Int) -> UnsafeRawBufferPointer { withBytes(slot) { $0 } }
}
