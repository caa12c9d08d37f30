import SQLiteDriver

/// The SQL functions that a file's triggers and indexes call and this connection has not: without them every write to their
/// tables fails.
///
/// One that is only told something (`SELECT f(…);` as a step of a trigger) may be silent. One whose result goes into a row
/// or decides something must not be made up: its statement fails, saying which function of whose is missing.
enum TriggerFunctions {
    static func register(on connection: SQLiteConnection) throws {
        let sources = try connection.withStatement(
            "SELECT name, sql, type FROM sqlite_master WHERE type IN ('trigger', 'index') AND sql IS NOT NULL"
        ) { row in
            var result: [(name: String, sql: String)] = []
            while try row.step() {
                let source = (name: row.text(0) ?? "", sql: row.text(1) ?? "")
                // Of an index the first parenthesis holds the columns: a call would be the second.
                if row.text(2) == "index", source.sql.utf8.count(where: { $0 == UInt8(ascii: "(") }) < 2 { continue }
                result.append(source)
            }
            return result
        }
        if sources.isEmpty { return }
        var known: Set<String>?
        for source in sources {
            for call in calls(in: source.sql) where !keywords.contains(call.name.uppercased()) {
                if known == nil { known = try functions(of: connection) }
                // A name that is none of a function's (a table's before its columns) does no harm.
                guard known?.contains(call.name.lowercased()) == false else { continue }
                if !call.isStep { known?.insert(call.name.lowercased()) }
                let message = "“\(source.name)” calls the function \(call.name), which only the program that made it has"
                try connection.register(function: call.name, argumentCount: -1, isDeterministic: false) { [isStep = call.isStep] function in
                    if isStep { function.resultNull() } else { function.result(error: message) }
                }
            }
        }
    }

    private static func functions(of connection: SQLiteConnection) throws -> Set<String> {
        try connection.withStatement("SELECT DISTINCT name FROM pragma_function_list") { row in
            var result: Set<String> = []
            while try row.step() { if let name = row.text(0) { result.insert(name.lowercased()) } }
            return result
        }
    }

    /// Words before parentheses; `isStep` for those whose result nobody uses.
    static func calls(in sql: String) -> [(name: String, isStep: Bool)] {
        let bare = sql.replacing(/'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*(?s:.*?)\*\//, with: "''")
        return bare.matches(of: /(?i)((?:\bBEGIN|;)\s*SELECT\s+)?\b([A-Za-z_][A-Za-z0-9_]*)\s*\(/).map { match in
            (String(match.output.2), match.output.1 != nil)
        }
    }

    private static let keywords: Set<String> = [
        "IN", "VALUES", "EXISTS", "AND", "OR", "NOT", "WHEN", "THEN", "ELSE", "CASE", "SELECT", "FROM", "WHERE", "ON", "USING", "AS", "OVER",
        "FILTER", "SET", "BETWEEN", "LIKE", "GLOB", "MATCH", "REGEXP", "IS", "BY", "HAVING", "LIMIT", "OFFSET", "UNION", "ALL", "EXCEPT",
        "INTERSECT", "JOIN", "INTO", "RETURNING", "WITH", "DISTINCT", "OF", "RAISE", "CAST", "UNIQUE", "INDEX", "TRIGGER", "UPDATE", "INSERT",
        "DELETE", "ESCAPE", "COLLATE", "CONFLICT", "DO", "END", "BEGIN", "ISNULL", "NOTNULL",
    ]
}
