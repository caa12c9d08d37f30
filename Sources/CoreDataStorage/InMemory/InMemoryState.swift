import CoreDataSchema

/// Everything an in-memory store holds, as a value: a copy is a snapshot.
///
/// Invariants: `holders` and `referrers` say exactly what the rows say; `members` may name rows that are gone (readers
/// skip them; keys are never used twice).
struct InMemoryState: Sendable {
    /// Tables by root entity.
    var tables: [RowTable]
    /// Rows that refer to a row by a to-one whose inverse is a to-many.
    var referrers: [PropertyReference: [RowKey: Set<RowKey>]] = [:]
    /// Members of to-manys that no to-one column shows, and the order of ordered ones.
    var members: [PropertyReference: [RowKey: MemberList]] = [:]
    /// Who has the values of a uniqueness constraint.
    var holders: [[PropertyReference]: [[AttributeValue]: RowKey]] = [:]

    /// Whether no two rows of the store, of whatever entity, have one key.
    let sharesKeys: Bool

    init(_ schema: InMemorySchema, sharesKeys: Bool = false) {
        tables = schema.model.entities.map { _ in RowTable() }
        self.sharesKeys = sharesKeys
    }

    /// The next key of a root entity's rows.
    func nextKey(root: Int) -> Int64 { sharesKeys ? tables[0].nextKey : tables[root].nextKey }

    /// The first of `count` fresh keys for rows of a root entity.
    mutating func reserve(_ count: Int, root: Int) -> Int64 { tables[sharesKeys ? 0 : root].reserve(count) }

    mutating func claim(_ key: Int64, root: Int) { tables[sharesKeys ? 0 : root].claim(key) }

    func row(_ key: RowKey, _ schema: InMemorySchema) -> RowBlock? {
        guard schema.roots.indices.contains(Int(key.entity)) else { return nil }
        return tables[schema.root(of: key)][key.primaryKey]
    }

    /// Members of a relationship, in order when it is ordered and by primary key otherwise; rows that are gone are left out.
    func related(to owner: RowKey, through reference: PropertyReference, _ schema: InMemorySchema) -> [RowKey] {
        guard let relationship = schema.property(reference).relationship else { return [] }
        guard relationship.isToMany else {
            let target = row(owner, schema)?.reference(reference.slot)
            return target.flatMap { row($0, schema)?.key }.map { [$0] } ?? []
        }
        var keys: [RowKey]
        if let inverse = relationship.inverse, schema.property(inverse).storage == .toOne {
            let referrers = referrers[inverse]?[owner] ?? []
            if relationship.isOrdered, let list = members[reference]?[owner] {
                let known = list.keys.filter(referrers.contains)
                keys = known + referrers.subtracting(known).sorted { $0.primaryKey < $1.primaryKey }
            } else {
                keys = referrers.sorted { $0.primaryKey < $1.primaryKey }
            }
        } else {
            keys = (members[reference]?[owner]?.keys ?? []).filter { row($0, schema) != nil }
            if !relationship.isOrdered { keys.sort { $0.primaryKey < $1.primaryKey } }
        }
        return keys
    }
}
