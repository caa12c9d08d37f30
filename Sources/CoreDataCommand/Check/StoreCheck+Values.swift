import CoreDataGraph
import CoreDataSQLStorage
import CoreDataSchema

extension StoreCheck {
    /// Tables, columns and rows of `Z_PRIMARYKEY` that the model needs.
    mutating func checkPresence() {
        func missing(_ place: String, _ what: String) {
            if findings.contains(where: { $0.kind == "missing" && $0.place == place && $0.message == what }) { return }
            add(Finding(kind: "missing", severity: .error, place: place, message: what, count: 1))
        }
        let hashed = file.metadata.values["NSStoreModelVersionHashes"] as? [String: Any] ?? [:]
        for entity in model.entities where !schema.holds(entity.index) && hashed[entity.name] != nil {
            missing(entity.name, "Z_PRIMARYKEY has no row for the entity: its rows cannot be read")
            entitiesAreDoubtful = true
        }
        for table in schema.tables where !has(table.name) { missing(model.entities[table.root].name, "the table \(table.name) is missing") }
        for table in schema.tables where has(table.name) {
            for name in ["Z_PK", "Z_ENT", "Z_OPT"] where !has(table.name, [name]) {
                missing(model.entities[table.root].name, "the column \(table.name).\(name) is missing")
            }
        }
        for (reference, column, table) in plannedColumns where has(table.name) {
            for name in StoreCheck.names(of: column) where !has(table.name, [name]) {
                missing(place(reference), "the column \(table.name).\(name) is missing")
            }
        }
        for (reference, link) in schema.links.sorted(by: { ($0.key.entity, $0.key.slot) < ($1.key.entity, $1.key.slot) }) {
            guard case .join(let side) = link else { continue }
            if !has(side.table) { missing(place(reference), "the table \(side.table) is missing") } else
            if !has(side.table, [side.ownerColumn, side.memberColumn]) { missing(place(reference), "columns of the table \(side.table) are missing") }
        }
    }

    /// Values that are not of their attribute's type, which are read as something else.
    mutating func checkTypes(withRanges: Bool) throws {
        let sound = try soundTables()
        for (reference, column, table) in columns where withRanges || !sound.contains(table.name) {
            let attribute = property(reference).attribute
            let parts = column.kind == .composite ? column.elements.map { ($0.name, $0.kind) } : [(column.name, column.kind)]
            for (name, kind) in parts where !sound.contains(table.name) {
                if let (condition, what) = StoreCheck.misfit(kind, "t.\(name)") {
                    try add("type", place: place(reference), table: table, where: condition) { "\(StoreCheck.rows($0, "has", "have")) a value that is no \(what)" }
                }
            }
            let bounds: (Int64, Int64)? = switch attribute?.type {
            case .integer16: (Int64(Int16.min), Int64(Int16.max))
            case .integer32: (Int64(Int32.min), Int64(Int32.max))
            case .boolean: (0, 1)
            default: nil
            }
            // A model made of the tables does not know how wide a number is.
            guard withRanges, session.modelIsExact else { continue }
            if column.kind == .float {
                let value = "t.\(column.name)"
                try add("range", place: place(reference), table: table, where: "abs(\(value)) > 3.4028235677973366e38 AND abs(\(value)) < 9e999") {
                    "\(StoreCheck.rows($0, "has", "have")) a value that is too large for a Float"
                }
            }
            if column.kind == .date {
                try add("range", place: place(reference), table: table, where: "t.\(column.name) IN (9e999, -9e999)") {
                    "\(StoreCheck.rows($0, "has", "have")) an infinite value, and no date"
                }
            }
            guard let bounds else { continue }
            let value = "t.\(column.name)"
            try add(
                "range", place: place(reference), table: table,
                where: "typeof(\(value)) = 'integer' AND (\(value) < \(bounds.0) OR \(value) > \(bounds.1))"
            ) { "\(StoreCheck.rows($0, "has", "have")) a value outside \(bounds.0) to \(bounds.1)" }
        }
    }

    /// Tables none of whose values is of another type: told by reading each once, whatever the number of columns.
    private func soundTables() throws -> Set<String> {
        var conditions: [String: [String]] = [:]
        for (_, column, table) in columns {
            let parts = column.kind == .composite ? column.elements.map { ($0.name, $0.kind) } : [(column.name, column.kind)]
            conditions[table.name, default: []] += parts.compactMap { name, kind in StoreCheck.misfit(kind, "t.\(name)").map { "(\($0.condition))" } }
        }
        var sound: Set<String> = []
        for (table, all) in conditions {
            // SQLite nests a thousand terms and no more.
            let parts = stride(from: 0, to: all.count, by: 200).map { all[$0..<min($0 + 200, all.count)].joined(separator: " OR ") }
            let isSound = try parts.allSatisfy { try connection.integer("SELECT EXISTS (SELECT 1 FROM \(table) t WHERE \($0))") == 0 }
            if isSound { sound.insert(table) }
        }
        return sound
    }

    /// Condition for values that cannot be read as this kind, and what they should be.
    private static func misfit(_ kind: StorageKind, _ value: String) -> (condition: String, what: String)? {
        switch kind {
        case .integer, .boolean: ("typeof(\(value)) NOT IN ('integer', 'null')", "whole number")
        case .toOne: ("typeof(\(value)) NOT IN ('integer', 'null')", "key")
        case .double, .float: ("typeof(\(value)) NOT IN ('integer', 'real', 'null')", "number")
        case .date: ("typeof(\(value)) NOT IN ('integer', 'real', 'null')", "date (seconds)")
        case .decimal:
            ("typeof(\(value)) = 'blob' OR \(value) IN (9e999, -9e999) OR (typeof(\(value)) = 'text' AND \(value) <> 'NaN' AND "
                + "(\(value) = '' OR \(value) GLOB '*[^0-9.eE+-]*'))", "number")
        case .string, .uri: ("typeof(\(value)) = 'blob'", "text")
        case .uuid: ("\(value) IS NOT NULL AND (typeof(\(value)) <> 'blob' OR length(\(value)) <> 16)", "UUID of 16 bytes")
        case .data, .object: ("typeof(\(value)) NOT IN ('blob', 'null')", "data")
        case .none, .objectID, .composite, .toMany, .fetched: nil
        }
    }

    /// Texts that are no UTF-8.
    mutating func checkTexts() throws {
        for (reference, column, table) in columns where column.kind == .string || column.kind == .uri {
            // Only texts with anything but ASCII are looked at.
            try add(
                "text", place: place(reference), table: table, textsOf: column,
                where: "t.\(column.name) GLOB '*[^' || char(1) || '-' || char(127) || ']*'",
                isWrong: { String(validating: $0, as: UTF8.self) == nil },
                { "\(StoreCheck.rows($0, "has", "have")) a text that is no UTF-8" })
        }
    }

    /// Places of members in ordered relationships: missing, or the same for several.
    mutating func checkOrder() throws {
        for (reference, link) in links where property(reference).relationship?.schema.isOrdered == true {
            let table: String, owner: String, order: String
            switch link {
            case .column(let name, let column, let place?, _): (table, owner, order) = (name, column, place)
            case .join(let side):
                guard let place = side.orderColumn else { continue }
                (table, owner, order) = (side.table, side.ownerColumn, place)
            default: continue
            }
            let without = Int(try connection.integer("SELECT COUNT(*) FROM \(table) WHERE \(owner) IS NOT NULL AND typeof(\(order)) <> 'integer'") ?? 0)
            if without > 0 {
                add(Finding(
                    kind: "order", severity: .warning, place: place(reference),
                    message: "\(StoreCheck.rows(without, "has", "have")) no place in the order (\(order))", count: without))
            }
            let same = Int(try connection.integer(
                "SELECT COUNT(*) FROM (SELECT 1 FROM \(table) WHERE \(owner) IS NOT NULL AND \(order) IS NOT NULL "
                    + "GROUP BY \(owner), \(order) HAVING COUNT(*) > 1)") ?? 0)
            if same > 0 {
                add(Finding(
                    kind: "order", severity: .warning, place: place(reference),
                    message: "\(same == 1 ? "1 place" : "\(same) places") in the order (\(order)) \(same == 1 ? "is" : "are") taken by several rows", count: same))
            }
        }
    }

    /// Values that break the model's rules.
    mutating func checkRules() throws {
        for entity in model.entities where schema.holds(entity.index) && !entity.isAbstract {
            let validation = try CompiledValidation(entity, in: model.schema)
            if validation.isOnlyRequired { continue }
            var broken: [Int: (count: Int, rule: String, rows: [String])] = [:]
            try session.store.scan(entity.index) { rows in
                for row in rows {
                    let failures = try Validation.failures(
                        validation, isNull: { _ in false }, value: { row.external($0) == nil ? row.value($0) : .null },
                        count: { entity.properties[$0].relationship?.schema.minCount ?? 0 })
                    for failure in failures where failure.code != 1570 {
                        var seen = broken[failure.slot] ?? (0, failure.predicateFormat ?? failure.warning ?? "of the model", [])
                        seen.count += 1
                        if seen.rows.count < 5 { seen.rows.append("\(entity.name)/\(row.key.primaryKey)") }
                        broken[failure.slot] = seen
                    }
                }
            }
            for (slot, found) in broken.sorted(by: { $0.key < $1.key }) {
                let property = entity.properties[slot]
                add(Finding(
                    kind: "rule", severity: .error, place: "\(entity.name).\(property.name)",
                    message: "\(StoreCheck.rows(found.count, "has", "have")) a value that breaks the rule \(found.rule)", count: found.count, examples: found.rows))
            }
        }
    }
}
