import CoreDataSchema
import CoreDataStorage
import SQLiteDriver

/// To-many membership that no to-one column carries: join rows, hidden keys and orders.
extension CommitRun {
    /// Join rows and hidden keys of a deleted row.
    func removeLinks(of key: RowKey) throws {
        let entity = model.entities[Int(key.entity)]
        for property in entity.properties where property.storage == .toMany {
            switch schema.link(property) {
            case .join(let side):
                try run("DELETE FROM \(side.table) WHERE \(side.ownerColumn) = ?", [key.primaryKey])
                if side.isReflexive { try run("DELETE FROM \(side.table) WHERE \(side.memberColumn) = ?", [key.primaryKey]) }
            case .column(let table, let name, _, true):
                try run("UPDATE \(table) SET \(name) = NULL WHERE \(name) = ?", [key.primaryKey])
            case .column, nil: break
            }
        }
    }

    func writeLinks() throws {
        for link in batch.links {
            guard let owner = permanentKey(link.owner), let storage = schema.links[link.relationship] else { continue }
            switch storage {
            case .join(let side): try write(link, owner: owner, in: side)
            case .column(let table, let name, let order, let isHidden):
                try write(link, owner: owner, table: table, column: name, order: order, isHidden: isHidden)
            }
        }
    }

    private func write(_ link: LinkChange, owner: RowKey, in side: JoinSide) throws {
        for member in link.removed {
            guard let member = permanentKey(member) else { continue }
            let pair = [owner.primaryKey, member.primaryKey]
            try run("DELETE FROM \(side.table) WHERE \(side.ownerColumn) = ? AND \(side.memberColumn) = ?", pair)
            if side.isReflexive {
                try run("DELETE FROM \(side.table) WHERE \(side.ownerColumn) = ? AND \(side.memberColumn) = ?", pair.reversed())
            }
        }
        // Both ends of a new pair may report it.
        let insert = "INSERT OR IGNORE INTO \(side.table) (\(side.ownerColumn), \(side.memberColumn)) VALUES (?, ?)"
        for member in link.added {
            guard let member = permanentKey(member) else { continue }
            let pair = [owner.primaryKey, member.primaryKey]
            try run(insert, pair)
            if side.isReflexive { try run(insert, pair.reversed()) }
        }
        guard let order = link.order, let column = side.orderColumn else { return }
        try writeOrder(
            order, owner: owner,
            select: "SELECT \(side.memberColumn), \(column) FROM \(side.table) WHERE \(side.ownerColumn) = ?",
            update: "UPDATE \(side.table) SET \(column) = ? WHERE \(side.memberColumn) = ? AND \(side.ownerColumn) = ?",
            bindsOwner: true)
    }

    private func write(
        _ link: LinkChange, owner: RowKey, table: String, column: String, order: String?, isHidden: Bool
    ) throws {
        if isHidden {
            for member in link.removed {
                guard let member = permanentKey(member) else { continue }
                try run("UPDATE \(table) SET \(column) = NULL WHERE Z_PK = ? AND \(column) = ?", [member.primaryKey, owner.primaryKey])
            }
            for member in link.added {
                guard let member = permanentKey(member) else { continue }
                try run("UPDATE \(table) SET \(column) = ? WHERE Z_PK = ?", [owner.primaryKey, member.primaryKey])
            }
        }
        guard let members = link.order, let order else { return }
        try writeOrder(
            members, owner: owner, select: "SELECT Z_PK, \(order) FROM \(table) WHERE \(column) = ?",
            update: "UPDATE \(table) SET \(order) = ? WHERE Z_PK = ?", bindsOwner: false)
    }

    /// Writes the keys that change, no others. Members the context does not know of stay behind those they stand behind.
    private func writeOrder(_ members: [RowKey], owner: RowKey, select: String, update: String, bindsOwner: Bool) throws {
        var known: [Int64: Int64] = [:]
        try connection.withStatement(select) { statement in
            try statement.bind(1, owner.primaryKey)
            while try statement.step() { if !statement.isNull(1) { known[statement.integer(0)] = statement.integer(1) } }
        }
        var keys = members.compactMap { permanentKey($0)?.primaryKey }
        let named = Set(keys)
        for other in known.filter({ !named.contains($0.key) }).sorted(by: { $0.value < $1.value }) {
            let before = keys.indices.filter { known[keys[$0]].map { $0 < other.value } ?? false }
            let place = before.max { (known[keys[$0]] ?? 0) < (known[keys[$1]] ?? 0) }
            keys.insert(other.key, at: place.map { $0 + 1 } ?? 0)
        }
        for (position, order) in OrderKeys.changes(keys.map { known[$0] }) {
            try run(update, bindsOwner ? [order, keys[position], owner.primaryKey] : [order, keys[position]])
        }
    }

    private func run(_ sql: String, _ parameters: [Int64]) throws {
        try connection.withStatement(sql) { statement in
            for (index, value) in parameters.enumerated() { try statement.bind(Int32(index + 1), value) }
            try statement.run()
        }
    }
}
