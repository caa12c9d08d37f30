import CoreDataSchema
import SQLiteDriver

/// A column of an entity's table, as the file declares it.
struct StoredColumn {
    let name: String
    let type: String
    /// Has an index of its own, as keys have.
    let isIndexed: Bool
    let propertyName: String

    static func tables(_ connection: SQLiteConnection) throws -> [String] {
        try list("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'", connection)
    }

    static func all(of table: String, _ connection: SQLiteConnection) throws -> [StoredColumn] {
        let indexes = try list("SELECT name FROM pragma_index_list('\(escaped(table))')", connection)
        var indexed = Set<String>()
        var spellings: [String: String] = [:]
        for index in indexes {
            let keys = try list("SELECT name FROM pragma_index_info('\(escaped(index))') WHERE name IS NOT NULL", connection)
            guard keys.count == 1 else { continue }
            if index.hasSuffix("_INDEX") { indexed.insert(keys[0]) }
            // Z_Entity_attribute keeps the attribute's case.
            let last = index.split(separator: "_").last.map(String.init) ?? ""
            if "Z" + last.uppercased() == keys[0], last != last.uppercased() { spellings[keys[0]] = last }
        }
        var result: [StoredColumn] = []
        try connection.withStatement("SELECT name, type FROM pragma_table_info('\(escaped(table))')") { row in
            while try row.step() {
                guard let name = row.text(0) else { continue }
                result.append(StoredColumn(
                    name: name, type: (row.text(1) ?? "").uppercased(), isIndexed: indexed.contains(name),
                    propertyName: spellings[name] ?? propertyName(String(name.dropFirst()))))
            }
        }
        return result
    }

    /// Property names of each uniqueness constraint.
    static func uniqueKeys(of table: String, _ columns: [StoredColumn], _ connection: SQLiteConnection) throws -> [[String]] {
        let names = Dictionary(columns.map { ($0.name, $0.propertyName) }) { first, _ in first }
        let indexes = try list(
            "SELECT name FROM pragma_index_list('\(escaped(table))') WHERE \"unique\" = 1 AND origin <> 'pk' AND partial = 0", connection)
        return try indexes.compactMap { index in
            let keys = try list("SELECT name FROM pragma_index_info('\(escaped(index))') ORDER BY seqno", connection).map { names[$0] }
            return keys.isEmpty || keys.contains(nil) ? nil : keys.compactMap { $0 }
        }
    }

    /// Lower case, unless that cannot be turned back into the column's name.
    static func propertyName(_ column: String) -> String {
        let name = column.lowercased()
        return name.uppercased() == column ? name : column
    }

    func attribute(_ connection: SQLiteConnection, table: String) throws -> AttributeSchema {
        let kind: AttributeType = switch type {
        case "FLOAT", "REAL", "DOUBLE": .double
        case "TIMESTAMP": .date
        case "DECIMAL": .decimal
        case "BLOB": .binary
        case _ where type.hasPrefix("VARCHAR") || type == "TEXT": .string
        default: .integer64
        }
        var attribute = AttributeSchema(name: propertyName, type: kind)
        attribute.isOptional = true
        if kind == .binary { attribute.allowsExternalBinaryDataStorage = try namesFiles(connection, table) }
        return attribute
    }

    /// Whether all blobs carry the prefix of external storage, and at least one names a file.
    private func namesFiles(_ connection: SQLiteConnection, _ table: String) throws -> Bool {
        let (column, table) = (quoted(name), quoted(table))
        let file = "substr(\(column), 1, 1) = x'02' AND length(\(column)) = 38"
        guard try connection.integer("SELECT COUNT(*) FROM (SELECT 1 FROM \(table) WHERE \(file) LIMIT 1)") == 1 else { return false }
        return try connection.integer(
            "SELECT COUNT(*) FROM \(table) WHERE \(column) IS NOT NULL AND substr(\(column), 1, 1) <> x'01' AND NOT (\(file))") == 0
    }

    private static func escaped(_ name: String) -> String { name.replacing("'", with: "''") }

    private static func list(_ sql: String, _ connection: SQLiteConnection) throws -> [String] {
        try connection.withStatement(sql) { row in
            var result: [String] = []
            while try row.step() { if let text = row.text(0) { result.append(text) } }
            return result
        }
    }
}

/// `Z_<number><NAME>` taken apart.
struct NumberedName {
    let number: Int64
    let name: String

    init?(_ text: String) {
        guard text.hasPrefix("Z_") else { return nil }
        let rest = text.dropFirst(2)
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits), digits.count < rest.count else { return nil }
        self.number = number
        name = String(rest.dropFirst(digits.count))
    }

    var propertyName: String { StoredColumn.propertyName(name) }
}
