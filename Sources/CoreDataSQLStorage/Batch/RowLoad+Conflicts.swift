import CoreDataSchema
import CoreDataStorage
import SQLiteDriver

/// A row that can belong to one other row and is given to two.
package struct LoadConflict {
    package enum Kind {
        /// Two rows lead to it; the other one’s line.
        case claimedTwice(Int?)
        /// Of two new rows, one leads to the other, which leads elsewhere.
        case contradicted
        /// A row that was there before belongs to another one.
        case stored
    }

    package var kind: Kind
    /// `Entity.property` of the relationship that leads to the row, and of its inverse.
    package var property: String
    package var inverse: String
    package var line: Int?
}

extension RowLoad {
    /// The first contradiction among the links that wait: of a to-many and of a one-to-one, whose members belong to one owner. To be
    /// asked when all rows are there, before `finish`. `firstKeys`: the first new key of each root entity.
    package func conflict(from firstKeys: [Int: Int64]) throws -> LoadConflict? {
        try indexLinks()
        for (reference, number) in waiting.sorted(by: { $0.value < $1.value }) {
            if let conflict = try claimedTwice(reference, number) ?? contradicted(reference, number, firstKeys) { return conflict }
        }
        return nil
    }

    private func name(_ reference: PropertyReference) -> String {
        let entity = store.model.entities[reference.entity]
        return "\(entity.name).\(entity.properties[reference.slot].name)"
    }

    private func inverse(_ reference: PropertyReference) -> PropertyReference? {
        store.model.entities[reference.entity].properties[reference.slot].relationship?.inverse
    }

    private func claimedTwice(_ reference: PropertyReference, _ number: Int) throws -> LoadConflict? {
        try connection.withStatement("""
            SELECT MAX(line), MIN(line) FROM temp.load_links WHERE relationship = \(number)
            GROUP BY member HAVING MIN(owner) <> MAX(owner) ORDER BY 1 LIMIT 1
            """) { statement in
            guard try statement.step() else { return nil }
            let lines = (Int(statement.integer(0)), Int(statement.integer(1)))
            return LoadConflict(
                kind: .claimedTwice(lines.1 > 0 && lines.1 != lines.0 ? lines.1 : nil), property: name(reference),
                inverse: inverse(reference).map(name) ?? "", line: lines.0 > 0 ? lines.0 : nil)
        }
    }

    private func contradicted(_ reference: PropertyReference, _ number: Int, _ firstKeys: [Int: Int64]) throws -> LoadConflict? {
        let property = store.model.entities[reference.entity].properties[reference.slot]
        let column: String, table: String
        if case .column(let name, let owner, _, true) = store.schema.links[reference] {
            (table, column) = (name, owner)
        } else {
            guard let relationship = property.relationship, let inverse = relationship.inverse,
                  let link = store.schema.column(store.model.entities[inverse.entity].properties[inverse.slot]),
                  let name = store.schema.table(of: relationship.destination)?.name else { return nil }
            (table, column) = (name, link.name)
        }
        let root = property.relationship.map { store.model.entities[$0.destination].rootIndex } ?? 0
        let first = firstKeys[root] ?? 0
        return try connection.withStatement("""
            SELECT l.line, l.member FROM temp.load_links l JOIN \(table) t ON t.Z_PK = l.member
            WHERE l.relationship = \(number) AND t.\(column) <> l.owner ORDER BY l.line LIMIT 1
            """) { statement in
            guard try statement.step() else { return nil }
            let line = Int(statement.integer(0))
            return LoadConflict(
                kind: statement.integer(1) >= first ? .contradicted : .stored, property: name(reference),
                inverse: inverse(reference).map(name) ?? "", line: line > 0 ? line : nil)
        }
    }
}
