import CoreDataSQLStorage
import CoreDataSchema
import Foundation

extension StoreCheck {
    /// Keys, entities and versions of rows.
    mutating func checkRows() throws {
        try checkSeen()
        for table in tables {
            let root = model.entities[table.root], number = schema.entityNumbers[table.root]
            try checkKeys(table, root, number)
            if !table.hasSubentities { try checkNumber(table, root, number) }
            let unversioned = "typeof(t.Z_OPT) <> 'integer' OR t.Z_OPT < 1"
            try add(
                "version", .warning, place: root.name, table: table, where: unversioned,
                repair: ["UPDATE \(table.name) AS t SET Z_OPT = 1 WHERE \(unversioned)"]
            ) { "\(StoreCheck.rows($0, "has", "have")) no version (Z_OPT)" }
        }
    }

    /// Rows of a table of one entity that bear another number than its.
    private mutating func checkNumber(_ table: TableSchema, _ root: ResolvedEntity, _ number: Int64) throws {
        // A number that another entity has may be right: then it is the model or Z_PRIMARYKEY that is wrong.
        let isKnown = "t.Z_ENT IN (SELECT Z_ENT FROM Z_PRIMARYKEY)"
        let other = "t.Z_ENT IS NOT \(number) AND NOT IFNULL(\(isKnown), 0)"
        try add("entityNumber", place: root.name, table: table, where: "t.Z_ENT IS NOT \(number) AND \(isKnown)") {
            "\(StoreCheck.rows($0, "has", "have")) the number (Z_ENT) of another entity than the table’s only one, \(number)"
        }
        try add(
            "entityNumber", place: root.name, table: table, where: other,
            repair: ["UPDATE \(table.name) AS t SET Z_ENT = \(number) WHERE \(other)"]
        ) { "\(StoreCheck.rows($0, "has", "have")) another entity number (Z_ENT) than \(number), the table’s only one" }
    }

    /// The same of all such tables, where the store lacks an entity whose rows would be taken for another's.
    mutating func checkNumbers() throws {
        for table in tables where !table.hasSubentities {
            try checkNumber(table, model.entities[table.root], schema.entityNumbers[table.root])
        }
    }

    /// Rows that nobody sees: of none of their table's entities, or with keys no store hands out.
    mutating func checkSeen() throws {
        for table in tables {
            let root = model.entities[table.root]
            try add("key", place: root.name, table: table, where: "t.Z_PK < 1") { "\(StoreCheck.rows($0, "has", "have")) a key below 1" }
            guard table.hasSubentities else { continue }
            let known = (root.index...root.lastDescendant).filter { schema.holds($0) && !model.entities[$0].isAbstract }
                .map { String(schema.entityNumbers[$0]) }
            try add(
                "unknownEntity", place: root.name, table: table, where: "t.Z_ENT IS NULL OR t.Z_ENT NOT IN (\(known.joined(separator: ", ")))"
            ) { "\(StoreCheck.rows($0, "has", "have")) an entity number (Z_ENT) that is none of the table’s: nobody sees them" }
        }
    }

    /// Keys of rows, and the highest one noted down.
    private mutating func checkKeys(_ table: TableSchema, _ root: ResolvedEntity, _ number: Int64) throws {
        let highest = try connection.integer("SELECT MAX(Z_PK) FROM \(table.name)") ?? 0
        let noted = try connection.withStatement("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(number)") { row -> Int64?? in
            try row.step() ? .some(row.isNull(0) ? nil : row.integer(0)) : .none
        }
        func problem(_ message: String, _ severity: Finding.Severity = .error, repairs: Bool = false) {
            let repair = "UPDATE Z_PRIMARYKEY SET Z_MAX = \(highest) WHERE Z_ENT = \(number)"
            add(Finding(kind: "highestKey", severity: severity, place: root.name, message: message, count: 1, repair: repairs ? [repair] : []))
        }
        if highest >= 1 << 62 {
            return problem("there is a row \(highest): hardly a key is left for new rows. Export the rows and import them into a new store")
        }
        switch noted {
        // That there is no row is said elsewhere.
        case .none: break
        case .some(nil): problem("Z_PRIMARYKEY notes down no highest key (Z_MAX)", .warning, repairs: true)
        case .some(let noted?):
            if noted >= 1 << 62 { return problem("Z_MAX is \(noted): hardly a key is left for new rows", repairs: true) }
            // Apple's framework itself leaves -1 for tables without rows.
            if noted < highest, highest > 0 {
                problem("Z_MAX is \(noted), but there is a row \(highest): new rows would get keys that are taken", repairs: true)
            }
        }
    }

    /// Values that the model requires or wants unique.
    mutating func checkValues() throws {
        for (reference, column, table) in columns where !property(reference).isOptional && column.kind != .composite {
            var condition = "t.\(column.name) IS NULL"
            if let row = isRow(of: reference.entity, "t") { condition += " AND \(row)" }
            try add("requiredNil", place: place(reference), table: table, where: condition) {
                "\(StoreCheck.rows($0, "has", "have")) no value, and the model requires one"
            }
        }
        for entity in model.entities where schema.holds(entity.index) {
            for names in entity.schema.uniquenessConstraints { try checkUnique(entity, names) }
        }
    }

    private mutating func checkUnique(_ entity: ResolvedEntity, _ names: [String]) throws {
        let columns = names.compactMap { entity.property(named: $0).flatMap(schema.column)?.name }
        guard columns.count == names.count, !columns.isEmpty, let table = schema.table(of: entity.index),
              has(table.name, columns) else { return }
        var condition = columns.map { "t.\($0) IS NOT NULL" }.joined(separator: " AND ")
        if let row = isRow(of: entity.index, "t") { condition += " AND \(row)" }
        let list = columns.map { "t.\($0)" }.joined(separator: ", ")
        let groups = "SELECT COUNT(*) AS n FROM \(table.name) t WHERE \(condition) GROUP BY \(list) HAVING COUNT(*) > 1"
        let count = Int(try connection.integer("SELECT COUNT(*) FROM (\(groups))") ?? 0)
        guard count > 0 else { return }
        add(Finding(
            kind: "notUnique", severity: .error, place: "\(entity.name).\(names.joined(separator: "+"))",
            message: count == 1 ? "1 value stands in several rows, and the model wants it unique"
                : "\(count) values stand in several rows each, and the model wants them unique", count: count))
    }

    /// Version hashes, digest and checksum; the numbers of the entities.
    mutating func checkMetadata() throws {
        let values = file.metadata.values
        func problem(_ kind: String, _ severity: Finding.Severity, _ message: String) {
            add(Finding(kind: kind, severity: severity, place: "metadata", message: message, count: 1))
        }
        guard let stored = values["NSStoreModelVersionHashes"] as? [String: Data] else {
            return problem("hashes", .error, "there are no version hashes: no model fits this store")
        }
        let hashes = stored.mapValues { [UInt8]($0) }
        for (name, hash) in stored.sorted(by: { $0.key < $1.key }) where hash.count != 32 {
            problem("hashes", .error, "the version hash of \(name) has \(hash.count) bytes instead of 32")
        }
        if let digest = values["NSStoreModelVersionHashesDigest"] as? String, digest != VersionHash.digest(hashes) {
            problem("digest", .warning, "NSStoreModelVersionHashesDigest does not fit the version hashes")
        }
        if let checksum = values["NSStoreModelVersionChecksumKey"] as? String, checksum != VersionHash.checksum(hashes) {
            problem("checksum", .warning, "NSStoreModelVersionChecksumKey does not fit the version hashes")
        }
        let unknown = Set(VersionHash.uncomputable(in: model.schema))
        let computed = try VersionHash.entityHashes(of: model.schema)
        for entity in model.entities where schema.holds(entity.index) && !unknown.contains(entity.name) {
            guard let noted = hashes[entity.name] else {
                problem("hashes", .error, "there is no version hash of \(entity.name)")
                continue
            }
            if session.modelIsExact, noted != computed[entity.name] {
                problem("hashes", .error, "the version hash of \(entity.name) is not that of its model: Core Data would refuse the store")
            }
        }
        let rows = try connection.integer("SELECT COUNT(*) FROM Z_METADATA") ?? 0
        if rows != 1 { problem("metadataRows", .error, "Z_METADATA has \(rows) rows instead of 1") }
        if UUID(uuidString: file.metadata.identifier) == nil { problem("uuid", .error, "“\(file.metadata.identifier)” is no UUID") }
    }

    /// Binary values in files beside the store: each named file there, each file there named.
    mutating func checkExternalFiles() throws {
        var named = Set<String>()
        for (reference, column, table) in columns where column.isExternal {
            var missing: [String] = [], empty: [String] = []
            let isName = "substr(t.\(column.name), 1, 1) = x'02' AND length(t.\(column.name)) = 38"
            try connection.withStatement(
                "SELECT CAST(substr(t.\(column.name), 2, 36) AS TEXT), t.Z_PK, t.Z_ENT FROM \(table.name) t WHERE \(isName)"
            ) { row in
                while try row.step() {
                    guard let file = row.text(0) else { continue }
                    named.insert(file)
                    let path = self.file.externalFolder.appendingPathComponent(file).path
                    let facts = try? FileManager.default.attributesOfItem(atPath: path)
                    if facts == nil { missing.append(name(row.integer(1), row.integer(2), table)) } else
                    if facts?[.type] as? FileAttributeType == .typeDirectory || facts?[.size] as? Int == 0 {
                        empty.append(name(row.integer(1), row.integer(2), table))
                    }
                }
            }
            for (kind, rows, what) in [("missingFile", missing, "is not there"), ("emptyFile", empty, "is empty or a folder")] where !rows.isEmpty {
                add(Finding(
                    kind: kind, severity: .error, place: place(reference),
                    message: "\(StoreCheck.rows(rows.count, "has", "have")) their value in a file that \(what)", count: rows.count,
                    examples: Array(rows.prefix(5))))
            }
        }
        // Which files rows name is known only where all columns with names are.
        guard session.modelIsExact, !findings.contains(where: { $0.kind == "missing" }) else { return }
        let present = (try? FileManager.default.contentsOfDirectory(atPath: file.externalFolder.path)) ?? []
        let strays = present.filter { !$0.hasPrefix(".") && !named.contains($0) }.sorted()
        guard !strays.isEmpty else { return }
        add(Finding(
            kind: "strayFile", severity: .warning, place: file.externalFolder.path,
            message: strays.count == 1 ? "1 file belongs to no row" : "\(strays.count) files belong to no row", count: strays.count,
            examples: Array(strays.prefix(5))))
    }
}
