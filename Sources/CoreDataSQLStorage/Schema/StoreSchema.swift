import CoreDataSchema

/// A model laid out as SQLite tables the way Apple's framework does it (tables, columns, join tables, names).
///
/// Invariants: one table per root entity; `entityNumbers` are `Z_ENT`, 0 for entities that are not in the store's
/// configuration; every stored slot of an entity in the store has its column in `columns`, keyed by the entity that
/// declares it. Immutable after `init`.
package final class StoreSchema: Sendable {
    package let model: ResolvedModel
    /// `Z_ENT` by index of the entity in the model; 0 when the store does not hold it.
    package let entityNumbers: [Int64]
    /// Index of the entity in the model by `Z_ENT`; -1 for unused numbers.
    package let entityByNumber: [Int]
    package let tables: [TableSchema]
    package let joins: [JoinTableSchema]
    package let columns: [PropertyReference: SlotColumn]
    package let links: [PropertyReference: LinkStorage]
    /// Whether any value may be in a file.
    let hasExternal: Bool
    private let tableOfEntity: [Int]
    /// Made when somebody asks.
    private let knownIndexedColumns = LockedValue<Set<String>?>(nil)

    init(
        model: ResolvedModel, entityNumbers: [Int64], tables: [TableSchema], joins: [JoinTableSchema],
        columns: [PropertyReference: SlotColumn], links: [PropertyReference: LinkStorage], tableOfEntity: [Int]
    ) {
        self.model = model
        self.entityNumbers = entityNumbers
        self.tables = tables
        self.joins = joins
        self.columns = columns
        self.links = links
        hasExternal = columns.values.contains(where: \.isExternal)
        self.tableOfEntity = tableOfEntity
        var byNumber = [Int](repeating: -1, count: Int(entityNumbers.max() ?? 0) + 1)
        for (entity, number) in entityNumbers.enumerated() where number > 0 { byNumber[Int(number)] = entity }
        entityByNumber = byNumber
    }

    /// `table.column` of the columns an index begins with.
    var indexedColumns: Set<String> {
        knownIndexedColumns.withLock { known in
            if let known { return known }
            let made = StoreDefinition.firstColumns(ofIndexesOf: self)
            known = made
            return made
        }
    }

    /// Whether the store keeps rows of the entity.
    package func holds(_ entity: Int) -> Bool { entity >= 0 && entity < entityNumbers.count && entityNumbers[entity] > 0 }

    package func table(of entity: Int) -> TableSchema? {
        guard holds(entity), tableOfEntity[entity] >= 0 else { return nil }
        return tables[tableOfEntity[entity]]
    }

    package func column(_ property: ResolvedProperty) -> SlotColumn? {
        columns[PropertyReference(entity: property.declaringEntity, slot: property.slot)]
    }

    package func link(_ property: ResolvedProperty) -> LinkStorage? {
        links[PropertyReference(entity: property.declaringEntity, slot: property.slot)]
    }

    /// The concrete entity of a row in the table of `declared`. In a table of one entity every row is of that entity,
    /// whatever its `Z_ENT` says (some old stores carry stale numbers).
    package func concreteEntity(number: Int64, declared: Int) -> Int? {
        guard let table = table(of: declared) else { return nil }
        if !table.hasSubentities { return table.root }
        guard let entity = entity(number: number), model.entities[entity].rootIndex == table.root else { return nil }
        return entity
    }

    /// Index of the entity with this `Z_ENT`, or nil.
    @inlinable package func entity(number: Int64) -> Int? {
        guard number > 0, number < Int64(entityByNumber.count) else { return nil }
        let entity = entityByNumber[Int(number)]
        return entity < 0 ? nil : entity
    }
}

/// One root entity's table.
package struct TableSchema: Sendable, Equatable {
    package let name: String
    /// Index of the root entity in the model.
    package let root: Int
    package let hasSubentities: Bool
    /// Without `Z_PK`, `Z_ENT`, `Z_OPT`, in Apple's order.
    package var columns: [ColumnSchema]
}

package struct ColumnSchema: Sendable, Equatable {
    package let name: String
    package let type: ColumnType
}

/// How a column is declared; in Apple's order of columns.
package enum ColumnType: Int, Sendable, Comparable {
    case integer, float, timestamp, decimal, varchar, uri, uuid, transformable, binary

    package var declaration: String {
        switch self {
        case .integer: "INTEGER"
        case .float: "FLOAT"
        case .timestamp: "TIMESTAMP"
        case .decimal: "DECIMAL"
        case .varchar, .uri: "VARCHAR"
        case .uuid, .transformable, .binary: "BLOB"
        }
    }

    /// FLOAT and TIMESTAMP columns stand mixed.
    var rank: Int { self == .timestamp ? ColumnType.float.rawValue : rawValue }

    package static func < (left: ColumnType, right: ColumnType) -> Bool { left.rank < right.rank }

    /// nil for kinds without a column.
    init?(_ kind: StorageKind) {
        switch kind {
        case .integer, .boolean, .toOne: self = .integer
        case .double, .float: self = .float
        case .date: self = .timestamp
        case .decimal: self = .decimal
        case .string: self = .varchar
        case .uri: self = .uri
        case .uuid: self = .uuid
        case .object: self = .transformable
        case .data: self = .binary
        case .none, .objectID, .composite, .toMany, .fetched: return nil
        }
    }
}

/// Where a stored slot lives in its table.
package struct SlotColumn: Sendable, Equatable {
    package let name: String
    package let kind: StorageKind
    /// Column with the concrete `Z_ENT` of a to-one's row, when its destination has subentities.
    package var entityColumn: String?
    /// `Z_FOK_…` of a to-one whose inverse is ordered.
    package var orderColumn: String?
    /// A composite attribute's elements, one column each, in declaration order; empty otherwise.
    package var elements: [CompositeColumn] = []
    /// Blobs carry Apple's prefix byte and may live in a file of their own.
    package var isExternal = false
}

/// One flattened element of a composite attribute.
package struct CompositeColumn: Sendable, Equatable {
    /// Element names from the attribute inwards.
    package let path: [String]
    package let name: String
    package let kind: StorageKind
}

/// How a to-many relationship is kept.
package enum LinkStorage: Sendable, Equatable {
    /// A column of the destination's table holds the owner's key: the inverse to-one, or a hidden one when there is none.
    case column(table: String, name: String, order: String?, isHidden: Bool)
    /// A join table.
    case join(JoinSide)
}

/// A join table seen from one of its relationships.
package struct JoinSide: Sendable, Equatable {
    package let table: String
    /// Column with the owners' keys.
    package let ownerColumn: String
    /// Column with the members' keys.
    package let memberColumn: String
    /// Column with the members' order within an owner.
    package let orderColumn: String?
    /// The relationship is its own inverse: each pair stands both ways.
    package let isReflexive: Bool
}

package struct JoinTableSchema: Sendable, Equatable {
    package let name: String
    /// Two key columns, then order columns.
    package let columns: [String]
    package var keyColumns: (String, String) { (columns[0], columns[1]) }
}
