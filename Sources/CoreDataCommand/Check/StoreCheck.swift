import CoreDataSQLStorage
import CoreDataSchema
import CoreDataStorage
import Foundation
import SQLiteDriver

/// Looks for what is wrong with a store: as a database, in its links, and against its model.
///
/// Invariant: reads only.
struct StoreCheck {
    let session: StoreSession
    let file: StoreFile
    private(set) var findings: [Finding] = []

    var schema: StoreSchema { session.store.schema }
    var model: ResolvedModel { session.model }
    var connection: SQLiteConnection { file.connection }

    init(_ session: StoreSession, _ file: StoreFile) {
        self.session = session
        self.file = file
    }

    mutating func run(_ progress: Progress) throws {
        try checkRows()
        try progress.advance()
        try checkToOnes()
        try progress.advance()
        try checkOneToOnes()
        try progress.advance()
        try checkHiddenKeys()
        try checkJoins()
        try progress.advance()
        try checkValues()
        try progress.advance()
        try checkMetadata()
        try checkExternalFiles()
    }

    /// What SQLite itself finds, for a file that may be too damaged for anything else.
    static func integrity(_ file: StoreFile) throws -> [Finding] {
        var problems: [String] = []
        do {
            try file.connection.withStatement("PRAGMA integrity_check(100)") { row in
                while try row.step() { if let text = row.text(0), text != "ok" { problems.append(text) } }
            }
        } catch let error as SQLiteError {
            problems.append(error.message)
        }
        return problems.map { Finding(kind: "integrity", severity: .error, place: "database", message: $0, count: 1) }
    }

    /// What a model made of the tables does not tell, and nobody looked at therefore.
    var notLookedAt: [String] {
        if session.modelIsExact { return [] }
        let seen = columns.filter { $0.column.kind == .toOne }.map { place($0.reference) }
        return [
            "values the model requires or wants unique, and its rules", "one-to-ones", "ordered and one-to-many relationships",
            "types of values other than those of their columns", "files of binary values",
            seen.isEmpty ? "keys" : "keys other than \(seen.joined(separator: ", "))",
        ]
    }

    mutating func add(_ finding: Finding) { findings.append(finding) }

    /// Adds a finding when a query finds rows. `select` gives keys and the numbers of their entities: `FROM … WHERE …` of `t`.
    mutating func add(
        _ kind: String, _ severity: Finding.Severity = .error, place: String, table: TableSchema, where condition: String,
        repair: [String] = [], _ message: (Int) -> String
    ) throws {
        let count = Int(try connection.integer("SELECT COUNT(*) FROM \(table.name) t WHERE \(condition)") ?? 0)
        guard count > 0 else { return }
        var examples: [String] = []
        try connection.withStatement("SELECT t.Z_PK, t.Z_ENT FROM \(table.name) t WHERE \(condition) ORDER BY t.Z_PK LIMIT 5") { row in
            while try row.step() { examples.append(name(row.integer(0), row.integer(1), table)) }
        }
        findings.append(Finding(
            kind: kind, severity: severity, place: place, message: message(count), count: count, examples: examples, repair: repair))
    }

    func name(_ key: Int64, _ number: Int64, _ table: TableSchema) -> String {
        let entity = schema.concreteEntity(number: number, declared: table.root) ?? table.root
        return "\(model.entities[entity].name)/\(key)"
    }

    /// Condition for rows of an entity and its subentities in its table; nil when those are all.
    func isRow(of entity: Int, _ alias: String) -> String? {
        guard let table = schema.table(of: entity), table.hasSubentities, table.root != entity else { return nil }
        let numbers = (entity...model.entities[entity].lastDescendant).filter(schema.holds).map { String(schema.entityNumbers[$0]) }
        return "\(alias).Z_ENT IN (\(numbers.joined(separator: ", ")))"
    }

    func place(_ reference: PropertyReference) -> String {
        let entity = model.entities[reference.entity]
        return "\(entity.name).\(entity.properties[reference.slot].name)"
    }

    func property(_ reference: PropertyReference) -> ResolvedProperty { model.entities[reference.entity].properties[reference.slot] }

    /// Columns in a stable order.
    var columns: [(reference: PropertyReference, column: SlotColumn, table: TableSchema)] {
        schema.columns.compactMap { reference, column in schema.table(of: reference.entity).map { (reference, column, $0) } }
            .sorted { ($0.reference.entity, $0.reference.slot) < ($1.reference.entity, $1.reference.slot) }
    }

    static func rows(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }
}
