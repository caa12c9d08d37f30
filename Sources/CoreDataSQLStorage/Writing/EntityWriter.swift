import CoreDataSchema
import CoreDataStorage
import SQLiteDriver

/// The prepared statements that write rows of one entity.
///
/// Invariant: parameters of the insert are `Z_PK`, then the entity's columns (`Z_ENT` and `Z_OPT` stand in the text); an update
/// binds its changed columns, then the key, then the expected version. Columns that triggers keep are never bound.
final class EntityWriter {
    /// One column to bind, or two when the concrete entity of a to-one is kept too.
    struct Column {
        let name: String
        let slot: Int
        let kind: StorageKind
        let entityColumn: String?
        let isExternal: Bool
        /// Path inside a composite; empty otherwise.
        let path: [String]
    }

    let entity: Int
    let table: String
    let number: Int64
    let columns: [Column]
    /// The same, for binding.
    let list: ColumnList
    let hasExternal: Bool
    /// Whether triggers write to the rows: what was bound is not all they have.
    let isDerived: Bool
    let columnsBySlot: [Int: [Column]]
    @exclusivity(unchecked) private var insertStatement: SQLiteStatement?
    private var insertMany: SQLiteStatement?
    private var updates: [UpdateShape: SQLiteStatement] = [:]
    // Unchecked exclusivity: used under the store's lock only, never across a call out.
    @exclusivity(unchecked) private var lastUpdate: (shape: UpdateShape, statement: SQLiteStatement, columns: ColumnList)?
    @exclusivity(unchecked) private var deletion: SQLiteStatement?
    private var uncheckedDeletion: SQLiteStatement?
    /// Whether a row that goes may leave links behind.
    let hasLinks: Bool

    struct UpdateShape: Hashable {
        let slots: SlotSet
        let checksVersion: Bool
    }

    init?(_ entity: ResolvedEntity, schema: StoreSchema) {
        guard let table = schema.table(of: entity.index) else { return nil }
        self.entity = entity.index
        self.table = table.name
        number = schema.entityNumbers[entity.index]
        var columns: [Column] = []
        for property in entity.properties {
            guard let column = schema.column(property), !property.isDerived else { continue }
            if column.kind == .composite {
                for element in column.elements {
                    columns.append(Column(
                        name: element.name, slot: property.slot, kind: element.kind, entityColumn: nil, isExternal: false,
                        path: element.path))
                }
            } else {
                columns.append(Column(
                    name: column.name, slot: property.slot, kind: column.kind, entityColumn: column.entityColumn,
                    isExternal: column.isExternal, path: []))
            }
        }
        self.columns = columns
        list = ColumnList(columns)
        isDerived = entity.properties.contains(where: \.isDerived)
        hasExternal = columns.contains(where: \.isExternal)
        hasLinks = entity.properties.contains { $0.storage == .toMany && schema.link($0) != nil }
        columnsBySlot = Dictionary(grouping: columns, by: \.slot)
    }

    func insert(on connection: SQLiteConnection) throws -> SQLiteStatement {
        if let insertStatement { return insertStatement }
        let statement = try connection.prepare(insertText(rows: 1))
        insertStatement = statement
        return statement
    }

    /// Parameters of one row of an insert.
    var insertWidth: Int { 1 + columns.reduce(0) { $0 + ($1.entityColumn == nil ? 1 : 2) } }

    /// How many rows one statement should insert when many come: beginning and ending a statement is a third of what a row costs
    /// in SQLite. Beyond some hundred parameters nothing more is gained.
    var rowsAtOnce: Int { max(1, min(16, 400 / insertWidth)) }

    /// Inserts `rowsAtOnce` rows, each with the parameters of `insert`.
    func insertMany(on connection: SQLiteConnection) throws -> SQLiteStatement {
        if let insertMany { return insertMany }
        let statement = try connection.prepare(insertText(rows: rowsAtOnce))
        insertMany = statement
        return statement
    }

    private func insertText(rows: Int) -> String {
        let names = columns.flatMap { [$0.name] + [$0.entityColumn].compactMap { $0 } }
        let all = ["Z_PK", "Z_ENT", "Z_OPT"] + names
        let row = "(" + (["?", "\(number)", "1"] + names.map { _ in "?" }).joined(separator: ", ") + ")"
        return "INSERT INTO \(table) (\(all.joined(separator: ", "))) VALUES "
            + Array(repeating: row, count: rows).joined(separator: ", ")
    }

    func update(_ shape: UpdateShape, on connection: SQLiteConnection) throws -> (SQLiteStatement, ColumnList) {
        if let lastUpdate, lastUpdate.shape == shape { return (lastUpdate.statement, lastUpdate.columns) }
        let changed = ColumnList(shape.slots.slots.flatMap { columnsBySlot[$0] ?? [] })
        let statement: SQLiteStatement
        if let known = updates[shape] {
            statement = known
        } else {
            let names = changed.columns.flatMap { [$0.name] + [$0.entityColumn].compactMap { $0 } }
            let sets = (["Z_OPT = Z_OPT + 1"] + names.map { "\($0) = ?" }).joined(separator: ", ")
            statement = try connection.prepare(
                "UPDATE \(table) SET \(sets) WHERE Z_PK = ?" + (shape.checksVersion ? " AND Z_OPT = ?" : ""))
            updates[shape] = statement
        }
        lastUpdate = (shape, statement, changed)
        return (statement, changed)
    }

    /// Columns in the order of a statement's parameters.
    final class ColumnList {
        let columns: [Column]
        let steps: ContiguousArray<Step>
        let hasExternal: Bool

        init(_ columns: [Column]) {
            self.columns = columns
            steps = ContiguousArray(columns.map(Step.init))
            hasExternal = columns.contains(where: \.isExternal)
        }
    }

    /// What binding needs of most columns, without anything to retain.
    struct Step {
        enum Form: UInt8 { case integer, real, text, bytes, reference, typedReference, other }
        let form: Form
        let slot: Int

        init(_ column: Column) {
            slot = column.slot
            form = if !column.path.isEmpty || column.isExternal { .other } else {
                switch column.kind {
                case .integer, .boolean: .integer
                case .double, .float, .date: .real
                case .string, .uri, .decimal: .text
                case .uuid: .bytes
                case .toOne: column.entityColumn == nil ? .reference : .typedReference
                case .data, .object, .none, .objectID, .composite, .toMany, .fetched: .other
                }
            }
        }
    }

    func delete(checksVersion: Bool, on connection: SQLiteConnection) throws -> SQLiteStatement {
        if let known = checksVersion ? deletion : uncheckedDeletion { return known }
        let statement = try connection.prepare(
            "DELETE FROM \(table) WHERE Z_PK = ?" + (checksVersion ? " AND Z_OPT = ?" : ""))
        if checksVersion { deletion = statement } else { uncheckedDeletion = statement }
        return statement
    }
}

extension SQLiteRowStore {
    /// The writer of an entity, made once.
    func writer(_ entity: Int) throws -> EntityWriter {
        if let known = writers[entity] { return known }
        guard let made = EntityWriter(model.entities[entity], schema: schema) else {
            throw StoreError.invalidRequest("The store does not hold the entity “\(model.entities[entity].name)”.")
        }
        writers[entity] = made
        return made
    }
}
