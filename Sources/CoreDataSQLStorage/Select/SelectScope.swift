import CoreDataSchema

/// One FROM clause being built: the rows of an entity under an alias, and the to-one joins its key paths need.
///
/// Invariant: a to-one path is joined once. The entity's own table is left out when only its key is used and a join table
/// has it.
final class SelectScope {
    let entity: ResolvedEntity
    let alias: String
    /// `jN.column` of the join table the element comes from; nil when the table itself is first.
    private let joinKey: String?
    private var first: String
    private let table: String
    private(set) var needsTable: Bool
    private var joins: [String] = []
    private var joined: [String: (alias: String, entity: ResolvedEntity)] = [:]
    /// The scope whose FROM holds this one's tables too; nil when it has a FROM of its own.
    private let host: SelectScope?

    /// SQLite joins 64 tables in one FROM.
    static let mostJoins = 62

    init(entity: ResolvedEntity, alias: String, table: String, joinTable: String? = nil, joinKey: String? = nil) {
        self.entity = entity
        self.alias = alias
        self.table = table
        self.joinKey = joinKey
        first = joinTable ?? "\(table) \(alias)"
        needsTable = joinTable == nil
        host = nil
    }

    /// Rows already joined into another scope's FROM.
    init(entity: ResolvedEntity, alias: String, host: SelectScope) {
        self.entity = entity
        self.alias = alias
        self.host = host
        table = ""
        joinKey = nil
        first = ""
        needsTable = true
    }

    /// Moves this scope's tables into another's FROM as inner joins.
    func hosted(by host: SelectScope, link: String) throws(TooManyJoins) -> SelectScope {
        try host.append("JOIN \(first) ON \(link)")
        if let joinKey { try host.append("JOIN \(table) \(alias) ON \(alias).Z_PK = \(joinKey)") }
        return SelectScope(entity: entity, alias: alias, host: host)
    }

    /// The names its rows, and those joined to them, go by.
    var aliases: [String] { [alias] + joined.values.map { $0.alias } + (joinKey.flatMap { $0.split(separator: ".").first }.map { [String($0)] } ?? []) }

    var primaryKey: String { needsTable ? "\(alias).Z_PK" : joinKey ?? "\(alias).Z_PK" }

    func column(_ name: String) -> String {
        needsTable = true
        return "\(alias).\(name)"
    }

    /// The alias under which the row at the end of a to-one is joined, made by `make` the first time.
    func join(
        _ path: String, make: () -> (alias: String, entity: ResolvedEntity, sql: String)
    ) throws(TooManyJoins) -> (alias: String, entity: ResolvedEntity) {
        needsTable = true
        if let known = joined[path] { return known }
        let (alias, entity, sql) = make()
        try (host ?? self).append(sql)
        joined[path] = (alias, entity)
        return (alias, entity)
    }

    /// Adds a join: a to-one's, or an inner one for a path that goes through a second to-many.
    func append(_ sql: String) throws(TooManyJoins) {
        needsTable = true
        if let host { return try host.append(sql) }
        guard joins.count < Self.mostJoins else { throw TooManyJoins() }
        joins.append(sql)
    }

    var from: String {
        var parts = [first]
        if needsTable, let joinKey { parts.append("JOIN \(table) \(alias) ON \(alias).Z_PK = \(joinKey)") }
        return (parts + joins).joined(separator: " ")
    }
}
