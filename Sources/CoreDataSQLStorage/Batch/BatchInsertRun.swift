import CoreDataSchema
import CoreDataStorage
import SQLiteDriver

/// A batch insert while it runs: inside the transaction, under the store's lock, one row in memory at a time.
struct BatchInsertRun {
    let store: SQLiteRowStore
    let connection: SQLiteConnection
    let plan: BatchInsertPlan
    private let entity: ResolvedEntity
    private let writer: EntityWriter
    private(set) var binding: BatchBinding
    /// External files no row names any more.
    private(set) var obsoleteFiles: [String] = []
    private var receipt = BatchReceipt()
    private var overwritten = Set<Int64>()
    /// The highest key given so far.
    private var last: Int64 = 0

    init(_ plan: BatchInsertPlan, store: SQLiteRowStore, connection: SQLiteConnection) throws {
        guard store.model.entities.indices.contains(plan.entity), !store.model.entities[plan.entity].isAbstract else {
            throw StoreError.invalidRequest("Rows can be inserted into concrete entities only.")
        }
        self.store = store
        self.connection = connection
        self.plan = plan
        entity = store.model.entities[plan.entity]
        writer = try store.writer(plan.entity)
        binding = BatchBinding(store: store, entity: entity)
    }

    mutating func write(from source: any BatchRowSource) throws -> BatchReceipt {
        let row = BatchRow(defaults: plan.defaults)
        last = try store.highestKey(root: entity.rootIndex, on: connection)
        let orders = OrderedInverse.all(of: entity, in: store.schema)
        let single = try writer.insert(on: connection)
        let steps = BatchBinding.steps(writer.columns)
        // Rows that may clash are settled one by one, and ordered ones linked.
        let atOnce = entity.uniquenessConstraints.isEmpty && orders.isEmpty ? writer.rowsAtOnce : 1
        var waiting: [ContiguousArray<AttributeValue>] = []
        defer { single.clearBindings() }
        row.reset()
        while try source.next(row) {
            if atOnce > 1 {
                waiting.append(row.take())
                if waiting.count == atOnce {
                    try insert(waiting, steps)
                    waiting.removeAll(keepingCapacity: true)
                }
            } else {
                do {
                    try insert(row.values, steps, single)
                    for order in orders { try order.append(last, row.values, on: connection) }
                } catch let error as SQLiteError where error.isUniquenessViolation {
                    try settle(row, error)
                }
            }
            row.reset()
            // Nobody shows these rows yet: what triggers note of them need not be kept.
            if row.number & 0xFFF == 0 { store.derivedRows.forget() }
        }
        for values in waiting { try insert(values, steps, single) }
        try store.setHighestKey(last, root: entity.rootIndex, on: connection)
        return receipt
    }

    private mutating func insert(
        _ values: ContiguousArray<AttributeValue>, _ steps: ContiguousArray<BatchBinding.Step>, _ single: SQLiteStatement
    ) throws {
        binding.releaseTexts()
        try single.bind(1, last + 1)
        _ = try binding.bind(steps, writer.columns, of: values, to: single, from: 2)
        try single.run()
        noteInserted()
    }

    /// As many rows as one statement takes.
    private mutating func insert(_ rows: [ContiguousArray<AttributeValue>], _ steps: ContiguousArray<BatchBinding.Step>) throws {
        let statement = try writer.insertMany(on: connection)
        defer { statement.clearBindings() }
        binding.releaseTexts()
        var parameter: Int32 = 1
        for (index, values) in rows.enumerated() {
            try statement.bind(parameter, last + 1 + Int64(index))
            parameter = try binding.bind(steps, writer.columns, of: values, to: statement, from: parameter + 1)
        }
        try statement.run()
        for _ in rows { noteInserted() }
    }

    private mutating func noteInserted() {
        last += 1
        receipt.count += 1
        if plan.answer == .keys { receipt.keys.append(RowKey(primaryKey: last, entity: Int32(plan.entity), store: store.number)) }
    }

    // MARK: Values that must be unique

    private mutating func settle(_ row: BatchRow, _ error: SQLiteError) throws {
        guard let (constraint, holder) = try holder(of: row.values) else { throw error }
        switch plan.uniqueness {
        case .keepStored: return
        case .fail: throw notUnique(constraint, row)
        case .overwrite: try overwrite(holder, with: row, constraint)
        }
    }

    private func notUnique(_ constraint: [Int], _ row: BatchRow) -> BatchError {
        .notUnique(
            entity: entity.name, keys: constraint.map { entity.properties[$0].name },
            values: constraint.map { row.values[$0].shortText }, row: row.number)
    }

    private mutating func overwrite(_ holder: RowKey, with row: BatchRow, _ constraint: [Int]) throws {
        var slots = SlotSet()
        // The stored row may be of another entity that inherits the constraint.
        for property in entity.properties where property.isStored
            && store.model.entities[property.declaringEntity].includes(Int(holder.entity))
            && (plan.overwritesEverything || row.given.contains(property.slot)) {
            slots.insert(property.slot)
        }
        let (statement, list) = try writer.update(EntityWriter.UpdateShape(slots: slots, checksVersion: false), on: connection)
        let columns = list.columns
        obsoleteFiles += try store.externalFiles(
            columns, table: writer.table, where: SQLFragment("Z_PK = ?", [.integer(holder.primaryKey)]), on: connection)
        // The update's texts stay bound until it is used again; they must not be read then.
        defer { statement.clearBindings() }
        binding.releaseTexts()
        let next = try binding.bind(BatchBinding.steps(columns), columns, of: row.values, to: statement, from: 1)
        try statement.bind(next, holder.primaryKey)
        do { try statement.run() } catch {
            if error.isUniquenessViolation { throw notUnique(constraint, row) }
            throw error
        }
        guard overwritten.insert(holder.primaryKey).inserted else { return }
        receipt.count += 1
        if plan.answer == .keys { receipt.keys.append(holder) }
    }

    /// The first constraint whose values a stored row has, and that row.
    private func holder(of values: ContiguousArray<AttributeValue>) throws -> (constraint: [Int], RowKey)? {
        for constraint in entity.uniquenessConstraints where !constraint.contains(where: { values[$0].isNull }) {
            let columns = constraint.compactMap { writer.columnsBySlot[$0]?.first }
            guard columns.count == constraint.count else { continue }
            let conditions = columns.map { "\($0.name) = ?" }.joined(separator: " AND ")
            let key = try connection.withStatement("SELECT Z_PK, Z_ENT FROM \(writer.table) WHERE \(conditions)") { statement in
                for (index, column) in columns.enumerated() {
                    try BatchBinding.encode(values[column.slot], column, of: entity, in: store).bind(to: statement, at: Int32(index + 1))
                }
                guard try statement.step(),
                      let found = store.schema.concreteEntity(number: statement.integer(1), declared: entity.index)
                else { return nil as RowKey? }
                return RowKey(primaryKey: statement.integer(0), entity: Int32(found), store: store.number)
            }
            if let key { return (constraint, key) }
        }
        return nil
    }
}

/// The order column of a to-one whose inverse is ordered: a row that joins an owner comes last.
struct OrderedInverse {
    let slot: Int
    private let sql: String

    static func all(of entity: ResolvedEntity, in schema: StoreSchema) -> [OrderedInverse] {
        guard let table = schema.table(of: entity.index)?.name else { return [] }
        return entity.properties.compactMap { property in
            guard property.storage == .toOne, let column = schema.column(property), let order = column.orderColumn else { return nil }
            return OrderedInverse(
                slot: property.slot,
                sql: "UPDATE \(table) SET \(order) = (SELECT IFNULL(MAX(m.\(order)), 1024) + 1024 FROM \(table) m WHERE m.\(column.name) = ?) WHERE Z_PK = ?")
        }
    }

    func append(_ key: Int64, _ values: ContiguousArray<AttributeValue>, on connection: SQLiteConnection) throws {
        guard case .reference(let owner) = values[slot] else { return }
        try connection.withStatement(sql) { statement in
            try statement.bind(1, owner.primaryKey)
            try statement.bind(2, key)
            try statement.run()
        }
    }
}
