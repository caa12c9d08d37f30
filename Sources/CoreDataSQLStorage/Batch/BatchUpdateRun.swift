import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage
import SQLiteDriver

/// A batch update, under the store's lock.
///
/// Two ways: one `UPDATE … WHERE` when SQL can say all of it on the table alone; otherwise keys and new values are staged in a
/// temporary table first (predicates SQL cannot say, paths over to-ones, unique values that change places).
struct BatchUpdateRun {
    let store: SQLiteRowStore
    let connection: SQLiteConnection
    let plan: BatchUpdatePlan
    private let entity: ResolvedEntity
    private let table: String
    /// External files no row names any more.
    private(set) var obsoleteFiles: [String] = []

    static let stage = "nl_batch_update"

    init(_ plan: BatchUpdatePlan, store: SQLiteRowStore, connection: SQLiteConnection) throws {
        self.store = store
        self.connection = connection
        self.plan = plan
        entity = store.model.entities[plan.entity]
        guard let table = store.schema.table(of: plan.entity)?.name else {
            throw StoreError.invalidRequest("The store does not hold the entity “\(entity.name)”.")
        }
        self.table = table
    }

    mutating func write() throws -> BatchReceipt {
        do {
            if let direct = try direct() {
                do {
                    return try connection.transaction(.immediate) { (try run(direct), .commit) }
                } catch let error as SQLiteError where error.isUniquenessViolation && hasExpressions {
                    // SQLite looks at the index row by row: values may only be on their way to one another.
                }
            }
            return try connection.transaction(.immediate) { (try runStaged(), .commit) }
        } catch let error as SQLiteError where error.isUniquenessViolation {
            throw notUnique()
        } catch let error as SQLiteError where BatchAssignmentSQL.isOutOfRange(error) {
            let properties = plan.assignments.map { entity.properties[$0.slot] }.filter { $0.storage == .integer }
            throw BatchError.outOfRange(
                entity: entity.name, key: properties.map(\.name).joined(separator: ", "),
                type: properties.first.map(BatchValue.typeName) ?? "number")
        }
    }

    private var hasExpressions: Bool {
        plan.assignments.contains { if case .expression = $0.value { true } else { false } }
    }

    private func notUnique() -> BatchError {
        let assigned = Set(plan.assignments.map(\.slot))
        let constraint = entity.uniquenessConstraints.first { $0.contains(where: assigned.contains) } ?? []
        let values = plan.assignments.filter { constraint.contains($0.slot) }.map { assignment in
            if case .constant(let value) = assignment.value { value.shortText } else { "as the expression gives" }
        }
        return .notUnique(entity: entity.name, keys: constraint.map { entity.properties[$0].name }, values: values, row: nil)
    }

    // MARK: One statement

    private struct Direct {
        let filter: SQLFragment
        let sets: SQLFragment
        let lists: [[SQLValue]]
    }

    /// nil when the request needs more than the table itself.
    private func direct() throws -> Direct? {
        let builder = try store.builder(plan.selection)
        let (filter, rest) = try builder.filter()
        guard rest == nil else { return nil }
        let sets: [SQLFragment]
        do {
            sets = try BatchAssignmentSQL(store: store, entity: entity, compiler: builder.compiler).sets(plan.assignments)
        } catch is SQLCannotSay { return nil }
        guard builder.compiler.root.from == "\(table) t0" else { return nil }
        return Direct(filter: filter, sets: .joined([SQLFragment("Z_OPT = Z_OPT + 1")] + sets, by: ", "), lists: builder.compiler.lists)
    }

    private mutating func run(_ direct: Direct) throws -> BatchReceipt {
        if !externalColumns.isEmpty {
            let condition = direct.filter.text.isEmpty ? SQLFragment("1") : SQLFragment(
                String(direct.filter.text.dropFirst(" WHERE ".count)), direct.filter.values)
            obsoleteFiles += try store.externalFiles(externalColumns, table: table, where: condition, on: connection)
        }
        let returning = plan.answer == .keys ? " RETURNING Z_PK, Z_ENT" : ""
        let sql = "UPDATE \(table) AS t0 SET " + direct.sets + direct.filter + returning
        return try run(SelectStatement(sql: sql, lists: direct.lists))
    }

    private var externalColumns: [EntityWriter.Column] {
        let columns = (try? store.writer(entity.index))?.columnsBySlot ?? [:]
        return plan.assignments.flatMap { columns[$0.slot] ?? [] }.filter(\.isExternal)
    }

    private func run(_ update: SelectStatement) throws -> BatchReceipt {
        var receipt = BatchReceipt()
        try store.run(update, on: connection) { statement in
            while try statement.step() {
                guard let found = store.schema.concreteEntity(number: statement.integer(1), declared: entity.index) else { continue }
                receipt.keys.append(RowKey(primaryKey: statement.integer(0), entity: Int32(found), store: store.number))
            }
            receipt.count = connection.changes
        }
        return receipt
    }

    // MARK: Staged

    private mutating func runStaged() throws -> BatchReceipt {
        let stage = BatchUpdateRun.stage
        let expressions = plan.assignments.filter { if case .expression = $0.value { true } else { false } }
        let columns = (["key INTEGER PRIMARY KEY"] + expressions.indices.map { "v\($0)" }).joined(separator: ", ")
        try connection.execute("DROP TABLE IF EXISTS temp.\(stage); CREATE TEMP TABLE \(stage) (\(columns))")
        if try !stageInSQL(expressions) { try stageFromRows(expressions) }
        let condition = SQLFragment("Z_PK IN (SELECT key FROM temp.\(stage))")
        obsoleteFiles += try store.externalFiles(externalColumns, table: table, where: condition, on: connection)
        try vacateUniqueValues(where: condition)
        let assignments = BatchAssignmentSQL(store: store, entity: entity, compiler: nil)
        var sets = [SQLFragment("Z_OPT = Z_OPT + 1")]
        for (index, assignment) in expressions.enumerated() {
            sets.append(SQLFragment("\(try assignments.column(assignment.slot).name) = s.v\(index)"))
        }
        sets += try assignments.sets(plan.assignments.filter { if case .constant = $0.value { true } else { false } })
        let returning = plan.answer == .keys ? " RETURNING Z_PK, Z_ENT" : ""
        let sql = "UPDATE \(table) AS t0 SET " + SQLFragment.joined(sets, by: ", ") + " FROM temp.\(stage) s WHERE s.key = t0.Z_PK" + returning
        let receipt = try run(SelectStatement(sql: sql))
        try connection.execute("DROP TABLE temp.\(stage)")
        return receipt
    }

    /// False when SQL cannot say something.
    private func stageInSQL(_ expressions: [BatchAssignment]) throws -> Bool {
        let builder = try store.builder(plan.selection)
        let (filter, rest) = try builder.filter()
        guard rest == nil else { return false }
        let assignments = BatchAssignmentSQL(store: store, entity: entity, compiler: builder.compiler)
        var values: [SQLFragment] = []
        do { values = try expressions.map(assignments.value) } catch is SQLCannotSay { return false }
        let columns = SQLFragment.joined([SQLFragment("t0.Z_PK")] + values, by: ", ")
        let sql = "INSERT INTO temp.\(BatchUpdateRun.stage) SELECT " + columns + " FROM \(builder.compiler.root.from)" + filter
        try store.run(SelectStatement(sql: sql, lists: builder.compiler.lists), on: connection) { try $0.run() }
        return true
    }

    private func stageFromRows(_ expressions: [BatchAssignment]) throws {
        var selection = plan.selection
        selection.result = .rows
        let rows = try store.fetchRows(store.builder(selection), on: connection)
        let resolver = store.resolver
        let places = Array(repeating: ", ?", count: expressions.count).joined()
        let columns = try expressions.map { try BatchAssignmentSQL(store: store, entity: entity, compiler: nil).column($0.slot) }
        for row in rows {
            try connection.withStatement("INSERT INTO temp.\(BatchUpdateRun.stage) VALUES (?\(places))") { statement in
                try statement.bind(1, row.key.primaryKey)
                for (index, assignment) in expressions.enumerated() {
                    guard case .expression(let expression) = assignment.value else { continue }
                    let result = try SQLiteRowStore.refusing { try RowEvaluation.value(of: expression, for: RowSubject(row, resolver)) }
                    let value = try BatchValue.convert(result, to: entity.properties[assignment.slot], of: entity)
                    try BatchBinding.encode(value, columns[index], of: entity, in: store).bind(to: statement, at: Int32(index + 2))
                }
                try statement.run()
            }
        }
    }

    /// Rows may swap unique values: they all give them up first.
    private func vacateUniqueValues(where condition: SQLFragment) throws {
        let assigned = Set(plan.assignments.map(\.slot))
        let constraints = (entity.index...entity.lastDescendant).flatMap { store.model.entities[$0].uniquenessConstraints }
        let slots = Set(constraints.joined()).intersection(assigned)
        let columns = slots.compactMap { store.schema.column(entity.properties[$0])?.name }.sorted()
        if columns.isEmpty { return }
        let sets = columns.map { "\($0) = NULL" }.joined(separator: ", ")
        try store.run(SelectStatement(sql: "UPDATE \(table) SET \(sets) WHERE " + condition), on: connection) { try $0.run() }
    }
}
