import CoreDataSchema
import CoreDataStorage
import SQLiteDriver

/// Rows of any entities on their way into a store in one transaction, with keys the caller chooses: an import.
///
/// Invariant: everything a caller gives is in the store when `SQLiteRowStore.load` returns, or nothing is. Memory does not grow
/// with the rows: links that can be made only once both rows are there wait in a temporary table. The row cache is not told.
package final class RowLoad {
    let store: SQLiteRowStore
    let connection: SQLiteConnection
    private var entities: [Int: EntityLoad] = [:]
    private var highest: [Int: Int64] = [:]
    /// Relationships whose links wait, in the order of their numbers in the temporary table.
    private(set) var waiting: [PropertyReference: Int] = [:]
    private var sql: [PropertyReference: String] = [:]
    private var rows = 0

    /// What belongs to an entity, looked up once.
    private final class EntityLoad {
        let writer: EntityWriter
        let steps: ContiguousArray<BatchBinding.Step>
        var binding: BatchBinding
        let root: Int

        init(_ entity: Int, _ store: SQLiteRowStore) throws {
            writer = try store.writer(entity)
            steps = BatchBinding.steps(writer.columns)
            binding = BatchBinding(store: store, entity: store.model.entities[entity])
            root = store.model.entities[entity].rootIndex
        }
    }

    fileprivate init(_ store: SQLiteRowStore, _ connection: SQLiteConnection) throws {
        self.store = store
        self.connection = connection
        try connection.execute("""
            CREATE TEMP TABLE IF NOT EXISTS load_links (relationship INTEGER, owner INTEGER, owner_entity INTEGER, member INTEGER, place INTEGER, line INTEGER);
            DELETE FROM temp.load_links
            """)
    }

    var createdFiles: [String] { entities.values.flatMap(\.binding.createdFiles) }

    /// The highest key given out in an entity's table when the load began.
    package func highestKey(of entity: Int) throws -> Int64 {
        try store.highestKey(root: store.model.entities[entity].rootIndex, on: connection)
    }

    /// Inserts a row. References need not be there yet. Throws `BatchError.notUnique` for values that must be unique and are not.
    package func insert(_ entity: Int, key: Int64, values: ContiguousArray<AttributeValue>) throws {
        let load = try entityLoad(entity)
        let statement = try load.writer.insert(on: connection)
        try statement.bind(1, key)
        load.binding.releaseTexts()
        _ = try load.binding.bind(load.steps, load.writer.columns, of: values, to: statement, from: 2)
        rows += 1
        do {
            try statement.run()
            statement.clearBindings()
        } catch {
            statement.clearBindings()
            if error.isUniquenessViolation { throw notUnique(store.model.entities[entity], values, error) }
            throw error
        }
        highest[load.root] = max(highest[load.root] ?? 0, key)
        if rows & 0xFFF == 0 { store.derivedRows.forget() }
    }

    /// Changes a row that was there before: the values of those slots, and its version. A member that leaves an ordered relationship for
    /// another comes last there.
    package func update(_ entity: Int, key: Int64, slots: SlotSet, values: ContiguousArray<AttributeValue>) throws {
        let load = try entityLoad(entity)
        let (statement, list) = try load.writer.update(EntityWriter.UpdateShape(slots: slots, checksVersion: false), on: connection)
        guard !list.columns.isEmpty else { return }
        if list.hasExternal { replacedFiles += try files(of: list.columns, in: load.writer.table, key: key) }
        load.binding.releaseTexts()
        let last = try load.binding.bind(BatchBinding.steps(list.columns), list.columns, of: values, to: statement, from: 1)
        try statement.bind(last, key)
        rows += 1
        do {
            try statement.run()
            statement.clearBindings()
        } catch {
            statement.clearBindings()
            if error.isUniquenessViolation { throw notUnique(store.model.entities[entity], values, error) }
            throw error
        }
        for slot in slots.slots {
            guard let order = store.schema.column(store.model.entities[entity].properties[slot])?.orderColumn else { continue }
            try connection.execute("UPDATE \(load.writer.table) SET \(order) = NULL WHERE Z_PK = \(key)")
        }
    }

    /// Files that rows named before they were changed.
    fileprivate var replacedFiles: [String] = []

    private func files(of columns: [EntityWriter.Column], in table: String, key: Int64) throws -> [String] {
        try columns.filter(\.isExternal).compactMap { column in
            try connection.withStatement("SELECT \(column.name) FROM \(table) WHERE Z_PK = ?") { statement in
                try statement.bind(1, key)
                guard try statement.step(), let bytes = statement.blob(0) else { return nil }
                return bytes.withUnsafeBytes { ExternalBlobs.fileName($0) }
            }
        }
    }

    private func entityLoad(_ entity: Int) throws -> EntityLoad {
        if let known = entities[entity] { return known }
        let made = try EntityLoad(entity, store)
        entities[entity] = made
        return made
    }

    private func notUnique(_ entity: ResolvedEntity, _ values: ContiguousArray<AttributeValue>, _ error: SQLiteError) -> any Error {
        // SQLite names the columns: “UNIQUE constraint failed: ZSHELF.ZLABEL, ZSHELF.ZROOM”.
        let constraint = entity.uniquenessConstraints.first { slots in
            slots.allSatisfy { slot in
                store.schema.column(entity.properties[slot]).map { error.message.contains(".\($0.name)") } ?? false
            }
        }
        guard let constraint else { return error }
        return BatchError.notUnique(
            entity: entity.name, keys: constraint.map { entity.properties[$0].name }, values: constraint.map { values[$0].shortText },
            row: rows)
    }

    // MARK: Links

    /// The members of a to-many of a row, in their order.
    ///
    /// `line`: where the caller's data says so, for `conflict`.
    package func link(_ property: ResolvedProperty, owner: RowKey, members: [RowKey], line: Int = 0) throws {
        let reference = PropertyReference(entity: property.declaringEntity, slot: property.slot)
        switch store.schema.links[reference] {
        case .join(let side): try join(side, reference, owner: owner, members: members)
        case .column:
            for (place, member) in members.enumerated() { try wait(reference, owner: owner, member: member, place: place, line) }
        case nil:
            throw StoreError.invalidRequest("The store has no to-many relationship “\(property.name)”.")
        }
    }

    /// Notes a link of a one-to-one, whose other side is filled where it is nil when all rows are there.
    package func pair(_ property: ResolvedProperty, owner: RowKey, member: RowKey, line: Int = 0) throws {
        try wait(PropertyReference(entity: property.declaringEntity, slot: property.slot), owner: owner, member: member, place: 0, line)
    }

    private func wait(_ reference: PropertyReference, owner: RowKey, member: RowKey, place: Int, _ line: Int) throws {
        let number = waiting[reference] ?? waiting.count
        waiting[reference] = number
        try connection.withStatement("INSERT INTO temp.load_links VALUES (?, ?, ?, ?, ?, ?)") { statement in
            try statement.bind(1, Int64(number))
            try statement.bind(2, owner.primaryKey)
            try statement.bind(3, store.schema.entityNumbers[Int(owner.entity)])
            try statement.bind(4, member.primaryKey)
            try statement.bind(5, Int64(place))
            try statement.bind(6, Int64(line))
            try statement.run()
        }
    }

    private func join(_ side: JoinSide, _ reference: PropertyReference, owner: RowKey, members: [RowKey]) throws {
        let text: String
        if let known = sql[reference] { text = known } else {
            let (names, marks) = side.orderColumn.map { (", \($0)", ", ?") } ?? ("", "")
            // Both ends may name a link; only one of them has its place.
            let conflict = side.orderColumn.map { "DO UPDATE SET \($0) = excluded.\($0)" } ?? "DO NOTHING"
            text = "INSERT INTO \(side.table) (\(side.ownerColumn), \(side.memberColumn)\(names)) VALUES (?, ?\(marks)) "
                + "ON CONFLICT (\(side.ownerColumn), \(side.memberColumn)) \(conflict)"
            sql[reference] = text
        }
        try connection.withStatement(text) { statement in
            for (place, member) in members.enumerated() {
                try statement.bind(1, owner.primaryKey)
                try statement.bind(2, member.primaryKey)
                if side.orderColumn != nil { try statement.bind(3, RowLoad.order(place)) }
                try statement.run()
            }
        }
        guard side.isReflexive else { return }
        // A relationship that is its own inverse has each pair both ways; the other way's place is the other row's to tell.
        let reverse = "INSERT INTO \(side.table) (\(side.ownerColumn), \(side.memberColumn)) VALUES (?, ?) ON CONFLICT DO NOTHING"
        try connection.withStatement(reverse) { statement in
            for member in members where member.primaryKey != owner.primaryKey {
                try statement.bind(1, member.primaryKey)
                try statement.bind(2, owner.primaryKey)
                try statement.run()
            }
        }
    }

    private static func order(_ place: Int) -> Int64 { 2048 + 1024 * Int64(place) }

    // MARK: The end

    private var isFinished = false

    /// Makes the links that wait. Nothing can be given afterwards.
    package func finish() throws {
        guard !isFinished else { return }
        isFinished = true
        try indexLinks()
        for (reference, number) in waiting.sorted(by: { $0.value < $1.value }) { try settle(reference, number) }
        try orderTheRest()
        for (root, key) in highest {
            try store.setHighestKey(max(key, try store.highestKey(root: root, on: connection)), root: root, on: connection)
        }
        try connection.execute("DROP TABLE temp.load_links")
    }

    private var hasLinkIndex = false

    func indexLinks() throws {
        guard !hasLinkIndex, !waiting.isEmpty else { return }
        hasLinkIndex = true
        try connection.execute("CREATE INDEX temp.load_links_member ON load_links (relationship, member)")
    }

    private func settle(_ reference: PropertyReference, _ number: Int) throws {
        let property = store.model.entities[reference.entity].properties[reference.slot]
        guard let relationship = property.relationship else { return }
        let source = "FROM temp.load_links l WHERE l.relationship = \(number) AND l.member = t.Z_PK"
        if case .column(let table, let name, let order, true) = store.schema.links[reference] {
            let sets = ["\(name) = l.owner"] + [order.map { "\($0) = 2048 + 1024 * l.place" }].compactMap { $0 }
            return try connection.execute("UPDATE \(table) AS t SET \(sets.joined(separator: ", ")) \(source)")
        }
        guard let inverse = relationship.inverse else { return }
        let other = store.model.entities[inverse.entity].properties[inverse.slot]
        guard let column = store.schema.column(other), let table = store.schema.table(of: relationship.destination)?.name else { return }
        var sets = ["\(column.name) = l.owner"]
        if let name = column.entityColumn { sets.append("\(name) = l.owner_entity") }
        if property.storage == .toMany, let name = column.orderColumn { sets.append("\(name) = 2048 + 1024 * l.place") }
        let condition = property.storage == .toMany ? "" : " AND t.\(column.name) IS NULL"
        try connection.execute("UPDATE \(table) AS t SET \(sets.joined(separator: ", ")) \(source)\(condition)")
    }

    /// Members of ordered relationships that nobody gave a place come last, in the order of their keys.
    private func orderTheRest() throws {
        for (reference, column) in store.schema.columns where column.orderColumn != nil {
            guard entities.keys.contains(where: { store.model.entities[reference.entity].includes($0) }),
                  let order = column.orderColumn, let table = store.schema.table(of: reference.entity)?.name else { continue }
            try connection.execute("""
                UPDATE \(table) AS t SET \(order) = r.place FROM (
                    SELECT n.Z_PK AS key, IFNULL((SELECT MAX(m.\(order)) FROM \(table) m WHERE m.\(column.name) = n.\(column.name)), 1024)
                        + 1024 * ROW_NUMBER() OVER (PARTITION BY n.\(column.name) ORDER BY n.Z_PK) AS place
                    FROM \(table) n WHERE n.\(column.name) IS NOT NULL AND n.\(order) IS NULL) r
                WHERE t.Z_PK = r.key
                """)
        }
        for case .join(let side) in store.schema.links.values {
            guard let order = side.orderColumn else { continue }
            try connection.execute("""
                UPDATE \(side.table) AS t SET \(order) = r.place FROM (
                    SELECT n.\(side.ownerColumn) AS owner, n.\(side.memberColumn) AS member,
                        IFNULL((SELECT MAX(m.\(order)) FROM \(side.table) m WHERE m.\(side.ownerColumn) = n.\(side.ownerColumn)), 1024)
                        + 1024 * ROW_NUMBER() OVER (PARTITION BY n.\(side.ownerColumn) ORDER BY n.\(side.memberColumn)) AS place
                    FROM \(side.table) n WHERE n.\(order) IS NULL) r
                WHERE t.\(side.ownerColumn) = r.owner AND t.\(side.memberColumn) = r.member
                """)
        }
    }

    // MARK: Names

    /// Notes what a row is called in the data that is loaded; false when the name is taken.
    package func name(_ name: String, root: Int, is key: RowKey) throws -> Bool {
        if !hasNames {
            hasNames = true
            try connection.execute("""
                CREATE TEMP TABLE IF NOT EXISTS load_names (root INTEGER, name TEXT, entity INTEGER, key INTEGER, PRIMARY KEY (root, name)) WITHOUT ROWID;
                DELETE FROM temp.load_names
                """)
        }
        return try connection.withStatement("INSERT OR IGNORE INTO temp.load_names VALUES (?, ?, ?, ?)") { statement in
            try statement.bind(1, Int64(root))
            try statement.bind(2, name)
            try statement.bind(3, Int64(key.entity))
            try statement.bind(4, key.primaryKey)
            try statement.run()
            return connection.changes == 1
        }
    }
    private var hasNames = false

    /// The row of a name.
    package func row(named name: String, root: Int) throws -> RowKey? {
        guard hasNames else { return nil }
        return try connection.withStatement("SELECT entity, key FROM temp.load_names WHERE root = ? AND name = ?") { statement in
            try statement.bind(1, Int64(root))
            try statement.bind(2, name)
            guard try statement.step() else { return nil }
            return RowKey(primaryKey: statement.integer(1), entity: Int32(statement.integer(0)), store: store.number)
        }
    }

    /// To-ones that must not be nil and are, among rows from a key on; by entity and property.
    package func emptyRequired(from firstKeys: [Int: Int64]) throws -> [(entity: String, property: String, count: Int, firstKey: Int64)] {
        var result: [(entity: String, property: String, count: Int, firstKey: Int64)] = []
        for (reference, column) in store.schema.columns where column.kind == .toOne {
            let entity = store.model.entities[reference.entity], property = entity.properties[reference.slot]
            guard !property.isOptional, let first = firstKeys[entity.rootIndex], let table = store.schema.table(of: reference.entity)?.name
            else { continue }
            let numbers = (entity.index...entity.lastDescendant).filter(store.schema.holds).map { String(store.schema.entityNumbers[$0]) }
            let rows = "FROM \(table) WHERE Z_PK >= \(first) AND \(column.name) IS NULL AND Z_ENT IN (\(numbers.joined(separator: ", ")))"
            let count = try connection.integer("SELECT COUNT(*) \(rows)") ?? 0
            let firstKey = try connection.integer("SELECT MIN(Z_PK) \(rows)") ?? 0
            if count > 0 { result.append((entity.name, property.name, Int(count), firstKey)) }
        }
        return result.sorted { ($0.entity, $0.property) < ($1.entity, $1.property) }
    }

    /// To-ones of rows from a key on that lead to no row, by entity and property.
    package func strays(from firstKeys: [Int: Int64]) throws -> [(entity: String, property: String, count: Int)] {
        var result: [(entity: String, property: String, count: Int)] = []
        for (reference, column) in store.schema.columns where column.kind == .toOne {
            let entity = store.model.entities[reference.entity], property = entity.properties[reference.slot]
            guard let first = firstKeys[entity.rootIndex], let table = store.schema.table(of: reference.entity)?.name,
                  let destination = property.relationship?.destination, let other = store.schema.table(of: destination)?.name else { continue }
            let count = try connection.integer("""
                SELECT COUNT(*) FROM \(table) t WHERE t.Z_PK >= \(first) AND t.\(column.name) IS NOT NULL
                    AND NOT EXISTS (SELECT 1 FROM \(other) d WHERE d.Z_PK = t.\(column.name))
                """) ?? 0
            if count > 0 { result.append((entity.name, property.name, Int(count))) }
        }
        return result.sorted { ($0.entity, $0.property) < ($1.entity, $1.property) }
    }
}

extension SQLiteRowStore {
    /// Runs a load: all of it is kept, or none when `body` throws or answers false.
    package func load(_ body: (RowLoad) throws -> Bool) throws {
        try serialised(.other) { connection in
            if let refusal { throw refusal }
            defer { derivedRows.forget() }
            let load = try RowLoad(self, connection)
            do {
                let isKept = try durably(schema.hasExternal, on: connection) {
                    try connection.transaction(.immediate) {
                        let isKept = try body(load)
                        if isKept { try load.finish() }
                        return (isKept, isKept ? .commit : .rollBack)
                    }
                }
                external.retire(isKept ? load.replacedFiles : load.createdFiles)
            } catch {
                external.retire(load.createdFiles)
                throw error
            }
        }
    }
}
