import CoreDataSchema
import SQLiteDriver

/// Makes a model of a store's tables, for stores that keep no model.
///
/// What tables do not tell is left open: everything is optional, properties of subentities belong to the root entity, names are in
/// lower case where no index spells them out, whole numbers are 64 bits wide and blobs are binary. A to-one whose destination
/// neither the file says nor its name gives away is a whole number, the key; the many side of a one-to-many relationship, which
/// leaves no trace, is missing.
struct SchemaRecovery {
    private let connection: SQLiteConnection
    private let byNumber: [Int64: StoredEntity]
    private var entities: [Int64: EntitySchema] = [:]
    /// Columns by table of a root entity.
    private var columns: [Int64: [StoredColumn]] = [:]

    static func model(_ connection: SQLiteConnection, identifiers: [String]) throws -> ModelSchema {
        var recovery = SchemaRecovery(connection, try StoredEntity.all(connection))
        try recovery.run()
        var model = ModelSchema()
        model.entities = recovery.byNumber.keys.sorted().compactMap { recovery.entities[$0] }
        model.versionIdentifiers = identifiers
        return model
    }

    private init(_ connection: SQLiteConnection, _ stored: [StoredEntity]) {
        self.connection = connection
        var byNumber: [Int64: StoredEntity] = [:]
        var names = Set<String>()
        for entity in stored where names.insert(entity.name).inserted { byNumber[entity.number] = entity }
        self.byNumber = byNumber
    }

    // MARK: entities

    private mutating func run() throws {
        let names = try Set(StoredColumn.tables(connection))
        for (number, entity) in byNumber {
            guard let root = root(of: entity), names.contains(table(root)) else { continue }
            entities[number] = EntitySchema(name: entity.name)
            entities[number]?.superentityName = byNumber[entity.parent].map(\.name)
        }
        for number in entities.keys.sorted() where byNumber[number]?.parent == 0 {
            columns[number] = try StoredColumn.all(of: table(number), connection)
        }
        for root in columns.keys.sorted() { try addProperties(root) }
        for name in names.sorted() where name.hasPrefix("Z_") { try addJoin(name) }
    }

    private func table(_ root: Int64) -> String { "Z" + (byNumber[root]?.name.uppercased() ?? "") }

    /// nil when the entity's ancestors lead nowhere, or round in a circle.
    private func root(of entity: StoredEntity) -> Int64? {
        var current = entity
        for _ in 0...byNumber.count {
            if current.parent == 0 { return current.number }
            guard let parent = byNumber[current.parent] else { return nil }
            current = parent
        }
        return nil
    }

    private func hasSubentities(_ number: Int64) -> Bool { byNumber.values.contains { $0.parent == number } }

    // MARK: properties

    private mutating func addProperties(_ root: Int64) throws {
        guard let columns = columns[root] else { return }
        let names = Set(columns.map(\.name))
        for column in columns where !["Z_PK", "Z_ENT", "Z_OPT"].contains(column.name) {
            guard column.name.hasPrefix("Z"), !column.name.hasPrefix("Z_FOK_") else { continue }
            let rest = column.name.dropFirst()
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            if let number = Int64(digits) {
                // Z<n>_NAME says which entity ZNAME leads to; Z<n>NAME is the key of a to-many without inverse.
                let after = rest.dropFirst(digits.count)
                if after.hasPrefix("_"), names.contains("Z" + after.dropFirst()) { continue }
                addToMany(String(after), of: number, to: root, isOrdered: names.contains("Z_FOK_" + rest))
                continue
            }
            if let destination = try destination(of: column, in: root, names) {
                var relationship = RelationshipSchema(name: column.propertyName, destinationName: destination)
                relationship.isOptional = true
                add(relationship, to: root)
            } else {
                try add(column.attribute(connection, table: table(root)), to: root)
            }
        }
        let attributes = Set(entities[root]?.attributes.map(\.name) ?? [])
        let constraints = try StoredColumn.uniqueKeys(of: table(root), columns, connection).filter { attributes.isSuperset(of: $0) }
        entities[root]?.uniquenessConstraints = constraints
    }

    private mutating func addToMany(_ column: String, of owner: Int64, to root: Int64, isOrdered: Bool) {
        guard entities[owner] != nil, !column.isEmpty, let destination = byNumber[root]?.name else { return }
        var relationship = RelationshipSchema(name: StoredColumn.propertyName(column), destinationName: destination)
        relationship.isOptional = true
        relationship.maxCount = 0
        relationship.isOrdered = isOrdered
        add(relationship, to: owner)
    }

    private mutating func add(_ relationship: RelationshipSchema, to number: Int64) {
        guard isFree(relationship.name, number) else { return }
        entities[number]?.relationships.append(relationship)
    }

    private mutating func add(_ attribute: AttributeSchema, to number: Int64) {
        if isFree(attribute.name, number) { entities[number]?.attributes.append(attribute) }
    }

    /// Whether neither the entity nor its ancestors or descendants have a property of the name.
    private func isFree(_ name: String, _ number: Int64) -> Bool {
        guard let entity = byNumber[number], let root = root(of: entity) else { return false }
        let family = byNumber.values.filter { self.root(of: $0) == root }
        return !family.contains { member in
            entities[member.number]?.attributes.contains { $0.name == name } == true
                || entities[member.number]?.relationships.contains { $0.name == name } == true
        }
    }

    /// The entity a column's keys lead to; nil when it holds no keys, or nothing says whose.
    private func destination(of column: StoredColumn, in root: Int64, _ names: Set<String>) throws -> String? {
        guard column.type == "INTEGER" else { return nil }
        let name = column.name.dropFirst()
        for (number, entity) in byNumber where entities[number] != nil && names.contains("Z\(number)_" + name) { return entity.name }
        guard column.isIndexed || names.contains("Z_FOK_" + name) else { return nil }
        // Keys of an entity with subentities have a column beside them that says which.
        let candidates = byNumber.values.filter { entities[$0.number] != nil && !hasSubentities($0.number) }
        let text = name.lowercased()
        let best = candidates.filter { text.hasSuffix($0.name.lowercased()) }.max { $0.name.count < $1.name.count }
        guard let best, let target = self.root(of: best) else { return nil }
        let strays = try connection.integer(
            "SELECT COUNT(*) FROM \(quoted(table(root))) WHERE \(quoted(column.name)) NOT IN (SELECT Z_PK FROM \(quoted(table(target))))")
        return strays == 0 ? best.name : nil
    }

    // MARK: join tables

    /// `Z_<a><REL>` with the columns `Z_<a><INV>` and `Z_<b><REL>`, or `REFLEXIVE`.
    private mutating func addJoin(_ name: String) throws {
        guard let title = NumberedName(name), entities[title.number] != nil else { return }
        let columns = try StoredColumn.all(of: name, connection).map(\.name)
        let keys = columns.filter { !$0.hasPrefix("Z_FOK_") }
        guard keys.count == 2 else { return }
        if keys.contains("REFLEXIVE") {
            addMany(title.propertyName, of: title.number, to: title.number, inverse: title.propertyName, columns, member: keys[0])
            return
        }
        let named = keys.compactMap { NumberedName($0) }
        guard named.count == 2, let own = named.firstIndex(where: { $0.number == title.number && $0.name != title.name })
            ?? named.firstIndex(where: { $0.number == title.number }) else { return }
        let (owner, member) = (named[own], named[1 - own])
        guard entities[member.number] != nil else { return }
        addMany(
            title.propertyName, of: owner.number, to: member.number, inverse: owner.propertyName, columns, member: keys[1 - own])
        addMany(
            owner.propertyName, of: member.number, to: owner.number, inverse: title.propertyName, columns, member: keys[own])
    }

    private mutating func addMany(
        _ name: String, of owner: Int64, to destination: Int64, inverse: String, _ columns: [String], member: String
    ) {
        guard let destinationName = byNumber[destination]?.name else { return }
        var relationship = RelationshipSchema(name: name, destinationName: destinationName)
        relationship.isOptional = true
        relationship.maxCount = 0
        relationship.inverseName = inverse
        relationship.inverseEntityName = destinationName
        relationship.isOrdered = columns.contains("Z_FOK_" + member.dropFirst(2))
        add(relationship, to: owner)
    }
}

/// A name as a statement may contain it, whatever characters a file's tables are called by.
func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
