import CoreDataSchema
import CoreDataStorage

/// The SQL that makes a store's tables and indexes.
package enum StoreDefinition {
    package static let primaryKeyTable =
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)"
    package static let metadataTable =
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)"
    package static let modelCacheTable = "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"

    /// Every statement a new store of the model, or of one of its configurations, is made with.
    package static func statements(for model: ResolvedModel, configuration: String? = nil) throws -> [String] {
        let schema = try StoreSchemaBuilder.build(
            model: model, numbers: StoreSchemaBuilder.numbers(model: model, configuration: configuration))
        let derived = DerivedTriggerBuilder.columns(try Derivation.all(in: model, entities: schema.holds), schema: schema)
        return statements(for: schema, derived: derived)
    }

    /// Every statement, in Apple's order: entity tables, join tables, indexes, triggers, system tables.
    static func statements(for schema: StoreSchema, derived: [DerivedColumn] = []) -> [String] {
        schema.tables.map(createTable) + schema.joins.map(createTable) + indexes(for: schema)
            + derived.flatMap { $0.triggers.filter { !$0.isOurs }.map(\.sql) }
            + [primaryKeyTable, metadataTable, modelCacheTable]
    }

    static func createTable(_ table: TableSchema) -> String {
        let columns = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
            + table.columns.map { "\($0.name) \($0.type.declaration)" }
        return "CREATE TABLE \(table.name) ( \(columns.joined(separator: ", ")) )"
    }

    static func createTable(_ join: JoinTableSchema) -> String {
        let columns = join.columns.map { "\($0) INTEGER" }.joined(separator: ", ")
        return "CREATE TABLE \(join.name) ( \(columns), PRIMARY KEY (\(join.columns[0]), \(join.columns[1])) )"
    }

    /// Indexes as the newest framework makes them. R-tree indexes and indexes over expressions are left out: they only
    /// speed up queries, and what Apple makes of them cannot be reproduced exactly.
    ///
    /// Without conditions the text of partial indexes is not what it should be: compiling theirs asks which columns are indexed.
    static func indexes(for schema: StoreSchema, withConditions: Bool = true) -> [String] {
        var made = Set<String>()
        var result: [String] = []
        func add(_ name: String, _ sql: @autoclosure () -> String) {
            if made.insert(name).inserted { result.append(sql()) }
        }
        let keys = keyColumns(in: schema)
        for table in schema.tables {
            for column in table.columns.map(\.name) where keys[table.name]?.contains(column) == true {
                add("\(table.name)_\(column)_INDEX", "CREATE INDEX \(table.name)_\(column)_INDEX ON \(table.name) (\(column))")
            }
            if table.hasSubentities {
                add("\(table.name)_Z_ENT_INDEX", "CREATE INDEX \(table.name)_Z_ENT_INDEX ON \(table.name) (Z_ENT)")
            }
            let root = schema.model.entities[table.root]
            for index in root.index...root.lastDescendant where schema.holds(index) {
                let entity = schema.model.entities[index]
                for definition in fetchIndexes(of: entity, on: table, in: schema, withConditions) { add(definition.name, definition.sql) }
            }
        }
        for join in schema.joins {
            let (first, second) = join.keyColumns
            add("\(join.name)_\(second)_INDEX", "CREATE INDEX \(join.name)_\(second)_INDEX ON \(join.name) (\(second), \(first))")
        }
        return result
    }

    /// `table.column` for the first column of each index that has all rows.
    static func firstColumns(ofIndexesOf schema: StoreSchema) -> Set<String> {
        Set(indexes(for: schema, withConditions: false).compactMap { sql in
            // CREATE INDEX name ON table (column …
            let words = sql.split { $0 == " " || $0 == "(" || $0 == ")" || $0 == "," }
            guard let on = words.firstIndex(of: "ON"), words.count > on + 2, !words.contains("WHERE") else { return nil }
            return "\(words[on + 1]).\(words[on + 2])"
        })
    }

    /// To-one and hidden key columns by table.
    private static func keyColumns(in schema: StoreSchema) -> [String: Set<String>] {
        var keys: [String: Set<String>] = [:]
        for (reference, column) in schema.columns where column.kind == .toOne {
            guard let table = schema.table(of: reference.entity) else { continue }
            keys[table.name, default: []].insert(column.name)
        }
        for case .column(let table, let column, _, true) in schema.links.values { keys[table, default: []].insert(column) }
        return keys
    }

    private static func fetchIndexes(
        of entity: ResolvedEntity, on table: TableSchema, in schema: StoreSchema, _ withConditions: Bool
    ) -> [(name: String, sql: String)] {
        var result: [(name: String, sql: String)] = []
        func column(_ property: String) -> String? {
            guard let property = entity.property(named: property), property.storage != .composite else { return nil }
            return schema.column(property)?.name
        }
        func add(_ name: String, _ keys: [(property: String, isAscending: Bool)], unique: Bool = false, condition: String? = nil) {
            var parts: [String] = []
            for key in keys {
                guard let column = column(key.property) else { return }
                parts.append("\(column) COLLATE BINARY \(key.isAscending ? "ASC" : "DESC")")
            }
            guard !parts.isEmpty else { return }
            let sql = "CREATE \(unique ? "UNIQUE " : "")INDEX \(name) ON \(table.name) (\(parts.joined(separator: ", ")))"
            result.append((name, sql + (condition.map { " WHERE \($0)" } ?? "")))
        }
        for index in entity.schema.indexes {
            if index.elements.contains(where: { $0.isRTree || $0.propertyName == nil }) { continue }
            var condition: String?
            if let format = index.partialPredicateFormat {
                guard let sql = withConditions ? PartialIndexCondition.sql(format, entity: entity, schema: schema) : "1" else { continue }
                condition = sql
            }
            let keys = index.elements.compactMap { element in element.propertyName.map { ($0, element.isAscending) } }
            let isAttribute = keys.first.flatMap { entity.property(named: $0.0)?.attribute } != nil
            // What the framework itself makes of an indexed relationship; its key has an index anyway.
            if keys.count == 1, !isAttribute, keys[0].0 == index.name { continue }
            add("Z_\(entity.name)_\(index.name)", keys, condition: condition)
            if keys.count == 1, let key = keys.first, key.1, condition == nil, isAttribute { add("Z_\(entity.name)_\(key.0)", [key]) }
        }
        for property in entity.properties where property.declaringEntity == entity.index && property.attribute?.isIndexed == true {
            add("Z_\(entity.name)_\(property.name)", [(property.name, true)])
        }
        for keys in entity.schema.compoundIndexes {
            add("Z_\(entity.name)_\(keys.joined(separator: "_"))", keys.map { ($0, true) })
        }
        for keys in entity.schema.uniquenessConstraints {
            add("Z_\(entity.name)_UNIQUE_\(keys.joined(separator: "_"))", keys.map { ($0, true) }, unique: true)
        }
        return result
    }
}
