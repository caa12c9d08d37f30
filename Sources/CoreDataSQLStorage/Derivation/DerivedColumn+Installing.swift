import SQLiteDriver

extension DerivedColumn {
    /// Gives a connection the triggers its file lacks, for as long as it is open: those that call our functions, and all of
    /// a file that knows none. What the file has stays as it is.
    static func install(_ columns: [DerivedColumn], on connection: SQLiteConnection) throws {
        guard !columns.isEmpty else { return }
        let present = try presentTriggers(on: connection)
        for column in columns {
            let keeping = present.filter { column.isKept(by: $0.name) }
            for function in unknownFunctions(in: keeping) { try column.form?.register(as: function, on: connection) }
            if keeping.isEmpty { for trigger in column.triggers { try connection.execute(trigger.temporarySQL) } }
        }
    }

    private static func presentTriggers(on connection: SQLiteConnection) throws -> [(name: String, sql: String)] {
        try connection.withStatement("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'") { row in
            var result: [(name: String, sql: String)] = []
            while try row.step() { result.append((row.text(0) ?? "", row.text(1) ?? "")) }
            return result
        }
    }

    /// Apple's triggers for forms of text call functions whose names are not documented: whatever they are called, they
    /// compute what the model says of the attribute.
    private static func unknownFunctions(in triggers: [(name: String, sql: String)]) -> Set<String> {
        var result: Set<String> = []
        for trigger in triggers {
            for match in trigger.sql.matches(of: /\b(NSCoreData\w+)\s*\(/) { result.insert(String(match.1)) }
        }
        return result.subtracting(SQLFunctions.noting).subtracting(DerivedFunction.all.map(\.name))
    }
}
