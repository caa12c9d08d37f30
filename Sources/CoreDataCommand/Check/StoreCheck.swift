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
    /// The entities looked at; nil for all.
    var entities: [Int]?
    let keptObstacle: String?
    /// Whether `Z_PRIMARYKEY` leaves open which entity a row is of.
    var entitiesAreDoubtful = false
    /// Tables of the file with their columns.
    private let present: [String: Set<String>]

    var schema: StoreSchema { session.store.schema }
    var model: ResolvedModel { session.model }
    var connection: SQLiteConnection { file.connection }

    init(_ session: StoreSession, _ file: StoreFile, keptObstacle: String? = nil) throws {
        self.keptObstacle = keptObstacle
        self.session = session
        self.file = file
        var present: [String: Set<String>] = [:]
        try file.connection.withStatement("SELECT m.name, p.name FROM sqlite_master m, pragma_table_info(m.name) p WHERE m.type = 'table'") { row in
            while try row.step() { present[row.text(0) ?? "", default: []].insert(row.text(1) ?? "") }
        }
        self.present = present
    }

    /// What cannot be read as what it should be, and only that.
    mutating func checkReadable() throws {
        try checkSeen()
        if !session.missing.isEmpty { try checkNumbers() }
        try checkTypes(withRanges: false)
        try checkTexts()
        try checkMarks()
    }

    mutating func run(_ progress: Progress?) throws {
        checkPresence()
        try checkEntityTable()
        try checkRows()
        try progress?.advance()
        try checkToOnes()
        try progress?.advance()
        try checkOneToOnes()
        try progress?.advance()
        try checkHiddenKeys()
        try checkJoins()
        try progress?.advance()
        try checkOrder()
        try checkValues()
        try checkTypes(withRanges: true)
        try checkTexts()
        try checkMarks()
        try checkForms()
        if !findings.contains(where: { $0.kind == "missing" }) { try checkDerived() }
        if !findings.contains(where: { $0.kind == "missing" }) { try checkRules() }
        try progress?.advance()
        try checkMetadata()
        try checkStoredModel()
        try checkExternalFiles()
        // A guess at what a row is may turn it into something else for good.
        if doubt != nil { findings = findings.map(\.withoutRepair) }
    }

    /// Why no row is to be changed; nil when the store itself proves what would be right.
    var doubt: String? {
        if !session.modelIsProven { return "the store does not prove that it was made with the model. Give its model with --model." }
        return entitiesAreDoubtful ? "Z_PRIMARYKEY does not fit the model: what a row is cannot be told." : nil
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
        repair: @autoclosure () throws -> [String] = [], _ message: (Int) -> String
    ) throws {
        let count = Int(try connection.integer("SELECT COUNT(*) FROM \(table.name) t WHERE \(condition)") ?? 0)
        guard count > 0 else { return }
        var examples: [String] = []
        try connection.withStatement("SELECT t.Z_PK, t.Z_ENT FROM \(table.name) t WHERE \(condition) ORDER BY t.Z_PK LIMIT 5") { row in
            while try row.step() { examples.append(name(row.integer(0), row.integer(1), table)) }
        }
        findings.append(Finding(
            kind: kind, severity: severity, place: place, message: message(count), count: count, examples: examples, repair: try repair()))
    }

    /// As above, for texts of a column that SQL can only narrow down: `isWrong` looks at the bytes of each.
    mutating func add(
        _ kind: String, place: String, table: TableSchema, textsOf column: SlotColumn, where condition: String = "1",
        isWrong: ([UInt8]) -> Bool, _ message: (Int) -> String
    ) throws {
        var examples: [String] = [], count = 0
        try connection.withStatement(
            "SELECT t.Z_PK, t.Z_ENT, CAST(t.\(column.name) AS BLOB) FROM \(table.name) t WHERE typeof(t.\(column.name)) = 'text' AND \(condition)"
        ) { row in
            while try row.step() {
                guard isWrong(row.blob(2) ?? []) else { continue }
                count += 1
                if examples.count < 5 { examples.append(name(row.integer(0), row.integer(1), table)) }
            }
        }
        guard count > 0 else { return }
        findings.append(Finding(kind: kind, severity: .error, place: place, message: message(count), count: count, examples: examples))
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

    /// Condition for rows whose own number is that of an entity or one of its subentities. In a table of one entity all rows are its.
    func isExactly(_ entity: Int, _ alias: String) -> String {
        guard let table = schema.table(of: entity), table.hasSubentities else { return "1" }
        let numbers = (entity...model.entities[entity].lastDescendant).filter(schema.holds).map { String(schema.entityNumbers[$0]) }
        return "\(alias).Z_ENT IN (\(numbers.joined(separator: ", ")))"
    }

    func place(_ reference: PropertyReference) -> String {
        let entity = model.entities[reference.entity]
        return "\(entity.name).\(entity.properties[reference.slot].name)"
    }

    func property(_ reference: PropertyReference) -> ResolvedProperty { model.entities[reference.entity].properties[reference.slot] }

    func has(_ table: String, _ columns: [String] = []) -> Bool { present[table].map { $0.isSuperset(of: columns) } ?? false }

    /// Tables that are there.
    var tables: [TableSchema] {
        schema.tables.filter { table in
            has(table.name, ["Z_PK", "Z_ENT", "Z_OPT"]) && entities?.contains { model.entities[$0].rootIndex == table.root } != false
        }
    }

    /// Columns in a stable order, those that are missing left out.
    var columns: [(reference: PropertyReference, column: SlotColumn, table: TableSchema)] {
        plannedColumns.filter { concerns($0.reference) && has($0.table.name, ["Z_PK", "Z_ENT"] + StoreCheck.names(of: $0.column)) && leadsToTable($0.reference) }
    }

    var plannedColumns: [(reference: PropertyReference, column: SlotColumn, table: TableSchema)] {
        schema.columns.compactMap { reference, column in schema.table(of: reference.entity).map { (reference, column, $0) } }
            .sorted { ($0.reference.entity, $0.reference.slot) < ($1.reference.entity, $1.reference.slot) }
    }

    static func names(of column: SlotColumn) -> [String] {
        column.kind == .composite ? column.elements.map(\.name) : [column.name]
    }

    private func concerns(_ reference: PropertyReference) -> Bool {
        entities?.contains { model.entities[reference.entity].includes($0) } ?? true
    }

    private func leadsToTable(_ reference: PropertyReference) -> Bool {
        guard let destination = property(reference).relationship?.destination, let table = schema.table(of: destination) else { return true }
        return has(table.name, ["Z_PK", "Z_ENT"])
    }

    /// To-manys in a stable order, those whose tables are missing left out.
    var links: [(key: PropertyReference, value: LinkStorage)] {
        schema.links.sorted { ($0.key.entity, $0.key.slot) < ($1.key.entity, $1.key.slot) }.filter { reference, link in
            guard let owner = schema.table(of: reference.entity), has(owner.name, ["Z_PK", "Z_ENT"]), leadsToTable(reference) else { return false }
            return switch link {
            case .column(let table, let name, let order, _): has(table, [name] + (order.map { [$0] } ?? []))
            case .join(let side): has(side.table, [side.ownerColumn, side.memberColumn] + (side.orderColumn.map { [$0] } ?? []))
            }
        }
    }

    static func rows(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }

    /// “1 row has”, “2 rows have”.
    static func rows(_ count: Int, _ one: String, _ many: String) -> String { "\(rows(count)) \(count == 1 ? one : many)" }
}
