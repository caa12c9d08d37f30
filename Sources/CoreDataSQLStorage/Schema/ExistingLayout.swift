import CoreDataSchema
import CoreDataStorage
import SQLiteDriver

/// The tables a file has, as SQLite tells.
struct ExistingLayout {
    /// Columns by table name, both as they are spelt in the file.
    let tables: [String: [String]]
    private let sets: [String: Set<String>]

    init(_ connection: SQLiteConnection) throws {
        var tables: [String: [String]] = [:]
        try connection.withStatement(
            "SELECT m.name, p.name FROM sqlite_master m, pragma_table_info(m.name) p WHERE m.type = 'table' AND m.sql NOT LIKE 'CREATE VIRTUAL%'"
        ) { row in
            while try row.step() { tables[row.text(0) ?? "", default: []].append(row.text(1) ?? "") }
        }
        self.tables = tables
        sets = tables.mapValues(Set.init)
    }

    /// Whether changes were tracked in this file (persistent history).
    var hasHistory: Bool { tables["ATRANSACTION"] != nil && tables["ACHANGE"] != nil }

    func columns(of table: String) -> Set<String>? { sets[table] }
}

/// Fits a planned schema to a file that is already there: other names of join tables and their columns (a hash decides
/// them at Apple's), missing order columns. What cannot be done without is named.
struct SchemaFitting {
    let layout: ExistingLayout
    private var missing: [String] = []

    static func fit(_ schema: StoreSchema, to layout: ExistingLayout) -> (schema: StoreSchema, missing: [String]) {
        var fitting = SchemaFitting(layout: layout)
        return (fitting.run(schema), fitting.missing)
    }

    /// A fitted schema without the tables and columns that the file has not.
    static func present(of schema: StoreSchema, in layout: ExistingLayout) -> StoreSchema {
        func has(_ table: String?, _ names: [String]) -> Bool {
            guard let table, let columns = layout.columns(of: table) else { return false }
            return columns.isSuperset(of: names)
        }
        func table(of entity: Int) -> String? { schema.table(of: entity)?.name }
        let isWhole = schema.tables.map { has($0.name, ["Z_PK", "Z_ENT", "Z_OPT"]) }
        return StoreSchema(
            model: schema.model, entityNumbers: schema.entityNumbers, tables: schema.tables, joins: schema.joins,
            columns: schema.columns.filter { reference, column in
                has(table(of: reference.entity), column.kind == .composite ? column.elements.map(\.name) : [column.name])
            },
            links: schema.links.filter { reference, link in
                let relationship = schema.model.entities[reference.entity].properties[reference.slot].relationship
                guard let destination = relationship?.destination, has(table(of: destination), ["Z_PK", "Z_ENT"]) else { return false }
                return switch link {
                case .column(let table, let name, _, _): has(table, [name])
                case .join(let side): has(side.table, [side.ownerColumn, side.memberColumn])
                }
            },
            tableOfEntity: schema.model.entities.map { entity in
                schema.tables.firstIndex { $0.root == entity.rootIndex && schema.holds(entity.index) }.flatMap { isWhole[$0] ? $0 : nil } ?? -1
            })
    }

    private init(layout: ExistingLayout) { self.layout = layout }

    private mutating func run(_ schema: StoreSchema) -> StoreSchema {
        for table in schema.tables where layout.tables[table.name] == nil { missing.append("table \(table.name)") }
        var columns = schema.columns
        for (reference, column) in schema.columns {
            guard let table = schema.table(of: reference.entity), let present = layout.columns(of: table.name) else { continue }
            for name in column.kind == .composite ? column.elements.map(\.name) : [column.name] where !present.contains(name) {
                missing.append("column \(table.name).\(name)")
            }
            if let name = column.orderColumn, !present.contains(name) { columns[reference]?.orderColumn = nil }
            if let name = column.entityColumn, !present.contains(name) {
                columns[reference]?.entityColumn = renumbered(name, in: present, "_" + column.name.dropFirst())
            }
        }
        var links = schema.links
        for (reference, link) in schema.links {
            switch link {
            case .column(let table, let name, let order, let isHidden):
                guard let present = layout.columns(of: table) else { continue }
                let property = schema.model.entities[reference.entity].properties[reference.slot]
                let found = present.contains(name) ? name : isHidden ? renumbered(name, in: present, property.name.uppercased()) : nil
                if found == nil { missing.append("column \(table).\(name)") }
                let order = order.flatMap { order in [order, found.map { "Z_FOK_" + $0.dropFirst() }].compactMap { $0 }.first(where: present.contains) }
                links[reference] = .column(table: table, name: found ?? name, order: order, isHidden: isHidden)
            case .join(let side):
                let property = schema.model.entities[reference.entity].properties[reference.slot]
                if let found = fit(side, of: property) { links[reference] = .join(found) } else { missing.append("table \(side.table)") }
            }
        }
        missing = Set(missing).sorted()
        // As a rule the file is laid out as planned.
        if columns == schema.columns, links == schema.links { return schema }
        return StoreSchema(
            model: schema.model, entityNumbers: schema.entityNumbers, tables: schema.tables, joins: schema.joins,
            columns: columns, links: links, tableOfEntity: schema.model.entities.map { entity in
                schema.tables.firstIndex { $0.root == entity.rootIndex && schema.holds(entity.index) } ?? -1
            })
    }

    /// The column `Z<number><rest>` under another number, which a migration may have left; nil unless there is exactly one.
    private func renumbered(_ name: String, in present: Set<String>, _ rest: String) -> String? {
        let candidates = present.filter { candidate in
            guard candidate.hasPrefix("Z"), candidate.hasSuffix(rest) else { return false }
            let number = candidate.dropFirst().dropLast(rest.count)
            return !number.isEmpty && number.allSatisfy { $0.isASCII && $0.isNumber }
        }
        return candidates.count == 1 ? candidates.first : nil
    }

    /// The table of either name, and its columns with whatever number and suffix they carry.
    private func fit(_ side: JoinSide, of property: ResolvedProperty) -> JoinSide? {
        if let present = layout.columns(of: side.table), present.contains(side.ownerColumn), present.contains(side.memberColumn) {
            return JoinSide(
                table: side.table, ownerColumn: side.ownerColumn, memberColumn: side.memberColumn,
                orderColumn: side.orderColumn.flatMap { present.contains($0) ? $0 : nil }, isReflexive: side.isReflexive)
        }
        let owner = JoinName(side.ownerColumn), member = JoinName(side.memberColumn)
        var best: (score: Int, side: JoinSide)?
        for (table, columns) in layout.tables where table.hasPrefix("Z_") {
            guard let name = JoinName(table), name.matches(owner) || name.matches(member) else { continue }
            guard let ownerColumn = columns.first(where: { $0 == side.ownerColumn || JoinName($0)?.matches(owner) == true }),
                  let memberColumn = columns.first(where: {
                      $0 != ownerColumn && ($0 == side.memberColumn || JoinName($0)?.matches(member) == true)
                  })
            else { continue }
            let score = [ownerColumn == side.ownerColumn, memberColumn == side.memberColumn].count(where: { $0 })
            if let best, best.score >= score { continue }
            let order = columns.first { $0.hasPrefix("Z_FOK_") && "Z_" + $0.dropFirst(6) == memberColumn }
            best = (score, JoinSide(
                table: table, ownerColumn: ownerColumn, memberColumn: memberColumn,
                orderColumn: side.orderColumn == nil ? nil : order, isReflexive: side.isReflexive))
        }
        return best?.side
    }
}

/// `Z_<number><NAME>[suffix]` taken apart.
private struct JoinName {
    let name: Substring

    init?(_ text: String) {
        guard text.hasPrefix("Z_") else { return nil }
        let rest = text.dropFirst(2)
        let name = rest.drop { $0.isASCII && $0.isNumber }
        guard name.count < rest.count, !name.isEmpty else { return nil }
        self.name = name
    }

    /// The same relationship under another number or with a suffix.
    func matches(_ other: JoinName?) -> Bool {
        guard let other else { return false }
        func stem(_ text: Substring) -> Substring {
            var text = text
            while let last = text.last, last.isASCII, last.isNumber { text.removeLast() }
            return text
        }
        return name == other.name || stem(name) == stem(other.name)
    }
}
