import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage
import SQLiteDriver

/// How the store answers a fetch.
package struct FetchExplanation: Sendable {
    /// One line of SQLite's plan.
    package struct Step: Sendable, Equatable {
        package let id: Int
        package let parent: Int
        package let detail: String

        /// Reads a whole table, or a whole index of it.
        package var isScan: Bool { detail.hasPrefix("SCAN") && !detail.contains("CONSTANT ROW") && !detail.contains("SUBQUERY") }
        /// Finds rows by their entity alone: reads all of them, which may be most of the table.
        package var isEntitySearch: Bool { detail.hasPrefix("SEARCH") && detail.hasSuffix("(Z_ENT=?)") }
        /// Sorts rows itself, because no index has them in order.
        package var isSort: Bool { detail.contains("USE TEMP B-TREE") }
    }

    package var sql: String
    /// One a `?`, as SQL literals.
    package var bindings: [String]
    package var steps: [Step]
    /// The part of the predicate that SQL cannot say, which is tested on the rows.
    package var rest: String?
}

extension SQLiteRowStore {
    /// The statement of a fetch of rows and SQLite's plan for it. Nothing is fetched.
    package func explain(_ plan: FetchPlan) throws -> FetchExplanation {
        var checked = plan
        try FetchPlanCheck.check(&checked, model)
        let plan = checked
        return try serialised(.other) { connection in
            let select = try select(plan)
            return FetchExplanation(
                sql: select.sql.text, bindings: select.sql.values.map(\.literal), steps: try steps(select, on: connection),
                rest: select.rest.map { PredicatePrinter.text(of: $0) })
        }
    }

    /// SQLite's plan if there were an index over these columns: tried on an empty copy of the tables, in memory.
    package func explain(_ plan: FetchPlan, withIndexOver columns: [String], of table: String) throws -> [FetchExplanation.Step] {
        try serialised(.other) { connection in
            let copy = try SQLiteConnection(path: ":memory:", access: .create)
            defer { copy.close() }
            try SQLFunctions.register(on: copy, derivedRows: derivedRows)
            let definitions = try connection.withStatement("""
                SELECT sql FROM sqlite_master WHERE type IN ('table', 'index') AND sql IS NOT NULL AND sql NOT LIKE 'CREATE VIRTUAL%'
                    AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'Z_RT_%' ORDER BY type DESC
                """) { row in
                var found: [String] = []
                while try row.step() { if let sql = row.text(0) { found.append(sql) } }
                return found
            }
            for sql in definitions { try copy.execute(sql) }
            try copy.execute("CREATE INDEX Z_TRIED ON \(table) (\(columns.map { "\($0) COLLATE BINARY ASC" }.joined(separator: ", ")))")
            return try steps(try select(plan), on: copy)
        }
    }

    private func select(_ plan: FetchPlan) throws -> SelectStatement {
        let builder = try SelectBuilder(plan, schema: schema, storeNumber: number)
        return try builder.rows(columns: decoder(plan.entity, includesSubentities: plan.includesSubentities).columns)
    }

    private func steps(_ select: SelectStatement, on connection: SQLiteConnection) throws -> [FetchExplanation.Step] {
        for index in select.lists.indices {
            try connection.execute("CREATE TEMP TABLE IF NOT EXISTS \(SelectCompiler.listTable(index)) (value PRIMARY KEY) WITHOUT ROWID")
        }
        let statement = try connection.prepare("EXPLAIN QUERY PLAN " + select.sql.text, persistent: false)
        for (index, value) in select.sql.values.enumerated() { try value.bind(to: statement, at: Int32(index + 1)) }
        var steps: [FetchExplanation.Step] = []
        while try statement.step() {
            steps.append(FetchExplanation.Step(
                id: Int(statement.integer(0)), parent: Int(statement.integer(1)), detail: statement.text(3) ?? ""))
        }
        return steps
    }
}

extension SQLValue {
    var literal: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): String(value)
        case .real(let value): "\(value)"
        case .text(let text): "'" + text.replacing("'", with: "''") + "'"
        case .textBytes(let bytes): "CAST(\(SQLValue.blob(bytes).literal) AS TEXT)"
        case .blob(let bytes): "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
        }
    }
}
