import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

/// A fetch plan as SQL.
///
/// Invariant: `rest`, when there is one, must be tested on the rows; the statement then has no window, which is applied
/// after the test.
struct SelectStatement {
    var sql: SQLFragment
    /// Values of long IN lists, for the temporary tables the text names.
    var lists: [[SQLValue]] = []
    /// What SQL cannot say of the predicate.
    var rest: PredicateTree?
    /// Types of the columns of a dictionary fetch.
    var columnTypes: [ValueType] = []
    /// For each of them the column with the concrete `Z_ENT` of a reference, or -1.
    var entityPositions: [Int32] = []
}

/// Builds the SELECT of a plan.
struct SelectBuilder {
    let plan: FetchPlan
    let schema: StoreSchema
    let compiler: SelectCompiler
    let entity: ResolvedEntity
    let table: TableSchema

    init(_ plan: FetchPlan, schema: StoreSchema, storeNumber: Int32, isStrict: Bool = false) throws {
        guard schema.model.entities.indices.contains(plan.entity) else {
            throw StoreError.invalidRequest("The model has no entity number \(plan.entity).")
        }
        entity = schema.model.entities[plan.entity]
        guard let table = schema.table(of: plan.entity) else {
            throw StoreError.invalidRequest("The store does not hold the entity “\(entity.name)”.")
        }
        self.plan = plan
        self.schema = schema
        self.table = table
        compiler = SelectCompiler(schema: schema, storeNumber: storeNumber, entity: entity, table: table)
        compiler.isStrict = isStrict
    }

    /// Rows, or keys when `columns` are only those of the key.
    func rows(columns: [String]) throws -> SelectStatement {
        let (filter, rest) = try filter()
        let order = try orderBy()
        var sql = "SELECT \(columns.map { "t0.\($0)" }.joined(separator: ", ")) FROM \(compiler.root.from)" + filter + order
        if rest == nil { sql = sql + window }
        return SelectStatement(sql: sql, lists: compiler.lists, rest: rest)
    }

    /// The count within the plan's window.
    func count() throws -> SelectStatement {
        let (filter, rest) = try filter()
        if plan.limit == 0, plan.offset == 0 {
            return SelectStatement(sql: "SELECT COUNT(*) FROM \(compiler.root.from)" + filter, lists: compiler.lists, rest: rest)
        }
        let sql = "SELECT COUNT(*) FROM (SELECT 1 FROM \(compiler.root.from)" + filter + window + ")"
        return SelectStatement(sql: sql, lists: compiler.lists, rest: rest)
    }

    // MARK: clauses

    /// Entity and predicate. The FROM must be asked for afterwards: paths add joins.
    func filter() throws -> (SQLFragment, rest: PredicateTree?) {
        var parts: [SQLFragment] = []
        var said: SQLFragment?
        var rest: PredicateTree?
        if let predicate = plan.predicate { (said, rest) = try compiler.split(predicate) }
        // The plus keeps SQLite from the index of entities, of which there are few, where the predicate has a better one.
        if let entityFilter { parts.append(SQLFragment(said?.startsAtIndex == true ? "+" + entityFilter : entityFilter)) }
        if let said { parts.append(parts.isEmpty ? said : said.inParentheses) }
        return (parts.isEmpty ? SQLFragment("") : " WHERE " + .joined(parts, by: " AND "), rest)
    }

    /// The rows of the entity in its table; nil when they are all of it.
    var entityFilter: String? {
        let last = plan.includesSubentities ? entity.lastDescendant : entity.index
        let wanted = (entity.index...last).filter(schema.holds)
        let root = schema.model.entities[table.root]
        if wanted.count == (root.index...root.lastDescendant).count(where: schema.holds) { return nil }
        let numbers = wanted.map { schema.entityNumbers[$0] }.sorted()
        guard let first = numbers.first, let end = numbers.last else { return "0" }
        if numbers.count == 1 { return "t0.Z_ENT = \(first)" }
        if end - first + 1 == Int64(numbers.count) { return "t0.Z_ENT BETWEEN \(first) AND \(end)" }
        return "t0.Z_ENT IN (\(numbers.map(String.init).joined(separator: ", ")))"
    }

    /// Ends with the key in the last term's direction: equal rows then always come in one order, and an index on the
    /// sorted column still serves, because its entries are ordered by key within equal values.
    func orderBy() throws -> SQLFragment {
        guard let last = plan.sort.last else { return SQLFragment("") }
        var terms: [SQLFragment] = []
        for term in plan.sort {
            let operand = try compiler.operand(.keyPath(.evaluatedObject, term.keyPath))
            let collation = operand.type.isText ? SQLFunctions.collation(term.comparison) : nil
            terms.append(operand.sql + (collation.map { " COLLATE \($0)" } ?? "") + (term.isAscending ? "" : " DESC"))
        }
        if terms.last?.text.hasPrefix("t0.Z_PK") == false { terms.append(SQLFragment("t0.Z_PK" + (last.isAscending ? "" : " DESC"))) }
        return " ORDER BY " + .joined(terms, by: ", ")
    }

    var window: SQLFragment {
        if plan.limit <= 0, plan.offset <= 0 { return SQLFragment("") }
        let limit: Int64 = plan.limit > 0 ? Int64(plan.limit) : -1
        return SQLFragment(" LIMIT ? OFFSET ?", [.integer(limit), .integer(Int64(max(0, plan.offset)))])
    }
}
