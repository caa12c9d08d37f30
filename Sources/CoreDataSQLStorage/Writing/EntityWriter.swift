import CoreDataSchema
import CoreDataStorage
import SQLiteDriver

/// The prepared statements that write rows of one entity.
///
/// Invariant: parameters of the insert are `Z_PK`, `Z_ENT`, `Z_OPT` (1 in the text), then the entity's columns; an update
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
    let hasExternal: Bool
    /// Whether triggers write to the rows: what was bound is not all they have.
    let isDerived: Bool
    let columnsBySlot: [Int: [Column]]
    private var insertStatement: SQLiteStatement?
    private var updates: [UpdateShape: SQLiteStatement] = [:]
    private var lastUpdate: (shape: UpdateShape, statement: SQLiteStatement, columns: [Column])?
    private var deletes: [Bool: SQLiteStatement] = [:]

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
        isDerived = entity.properties.contains(where: \.isDerived)
        hasExternal = columns.contains(where: \.isExternal)
        columnsBySlot = Dictionary(grouping: columns, by: \.slot)
    }

    func insert(on connection: SQLiteConnection) throws -> SQLiteStatement {
        if let insertStatement { return insertStatement }
        let names = columns.flatMap { [$0.name] + [$0.entityColumn].compactMap { $0 } }
        let all = ["Z_PK", "Z_ENT", "Z_OPT"] + names
        let values = ["?", "?", "1"] + names.map { _ in "?" }
        let statement = try connection.prepare(
            "INSERT INTO \(table) (\(all.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))")
        insertStatement = statement
        return statement
    }

    func update(_ shape: UpdateShape, on connection: SQLiteConnection) throws -> (SQLiteStatement, [Column]) {
        if let lastUpdate, lastUpdate.shape == shape { return (lastUpdate.statement, lastUpdate.columns) }
        let changed = shape.slots.slots.flatMap { columnsBySlot[$0] ?? [] }
        let statement: SQLiteStatement
        if let known = updates[shape] {
            statement = known
        } else {
            let names = changed.flatMap { [$0.name] + [$0.entityColumn].compactMap { $0 } }
            let sets = (["Z_OPT = Z_OPT + 1"] + names.map { "\($0) = ?" }).joined(separator: ", ")
            statement = try connection.prepare(
                "UPDATE \(table) SET \(sets) WHERE Z_PK = ?" + (shape.checksVersion ? " AND Z_OPT = ?" : ""))
            updates[shape] = statement
        }
        lastUpdate = (shape, statement, changed)
        return (statement, changed)
    }

    func delete(checksVersion: Bool, on connection: SQLiteConnection) throws -> SQLiteStatement {
        if let known = deletes[checksVersion] { return known }
        let statement = try connection.prepare(
            "DELETE FROM \(table) WHERE Z_PK = ?" + (checksVersion ? " AND Z_OPT = ?" : ""))
        deletes[checksVersion] = statement
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
