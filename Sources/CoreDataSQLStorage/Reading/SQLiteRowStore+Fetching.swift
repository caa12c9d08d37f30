import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage
import SQLiteDriver

extension SQLiteRowStore {
    package func fetch(_ plan: FetchPlan) throws -> FetchOutcome {
        var plan = plan
        if !plan.isChecked { try FetchPlanCheck.check(&plan, model) }
        if let outcome = fetchBeside(plan) { return outcome }
        return try serialised(.fetch) { connection in
            guard let watch = plan.watch else { return try answer(plan, on: connection) }
            // The connection may be interrupted from any thread, and stays open while its lock is held.
            return try watch.watching(interrupt: { connection.interrupt() }) { try answer(plan, on: connection) }
        }
    }

    private func answer(_ plan: FetchPlan, on connection: SQLiteConnection) throws -> FetchOutcome {
        if options.isStrict, let test = plan.objectTest {
            throw SelectCompiler.refusal(PredicatePrinter.text(of: test), SQLCannotSay(what: "what only objects can answer"))
        }
        switch plan.result {
        case .rows:
            let rows = try knownRows(plan) ?? fetchRows(builder(plan), on: connection)
            rowCache.adopt(rows)
            try prefetch(plan, rows: rows)
            return .rows(rows)
        case .keys: return .keys(try knownKeys(plan) ?? fetchKeys(builder(plan), on: connection))
        case .count: return .count(try knownCount(plan) ?? fetchCount(builder(plan), on: connection))
        case .dictionaries(let dictionary): return .dictionaries(try fetchDictionaries(builder(plan), dictionary, on: connection))
        }
    }

    func builder(_ plan: FetchPlan) throws -> SelectBuilder {
        try SelectBuilder(plan, schema: schema, storeNumber: number, isStrict: options.isStrict)
    }

    func fetchRows(_ builder: SelectBuilder, on connection: SQLiteConnection) throws -> [RowBlock] {
        let plan = builder.plan
        let decoder = decoder(plan.entity, includesSubentities: plan.includesSubentities)
        let select = try builder.rows(columns: decoder.columns)
        try keep(select, .rows, builder, on: connection)
        var rows: [RowBlock] = []
        try run(select, on: connection) { try read($0, decoder, plan.watch, into: &rows) }
        if let rest = select.rest {
            note(.evaluation(EvaluationReport(entity: plan.entity, part: .predicate(rest), rowsTested: rows.count)))
            rows = SQLiteRowStore.window(try filter(rows, rest), plan)
        }
        if let test = plan.objectTest { note(.evaluation(EvaluationReport(entity: plan.entity, part: .predicate(test), rowsTested: rows.count))) }
        try checkFiles(of: rows, decoder)
        return rows
    }

    private func read(_ statement: SQLiteStatement, _ decoder: RowDecoder, _ watch: FetchWatch?, into rows: inout [RowBlock]) throws {
        let now = RowClock.now
        while try statement.step() {
            if let row = try decoder.row(statement, readAt: now) { rows.append(row) }
            try watch?.advance(to: rows.count)
        }
    }

    /// Values in files are read later, where nobody can be told any more that one is missing.
    private func checkFiles(of rows: [RowBlock], _ decoder: RowDecoder) throws {
        if decoder.hasExternal { for row in rows { try row.checkExternalFiles() } }
    }

    /// Rows by a statement kept from a request of the plan's shape; nil when there is none.
    private func knownRows(_ plan: FetchPlan) throws -> [RowBlock]? {
        guard let known = known(plan, .rows) else { return nil }
        let decoder = decoder(plan.entity, includesSubentities: plan.includesSubentities)
        var rows: [RowBlock] = []
        guard try known.run(plan, { try read($0, decoder, plan.watch, into: &rows) }) else { return nil }
        try checkFiles(of: rows, decoder)
        return rows
    }

    private func knownKeys(_ plan: FetchPlan) throws -> [RowKey]? {
        guard let known = known(plan, .keys) else { return nil }
        var keys: [RowKey] = []
        return try known.run(plan) { try schema.read($0, plan.entity, store: number, into: &keys) } ? keys : nil
    }

    private func knownCount(_ plan: FetchPlan) throws -> Int? {
        guard let known = known(plan, .count) else { return nil }
        var count = 0
        return try known.run(plan) { if try $0.step() { count = Int($0.integer(0)) } } ? count : nil
    }

    func fetchKeys(_ builder: SelectBuilder, on connection: SQLiteConnection) throws -> [RowKey] {
        let select = try builder.rows(columns: ["Z_PK", "Z_ENT"])
        if select.rest != nil {
            return try fetchRows(self.builder(builder.plan), on: connection).map(\.key)
        }
        try keep(select, .keys, builder, on: connection)
        var keys: [RowKey] = []
        try run(select, on: connection) { try schema.read($0, builder.plan.entity, store: number, into: &keys) }
        return keys
    }

    private func fetchCount(_ builder: SelectBuilder, on connection: SQLiteConnection) throws -> Int {
        let select = try builder.count()
        if select.rest != nil {
            return try fetchRows(self.builder(builder.plan), on: connection).count
        }
        try keep(select, .count, builder, on: connection)
        var count = 0
        try run(select, on: connection) { statement in if try statement.step() { count = Int(statement.integer(0)) } }
        return count
    }

    private func fetchDictionaries(
        _ builder: SelectBuilder, _ dictionary: DictionaryPlan, on connection: SQLiteConnection
    ) throws -> [[PredicateValue]] {
        let select: SelectStatement
        do { select = try builder.dictionaries(dictionary) } catch let refusal as SQLCannotSay {
            return try dictionariesFromRows(builder.plan, dictionary, refusal, on: connection)
        }
        var rows: [[PredicateValue]] = []
        try run(select, on: connection) { statement in
            while try statement.step() {
                rows.append(try select.columnTypes.enumerated().map { index, type -> PredicateValue in
                    var type = type
                    let position = select.entityPositions[index]
                    if position >= 0, let entity = schema.entity(number: statement.integer(position)) { type = .reference(entity) }
                    return try ResultValue.read(statement, Int32(index), type: type, storeNumber: number, external: external)
                })
            }
        }
        return rows
    }

    /// A dictionary fetch SQL cannot say, made of the rows: by SQL's rules for nil, as the in-memory store does it.
    private func dictionariesFromRows(
        _ plan: FetchPlan, _ dictionary: DictionaryPlan, _ reason: SQLCannotSay, on connection: SQLiteConnection
    ) throws -> [[PredicateValue]] {
        let columns = dictionary.columns.map { "\($0.name): \(PredicatePrinter.text(of: $0.expression))" }
        if options.isStrict { throw SelectCompiler.refusal(columns.joined(separator: ", "), reason) }
        var rowPlan = plan
        (rowPlan.result, rowPlan.sort, rowPlan.offset, rowPlan.limit) = (.rows, [], 0, 0)
        let rows = try fetchRows(builder(rowPlan), on: connection)
        note(.evaluation(EvaluationReport(entity: plan.entity, part: .columns(columns), rowsTested: rows.count)))
        let surroundings = RowSurroundings(of: self)
        try surroundings.load(dictionary.columns.map(\.expression), of: rows)
        var rest = plan
        rest.predicate = nil
        let answer = try SQLiteRowStore.refusing { try RowFetch.answer(rest, from: rows, surroundings.resolver) }
        guard case .dictionaries(let found) = answer else { return [] }
        return found
    }

    // MARK: running

    func run(_ select: SelectStatement, on connection: SQLiteConnection, _ body: (SQLiteStatement) throws -> Void) throws {
        for (index, values) in select.lists.enumerated() { try fill(SelectCompiler.listTable(index), values, on: connection) }
        try connection.withStatement(select.sql.text) { statement in
            for (index, value) in select.sql.values.enumerated() { try value.bind(to: statement, at: Int32(index + 1)) }
            try body(statement)
        }
        for index in select.lists.indices { try connection.execute("DELETE FROM temp.\(SelectCompiler.listTable(index))") }
    }

    /// A long IN list as a temporary table, which lives in memory.
    private func fill(_ table: String, _ values: [SQLValue], on connection: SQLiteConnection) throws {
        try connection.execute("CREATE TEMP TABLE IF NOT EXISTS \(table) (value PRIMARY KEY) WITHOUT ROWID; DELETE FROM temp.\(table)")
        func insert() throws {
            try connection.withStatement("INSERT OR IGNORE INTO temp.\(table) VALUES (?)") { statement in
                for value in values {
                    try value.bind(to: statement, at: 1)
                    try statement.run()
                }
            }
        }
        // Within a batch there is a transaction already.
        if connection.isInTransaction { return try insert() }
        try connection.transaction(.deferred) {
            try insert()
            return ((), .commit)
        }
    }

    static func window(_ rows: [RowBlock], _ plan: FetchPlan) -> [RowBlock] {
        var rows = rows[...]
        if plan.offset > 0 { rows = rows.dropFirst(plan.offset) }
        if plan.limit > 0 { rows = rows.prefix(plan.limit) }
        return Array(rows)
    }

    /// Brings the rows at the end of each relationship path into the cache.
    private func prefetch(_ plan: FetchPlan, rows: [RowBlock]) throws {
        for path in plan.prefetch {
            var keys = rows.map(\.key)
            var entity = model.entities[plan.entity]
            for name in path {
                guard let property = entity.property(named: name), let relationship = property.relationship else {
                    throw StoreError.invalidRequest("keypath \(name) not found among the relationships of entity \(entity.name)")
                }
                if relationship.isToMany {
                    let reference = PropertyReference(entity: property.declaringEntity, slot: property.slot)
                    let members = try relatedKeys(of: keys, through: reference)
                    plan.collector?.add(reference, owners: keys, members: members)
                    keys = members.flatMap { $0 }
                } else {
                    keys = try self.rows(for: keys, staleAfter: -1).compactMap { $0.reference(property.slot) }
                }
                keys = Array(Set(keys))
                _ = try self.rows(for: keys, staleAfter: -1)
                entity = model.entities[relationship.destination]
            }
        }
    }
}

extension StoreSchema {
    /// The keys of a statement that gives `Z_PK, Z_ENT`.
    func read(_ statement: SQLiteStatement, _ entity: Int, store: Int32, into keys: inout [RowKey]) throws {
        while try statement.step() {
            guard let found = concreteEntity(number: statement.integer(1), declared: entity) else { continue }
            let primaryKey = statement.integer(0)
            guard primaryKey > 0 else { throw ImpossibleKey(number: primaryKey) }
            keys.append(RowKey(primaryKey: primaryKey, entity: Int32(found), store: store))
        }
    }
}
