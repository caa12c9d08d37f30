import CoreDataTestSupport
import Foundation
import SQLiteDriver

/// Everything a database holds, as SQLite quotes it: table, row, column.
struct FileImage {
    private(set) var tables: [String: [String: [String: String]]] = [:]
    private(set) var statements: [String] = []

    init(_ url: URL) throws {
        let connection = try SQLiteConnection(path: url.path, access: .readWrite)
        defer { connection.close() }
        func list(_ sql: String) throws -> [String] {
            try connection.withStatement(sql) { row in
                var result: [String] = []
                while try row.step() { result.append(row.text(0) ?? "NULL") }
                return result
            }
        }
        statements = try list("SELECT type || ' ' || name || ' ' || IFNULL(sql, '') FROM sqlite_master ORDER BY rowid")
        for table in try list("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'") {
            let columns = try list("SELECT name FROM pragma_table_info('\(table)')")
            let quoted = columns.map { "quote(\"\($0)\")" }.joined(separator: ", ")
            try connection.withStatement("SELECT rowid, \(quoted) FROM \"\(table)\"") { row in
                var rows: [String: [String: String]] = [:]
                while try row.step() {
                    var values: [String: String] = [:]
                    for (index, column) in columns.enumerated() { values[column] = row.text(Int32(index + 1)) ?? "" }
                    rows[row.text(0) ?? ""] = values
                }
                tables[table] = rows
            }
        }
    }

    static func isSound(_ url: URL) throws -> Bool {
        let connection = try SQLiteConnection(path: url.path, access: .readOnly)
        defer { connection.close() }
        return try connection.text("PRAGMA integrity_check") == "ok"
    }

    /// Columns that differ, by table and row; `*` for rows that only one has.
    func differences(from other: FileImage) -> [String: [String: Set<String>]] {
        var result: [String: [String: Set<String>]] = [:]
        for table in Set(tables.keys).union(other.tables.keys) {
            let (mine, theirs) = (tables[table] ?? [:], other.tables[table] ?? [:])
            for row in Set(mine.keys).union(theirs.keys) where mine[row] != theirs[row] {
                guard let a = mine[row], let b = theirs[row] else {
                    result[table, default: [:]][row] = ["*"]
                    continue
                }
                result[table, default: [:]][row] = Set(a.keys.filter { a[$0] != b[$0] })
            }
        }
        return result
    }
}
