import CoreDataSQLStorage
import CoreDataSchema

extension StoreCheck {
    /// To-ones that lead nowhere, or to a row of another entity than they say or may lead to.
    mutating func checkToOnes() throws {
        for (reference, column, table) in columns where column.kind == .toOne {
            guard let destination = property(reference).relationship?.destination, let target = schema.table(of: destination) else { continue }
            let targetName = model.entities[destination].name
            let fk = "t.\(column.name)", isOptional = property(reference).isOptional
            // A key that is no whole number is a value of another type, which `checkTypes` tells of.
            let nowhere = "typeof(\(fk)) = 'integer' AND NOT EXISTS (SELECT 1 FROM \(target.name) d WHERE d.Z_PK = \(fk))"
            let emptied = [column.name, column.entityColumn, column.orderColumn].compactMap { $0 }.map { "\($0) = NULL" }
            try add(
                "orphan", place: place(reference), table: table, where: nowhere,
                repair: isOptional ? ["UPDATE \(table.name) AS t SET \(emptied.joined(separator: ", ")) WHERE \(nowhere)"] : []
            ) { "\(StoreCheck.rows($0, "leads", "lead")) to a row of \(targetName) that is not there" }
            if let condition = isRow(of: destination, "d") {
                try add(
                    "wrongEntity", place: place(reference), table: table,
                    where: "EXISTS (SELECT 1 FROM \(target.name) d WHERE d.Z_PK = \(fk) AND NOT \(condition))"
                ) { "\(StoreCheck.rows($0, "leads", "lead")) to a row that is no \(targetName)" }
            }
            guard let name = column.entityColumn, target.hasSubentities else { continue }
            // What the row meant says of itself counts only where it can be so: a number that is none of the destination's is its own damage.
            let actual = "(SELECT d.Z_ENT FROM \(target.name) d WHERE d.Z_PK = \(fk) AND \(isExactly(destination, "d")))"
            let differs = "typeof(\(fk)) = 'integer' AND t.\(name) IS NOT \(actual) AND \(actual) IS NOT NULL"
            try add(
                "entityColumn", place: place(reference), table: table, where: differs,
                repair: ["UPDATE \(table.name) AS t SET \(name) = \(actual) WHERE \(differs)"]
            ) { "\(StoreCheck.rows($0, "notes", "note")) down an entity other than that of the row meant" }
        }
    }

    /// One-to-ones whose sides disagree.
    mutating func checkOneToOnes() throws {
        for (reference, column, table) in columns where column.kind == .toOne {
            guard let inverse = property(reference).relationship?.inverse, let back = schema.columns[inverse], back.kind == .toOne,
                  let other = schema.table(of: inverse.entity), has(other.name, [back.name]) else { continue }
            let side = "EXISTS (SELECT 1 FROM \(other.name) d WHERE d.Z_PK = t.\(column.name) AND"
            let open = "\(side) d.\(back.name) IS NULL)"
            let rivals = "(SELECT COUNT(*) FROM \(table.name) s WHERE s.\(column.name) = t.\(column.name)) = 1"
            let seen = self
            // Apple's own stores have some; reading from either side goes well.
            try add(
                "oneToOne", .warning, place: place(reference), table: table, where: "\(open) AND \(rivals)",
                repair: try seen.completion(of: (reference, column, table), by: (inverse, back, other))
            ) { "\(StoreCheck.rows($0, "leads", "lead")) to a row that does not lead back" }
            try add(
                "oneToOne", place: place(reference), table: table,
                where: "(\(open) AND NOT \(rivals)) OR \(side) d.\(back.name) <> t.Z_PK)"
            ) { "\(StoreCheck.rows($0, "leads", "lead")) to a row that leads to another one" }
        }
    }

    /// Fills the empty side of a one-to-one from the other, where both rows are of entities that have the relationship; empty when there
    /// is no such row.
    private func completion(
        of known: (reference: PropertyReference, column: SlotColumn, table: TableSchema),
        by empty: (reference: PropertyReference, column: SlotColumn, table: TableSchema)
    ) throws -> [String] {
        let rows = "FROM \(known.table.name) t WHERE t.\(known.column.name) = d.Z_PK"
        var sets = ["\(empty.column.name) = (SELECT t.Z_PK \(rows))"]
        if let name = empty.column.entityColumn { sets.append("\(name) = (SELECT t.Z_ENT \(rows))") }
        let condition = "d.\(empty.column.name) IS NULL AND \(isExactly(empty.reference.entity, "d")) AND (SELECT COUNT(*) \(rows)) = 1 "
            + "AND (SELECT COUNT(*) \(rows) AND \(isExactly(known.reference.entity, "t"))) = 1"
        guard try connection.integer("SELECT EXISTS (SELECT 1 FROM \(empty.table.name) d WHERE \(condition))") == 1 else { return [] }
        return ["UPDATE \(empty.table.name) AS d SET \(sets.joined(separator: ", ")) WHERE \(condition)"]
    }

    /// To-manys without inverse, whose owner's key stands in the member's row.
    mutating func checkHiddenKeys() throws {
        for (reference, link) in links {
            guard case .column(let name, let column, _, true) = link, let owner = schema.table(of: reference.entity),
                  let table = schema.tables.first(where: { $0.name == name }) else { continue }
            let nowhere = "typeof(t.\(column)) = 'integer' AND NOT EXISTS (SELECT 1 FROM \(owner.name) o WHERE o.Z_PK = t.\(column))"
            try add(
                "orphan", place: place(reference), table: table, where: nowhere,
                repair: ["UPDATE \(table.name) AS t SET \(column) = NULL WHERE \(nowhere)"]
            ) { "\(StoreCheck.rows($0, "belongs", "belong")) to an owner that is not there" }
        }
    }

    /// Rows of join tables whose ends are missing or of another entity, and pairs that stand one way only.
    mutating func checkJoins() throws {
        for (reference, link) in links {
            guard case .join(let side) = link, let relationship = property(reference).relationship,
                  let owners = schema.table(of: reference.entity), let members = schema.table(of: relationship.destination) else { continue }
            // Each end is looked at from the relationship whose owners it names; a reflexive one has both.
            try addJoin(side, reference, column: side.ownerColumn, to: owners, entity: reference.entity)
            guard side.isReflexive else { continue }
            try addJoin(side, reference, column: side.memberColumn, to: members, entity: relationship.destination)
            let alone = "NOT EXISTS (SELECT 1 FROM \(side.table) s WHERE s.\(side.ownerColumn) = j.\(side.memberColumn) "
                + "AND s.\(side.memberColumn) = j.\(side.ownerColumn))"
            let count = Int(try connection.integer("SELECT COUNT(*) FROM \(side.table) j WHERE \(alone)") ?? 0)
            if count > 0 {
                add(Finding(
                    kind: "halfPair", severity: .error, place: place(reference), message: "\(StoreCheck.rows(count)) of \(side.table) \(count == 1 ? "stands" : "stand") one "
                        + "way only", count: count, repair: side.orderColumn != nil ? [] : [
                            "INSERT OR IGNORE INTO \(side.table) (\(side.ownerColumn), \(side.memberColumn)) "
                                + "SELECT j.\(side.memberColumn), j.\(side.ownerColumn) FROM \(side.table) j WHERE \(alone)",
                        ]))
            }
        }
    }

    private mutating func addJoin(
        _ side: JoinSide, _ reference: PropertyReference, column: String, to table: TableSchema, entity: Int
    ) throws {
        let missing = "NOT EXISTS (SELECT 1 FROM \(table.name) o WHERE o.Z_PK = j.\(column))"
        let count = Int(try connection.integer("SELECT COUNT(*) FROM \(side.table) j WHERE \(missing)") ?? 0)
        if count > 0 {
            add(Finding(
                kind: "joinRow", severity: .error, place: place(reference),
                message: "\(StoreCheck.rows(count)) of \(side.table) \(count == 1 ? "names" : "name") a \(model.entities[entity].name) that is not there", count: count,
                repair: ["DELETE FROM \(side.table) AS j WHERE \(missing)"]))
        }
        guard let condition = isRow(of: entity, "o") else { return }
        let wrong = Int(try connection.integer(
            "SELECT COUNT(*) FROM \(side.table) j WHERE EXISTS (SELECT 1 FROM \(table.name) o WHERE o.Z_PK = j.\(column) AND NOT \(condition))") ?? 0)
        if wrong > 0 {
            add(Finding(
                kind: "wrongEntity", severity: .error, place: place(reference),
                message: "\(StoreCheck.rows(wrong)) of \(side.table) \(wrong == 1 ? "names" : "name") a row that is no \(model.entities[entity].name)", count: wrong))
        }
    }
}
