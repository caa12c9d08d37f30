import CoreData
import CoreDataSQLStorage
import CoreDataSchema
import CoreDataStorage
import Foundation

/// Values of the right type that are none of their attribute's all the same.
extension StoreCheck {
    /// Binary values that are marked neither as data nor as the name of a file.
    mutating func checkMarks() throws {
        for (reference, column, table) in columns where column.isExternal {
            let value = "t.\(column.name)", file = "(length(\(value)) = 38 AND \(StoreCheck.isName("CAST(substr(\(value), 2, 36) AS TEXT)")))"
            try add(
                "externalMark", place: place(reference), table: table,
                where: "typeof(\(value)) = 'blob' AND length(\(value)) > 0 AND substr(\(value), 1, 1) <> x'01' AND NOT (substr(\(value), 1, 1) = x'02' AND \(file))"
            ) { "\(StoreCheck.rows($0, "has", "have")) bytes that begin neither as data nor as the name of a file" }
        }
    }

    /// Condition for texts that are UUIDs.
    private static func isName(_ text: String) -> String {
        let hex = "[0-9A-Fa-f]"
        return text + " GLOB '" + [8, 4, 4, 4, 12].map { String(repeating: hex, count: $0) }.joined(separator: "-") + "'"
    }

    /// Archives that are none, URIs that are none, and values of attributes the row's entity has not.
    mutating func checkForms() throws {
        guard session.modelIsExact else { return }
        for (reference, column, table) in columns {
            let value = "t.\(column.name)", attribute = property(reference).attribute
            if column.kind == .object, StoreCheck.isKeyedArchive(attribute?.valueTransformerName) {
                try add(
                    "archive", place: place(reference), table: table,
                    where: "typeof(\(value)) = 'blob' AND substr(\(value), 1, 6) <> x'62706C697374' AND substr(\(value), 1, 5) <> x'3C3F786D6C'"
                ) { "\(StoreCheck.rows($0, "has", "have")) bytes that are no archive" }
            }
            if column.kind == .uri {
                try add("uri", place: place(reference), table: table, textsOf: column, isWrong: {
                    URL(string: String(decoding: $0, as: UTF8.self), encodingInvalidCharacters: false) == nil
                }, { "\(StoreCheck.rows($0, "has", "have")) a text that is no URI" })
            }
            guard table.hasSubentities, table.root != reference.entity else { continue }
            let owner = model.entities[reference.entity].name
            for name in StoreCheck.names(of: column) {
                try add(
                    "foreignValue", .warning, place: place(reference), table: table,
                    where: "t.\(name) IS NOT NULL AND NOT \(isExactly(reference.entity, "t"))"
                ) { "\(StoreCheck.rows($0, "has", "have")) a value of \(owner), and \($0 == 1 ? "is" : "are") none: nobody sees it" }
            }
        }
    }

    /// Transformers whose values are keyed archives; what others write only they know.
    private static func isKeyedArchive(_ transformer: String?) -> Bool {
        ["", "NSSecureUnarchiveFromData", "NSSecureUnarchiveFromDataTransformer", "NSKeyedUnarchiveFromData"].contains(transformer ?? "")
    }

    /// Whether the rows of `Z_PRIMARYKEY` are those of the model.
    mutating func checkEntityTable() throws {
        var seen: [String: Int64] = [:]
        func problem(_ place: String, _ message: String, _ severity: Finding.Severity = .error) {
            add(Finding(kind: "entityTable", severity: severity, place: place, message: message, count: 1))
            if severity == .error { entitiesAreDoubtful = true }
        }
        var listed: [(number: Int64, name: String, parent: Int64)] = []
        try connection.withStatement("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT") { row in
            while try row.step() { listed.append((row.integer(0), row.text(1) ?? "", row.integer(2))) }
        }
        for row in listed where row.number < 16_000 {
            if let other = seen[row.name] { problem(row.name, "Z_PRIMARYKEY has the entity twice, as \(other) and as \(row.number)") }
            seen[row.name] = row.number
            guard session.modelIsExact, let index = schema.entity(number: row.number) else { continue }
            let entity = model.entities[index], parent = entity.superIndex.map { schema.entityNumbers[$0] } ?? 0
            // A migration in place may leave the name that a renamed entity had.
            if entity.name != row.name, entity.schema.renamingIdentifier != row.name, seen[entity.name] == nil {
                problem(entity.name, "Z_PRIMARYKEY calls it “\(row.name)”", .warning)
            }
            if row.parent != parent {
                problem(entity.name, "Z_PRIMARYKEY has \(row.parent) as the number of its parent (Z_SUPER), and the model \(parent)")
            }
        }
    }

    /// Why the model a store keeps cannot be used. Asked before the store is opened, or it would leave traces.
    static func keptObstacle(_ url: URL) -> String? { (try? StoredModel(url, evenIfTablesMissing: true))?.keptObstacle }

    /// Whether the model the store keeps can be used, and the uniqueness constraints are kept up.
    mutating func checkStoredModel() throws {
        if let obstacle = keptObstacle {
            add(Finding(kind: "modelCache", severity: .warning, place: "Z_MODELCACHE", message: "the model the store keeps \(obstacle)", count: 1))
        }
        guard session.modelIsExact else { return }
        for entity in model.entities where schema.holds(entity.index) {
            for names in entity.schema.uniquenessConstraints {
                let columns = names.compactMap { entity.property(named: $0).flatMap(schema.column)?.name }
                guard columns.count == names.count, let table = schema.table(of: entity.index), has(table.name, columns),
                      try !hasUniqueIndex(table.name, Set(columns)) else { continue }
                add(Finding(
                    kind: "missingIndex", severity: .warning, place: "\(entity.name).\(names.joined(separator: "+"))",
                    message: "the model wants it unique, and there is no index that sees to it", count: 1))
            }
        }
    }

    private func hasUniqueIndex(_ table: String, _ columns: Set<String>) throws -> Bool {
        try connection.withStatement(
            "SELECT l.name, i.name FROM pragma_index_list('\(table)') l, pragma_index_info(l.name) i WHERE l.\"unique\""
        ) { row in
            var found: [String: Set<String>] = [:]
            while try row.step() { found[row.text(0) ?? "", default: []].insert(row.text(1) ?? "") }
            return found.values.contains(columns)
        }
    }

    /// Derived attributes that are not what their expression gives; forms of texts only the framework compares.
    mutating func checkDerived() throws {
        guard session.modelIsExact, let derivations = try? Derivation.all(in: model, entities: schema.holds) else { return }
        for derivation in derivations {
            guard let column = schema.columns[derivation.attribute], let table = schema.table(of: derivation.attribute.entity),
                  has(table.name, [column.name]), let expression = expression(derivation.source) else { continue }
            let value = "t.\(column.name)", row = isExactly(derivation.attribute.entity, "t")
            // Apple's own stores have nil for what was never counted.
            try add(
                "derived", .warning, place: place(derivation.attribute), table: table,
                where: "\(row) AND \(value) IS NOT \(expression) AND NOT (\(value) IS NULL AND IFNULL(\(expression), 0) = 0)"
            ) { "\(StoreCheck.rows($0, "has", "have")) a derived value that is out of date" }
        }
    }

    /// SQL for a row `t`; nil where tables are missing or SQL alone cannot tell.
    private func expression(_ source: Derivation.Source) -> String? {
        switch source {
        case .now: return nil
        case .value(_, _, .some): return nil
        case .value(let path, let attribute, nil):
            guard let last = schema.columns[attribute], last.kind != .data, last.kind != .object else { return nil }
            var current = "t"
            var tables = "", condition = ""
            for (depth, step) in path.enumerated() {
                guard let column = schema.columns[step], let destination = property(step).relationship?.destination,
                      let table = schema.table(of: destination) else { return nil }
                tables += (depth == 0 ? "" : ", ") + "\(table.name) d\(depth)"
                condition += (depth == 0 ? "" : " AND ") + "d\(depth).Z_PK = \(current).\(column.name)"
                current = "d\(depth)"
            }
            return path.isEmpty ? "t.\(last.name)" : "(SELECT \(current).\(last.name) FROM \(tables) WHERE \(condition))"
        case .count(let reference): return members(reference).map { "(SELECT COUNT(*) \($0))" }
        case .sum(let reference, let attribute):
            guard let column = schema.columns[attribute], [.integer].contains(column.kind) else { return nil }
            return members(reference).map { "(SELECT IFNULL(SUM(m.\(column.name)), 0) \($0))" }
        }
    }

    /// The rows `m` that are members of a to-many of `t`.
    private func members(_ reference: PropertyReference) -> String? {
        guard let destination = property(reference).relationship?.destination, let table = schema.table(of: destination) else { return nil }
        switch schema.links[reference] {
        case .column(_, let name, _, _): return "FROM \(table.name) m WHERE m.\(name) = t.Z_PK"
        case .join(let side): return "FROM \(side.table) j JOIN \(table.name) m ON m.Z_PK = j.\(side.memberColumn) WHERE j.\(side.ownerColumn) = t.Z_PK"
        case nil: return nil
        }
    }
}
