import CoreDataSchema
import CoreDataStorage
import SQLiteDriver

/// A batch delete while it runs: inside the transaction, under the store's lock.
///
/// One `DELETE … WHERE` when nothing else hangs on the rows; otherwise their keys are collected in a temporary table, which
/// grows by what cascade rules reach, then relationships are cleared, then the rows go.
struct BatchDeleteRun {
    let store: SQLiteRowStore
    let connection: SQLiteConnection
    let plan: BatchDeletePlan
    /// External files no row names any more.
    private(set) var obsoleteFiles: [String] = []

    static let doomed = "temp.nl_batch_delete"

    init(_ plan: BatchDeletePlan, store: SQLiteRowStore, connection: SQLiteConnection) {
        self.store = store
        self.connection = connection
        self.plan = plan
    }

    private var schema: StoreSchema { store.schema }

    mutating func write() throws -> BatchReceipt {
        if let receipt = try deleteDirectly() { return receipt }
        try connection.execute("""
            CREATE TEMP TABLE IF NOT EXISTS nl_batch_delete (root INTEGER, key INTEGER, ent INTEGER, wave INTEGER, PRIMARY KEY (root, key)) WITHOUT ROWID;
            CREATE INDEX IF NOT EXISTS temp.nl_batch_delete_wave ON nl_batch_delete (wave, root, ent);
            DELETE FROM \(BatchDeleteRun.doomed)
            """)
        try select()
        try cascade()
        let groups = try groups()
        for group in groups { try check(group) }
        for group in groups { try clear(group) }
        for root in Set(groups.map(\.root)).sorted() {
            guard let table = schema.table(of: root)?.name else { continue }
            try run("DELETE FROM \(table) WHERE Z_PK IN (SELECT key FROM \(BatchDeleteRun.doomed) WHERE root = ?)", root)
        }
        let receipt = try receipt()
        try connection.execute("DELETE FROM \(BatchDeleteRun.doomed)")
        return receipt
    }

    private func run(_ sql: String, _ parameters: Int...) throws {
        try connection.withStatement(sql) { statement in
            for (index, value) in parameters.enumerated() { try statement.bind(Int32(index + 1), Int64(value)) }
            try statement.run()
        }
    }

    // MARK: One statement

    private func deleteDirectly() throws -> BatchReceipt? {
        guard case .fetch(let fetch) = plan.selection, fetch.limit <= 0, fetch.offset <= 0, !hasEffects(fetch) else { return nil }
        let builder = try store.builder(fetch)
        let (filter, rest) = try builder.filter()
        guard rest == nil, builder.compiler.root.from == "\(builder.table.name) t0" else { return nil }
        let returning = plan.answer == .keys ? " RETURNING Z_PK, Z_ENT" : ""
        let sql = "DELETE FROM \(builder.table.name) AS t0" + filter + returning
        var receipt = BatchReceipt()
        try store.run(SelectStatement(sql: sql, lists: builder.compiler.lists), on: connection) { statement in
            while try statement.step() {
                guard let found = schema.concreteEntity(number: statement.integer(1), declared: fetch.entity) else { continue }
                receipt.keys.append(RowKey(primaryKey: statement.integer(0), entity: Int32(found), store: store.number))
            }
            receipt.count = connection.changes
        }
        return receipt
    }

    /// Whether deleting rows of the plan's entities can touch other rows or files.
    private func hasEffects(_ plan: FetchPlan) -> Bool {
        let entity = store.model.entities[plan.entity]
        return (entity.index...(plan.includesSubentities ? entity.lastDescendant : entity.index)).contains { index in
            let entity = store.model.entities[index]
            if BatchDeleteRule.rules(of: entity, in: store.model).contains(where: { $0.cascades || $0.clearing != nil || $0.mandatoryKind != nil }) {
                return true
            }
            return entity.properties.contains { property in
                if schema.column(property)?.isExternal == true { return true }
                switch schema.link(property) {
                case .join, .column(_, _, _, isHidden: true): return property.storage == .toMany
                default: return false
                }
            }
        }
    }

    // MARK: Which rows

    private func select() throws {
        let insert = "INSERT OR IGNORE INTO \(BatchDeleteRun.doomed) "
        switch plan.selection {
        case .keys(let keys): try select(keys)
        case .fetch(var fetch):
            fetch.result = .keys
            let builder = try store.builder(fetch)
            let root = builder.table.root
            let selected = try builder.rows(columns: ["Z_PK", "Z_ENT"])
            if selected.rest != nil {
                return try select(store.fetchKeys(store.builder(fetch), on: connection))
            }
            let sql = insert + "SELECT \(root), Z_PK, Z_ENT, 0 FROM (" + selected.sql + ")"
            try store.run(SelectStatement(sql: sql, lists: selected.lists), on: connection) { try $0.run() }
        }
    }

    private func select(_ keys: [RowKey]) throws {
        for key in keys {
            guard !key.isTemporary, let table = schema.table(of: Int(key.entity)) else { continue }
            try connection.withStatement(
                "INSERT OR IGNORE INTO \(BatchDeleteRun.doomed) SELECT \(table.root), Z_PK, Z_ENT, 0 FROM \(table.name) WHERE Z_PK = ?"
            ) { statement in
                try statement.bind(1, key.primaryKey)
                try statement.run()
            }
        }
    }

    // MARK: Cascades

    /// Rows of one `Z_ENT` of one root's table.
    private struct Group {
        let root: Int
        let number: Int64
        let entity: ResolvedEntity
    }

    private func groups(wave: Int? = nil) throws -> [Group] {
        var result: [Group] = []
        let sql = wave == nil ? "SELECT DISTINCT root, ent FROM \(BatchDeleteRun.doomed)"
            : "SELECT DISTINCT root, ent FROM \(BatchDeleteRun.doomed) WHERE wave = ?"
        try connection.withStatement(sql) { statement in
            if let wave { try statement.bind(1, Int64(wave)) }
            while try statement.step() {
                let root = Int(statement.integer(0)), number = statement.integer(1)
                let entity = schema.concreteEntity(number: number, declared: root) ?? root
                result.append(Group(root: root, number: number, entity: store.model.entities[entity]))
            }
        }
        return result
    }

    private func cascade() throws {
        var wave = 0
        while true {
            let found = try groups(wave: wave)
            if found.isEmpty { return }
            for group in found {
                for rule in BatchDeleteRule.rules(of: group.entity, in: store.model) where rule.cascades {
                    guard let members = members(of: group, rule) else { continue }
                    try run("""
                        INSERT OR IGNORE INTO \(BatchDeleteRun.doomed) SELECT \(members.root), d.Z_PK, d.Z_ENT, ?4
                        FROM \(members.from) WHERE x.root = ?1 AND x.ent = ?2 AND x.wave = ?3
                        """, group.root, Int(group.number), wave, wave + 1)
                }
            }
            wave += 1
        }
    }

    /// FROM of the rows (`d`) that a relationship of doomed rows (`x`) leads to.
    private func members(of group: Group, _ rule: BatchDeleteRule) -> (from: String, root: Int)? {
        let property = store.model.entities[rule.property.entity].properties[rule.property.slot]
        guard let destination = property.relationship?.destination, let target = schema.table(of: destination),
              let own = schema.table(of: group.root)
        else { return nil }
        let doomed = "\(BatchDeleteRun.doomed) x"
        if property.storage == .toOne {
            guard let column = schema.column(property) else { return nil }
            return ("\(doomed) JOIN \(own.name) s ON s.Z_PK = x.key JOIN \(target.name) d ON d.Z_PK = s.\(column.name)", target.root)
        }
        switch schema.link(property) {
        case .column(_, let name, _, _): return ("\(doomed) JOIN \(target.name) d ON d.\(name) = x.key", target.root)
        case .join(let side):
            return ("\(doomed) JOIN \(side.table) j ON j.\(side.ownerColumn) = x.key JOIN \(target.name) d ON d.Z_PK = j.\(side.memberColumn)",
                    target.root)
        case nil: return nil
        }
    }

    // MARK: What is left

    /// Throws when a row that stays needs one that goes (BA09).
    private func check(_ group: Group) throws {
        for rule in BatchDeleteRule.rules(of: group.entity, in: store.model) {
            guard let kind = rule.mandatoryKind, let members = members(of: group, rule) else { continue }
            let sql = """
                SELECT 1 FROM \(members.from) WHERE x.root = \(group.root) AND x.ent = \(group.number) AND NOT EXISTS
                (SELECT 1 FROM \(BatchDeleteRun.doomed) y WHERE y.root = \(members.root) AND y.key = d.Z_PK) LIMIT 1
                """
            if try connection.integer(sql) != nil {
                throw BatchError.mandatoryInverse(entity: group.entity.name, relationship: rule.name, kind: kind)
            }
        }
    }

    /// Cuts the rows off what stays: to-ones that lead to them, join rows, hidden keys; and notes their files.
    private mutating func clear(_ group: Group) throws {
        let keys = "(SELECT key FROM \(BatchDeleteRun.doomed) WHERE root = ?1 AND ent = ?2)"
        let (root, number) = (group.root, Int(group.number))
        for rule in BatchDeleteRule.rules(of: group.entity, in: store.model) {
            guard let clearing = rule.clearing else { continue }
            let inverse = store.model.entities[clearing.entity].properties[clearing.slot]
            guard let table = schema.table(of: clearing.entity), let column = schema.column(inverse) else { continue }
            let cleared = [column.name] + [column.entityColumn, column.orderColumn].compactMap { $0 }
            let sets = (cleared.map { "\($0) = NULL" } + ["Z_OPT = Z_OPT + 1"]).joined(separator: ", ")
            try run("""
                UPDATE \(table.name) SET \(sets) WHERE \(column.name) IN \(keys)
                AND Z_PK NOT IN (SELECT key FROM \(BatchDeleteRun.doomed) WHERE root = \(table.root))
                """, root, number)
        }
        for property in group.entity.properties where property.storage == .toMany {
            switch schema.link(property) {
            case .join(let side):
                try run("DELETE FROM \(side.table) WHERE \(side.ownerColumn) IN \(keys)", root, number)
                if side.isReflexive { try run("DELETE FROM \(side.table) WHERE \(side.memberColumn) IN \(keys)", root, number) }
            case .column(let table, let name, _, isHidden: true):
                try run("UPDATE \(table) SET \(name) = NULL WHERE \(name) IN \(keys)", root, number)
            case .column, nil: break
            }
        }
        guard let table = schema.table(of: root)?.name else { return }
        let condition = SQLFragment(
            "Z_PK IN (SELECT key FROM \(BatchDeleteRun.doomed) WHERE root = ? AND ent = ?)", [.integer(Int64(root)), .integer(group.number)])
        obsoleteFiles += try store.externalFiles(store.writer(group.entity.index).columns, table: table, where: condition, on: connection)
    }

    /// The rows asked for come first.
    private func receipt() throws -> BatchReceipt {
        var receipt = BatchReceipt()
        guard plan.answer == .keys else {
            receipt.count = Int(try connection.integer("SELECT COUNT(*) FROM \(BatchDeleteRun.doomed)") ?? 0)
            return receipt
        }
        try connection.withStatement("SELECT root, key, ent FROM \(BatchDeleteRun.doomed) ORDER BY wave, root, key") { statement in
            while try statement.step() {
                let root = Int(statement.integer(0))
                let entity = schema.concreteEntity(number: statement.integer(2), declared: root) ?? root
                receipt.keys.append(RowKey(primaryKey: statement.integer(1), entity: Int32(entity), store: store.number))
            }
        }
        receipt.count = receipt.keys.count
        return receipt
    }
}
