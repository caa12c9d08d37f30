import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

extension SQLiteRowStore {
    /// Rows for which the part of the predicate that SQL cannot say is true, by SQL's rules for nil.
    func filter(_ rows: [RowBlock], _ predicate: PredicateTree) throws -> [RowBlock] {
        let surroundings = RowSurroundings(of: self)
        try surroundings.load(predicate, of: rows)
        return try SQLiteRowStore.refusing { try RowFetch.matching(predicate, rows, surroundings.resolver) }
    }

    /// Follows relationships. The calls come back to the store under the lock this thread holds: one state of the file for
    /// all rows, as long as nobody else commits in between.
    var resolver: RowResolver {
        RowResolver(
            model: model,
            row: { [self] in try self.rows(for: [$0], staleAfter: -1).first },
            members: { [self] in try relatedKeys(of: [$0], through: $1).first ?? [] })
    }

    /// What an expression cannot be evaluated on is the request's fault.
    static func refusing<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as PredicateEvaluationError { throw StoreError.invalidRequest("\(error)") }
    }
}

/// What a predicate on rows can reach from them, read for all rows at once along its key paths, and by the row where it goes
/// another way.
///
/// Invariant: lives within one call of the store, whose lock its thread holds: one state of the file for all rows, as long as
/// nobody else commits in between.
final class RowSurroundings {
    private struct Membership: Hashable {
        let owner: RowKey
        let relationship: Int
    }

    private let store: SQLiteRowStore
    private var rows: [RowKey: RowBlock] = [:]
    private var memberships: [Membership: [RowKey]] = [:]

    init(of store: SQLiteRowStore) { self.store = store }

    var resolver: RowResolver { RowResolver(model: store.model, row: row, members: members) }

    func row(_ key: RowKey) throws -> RowBlock? {
        if let known = rows[key] { return known }
        let found = try store.rows(for: [key], staleAfter: -1).first
        rows[key] = found
        return found
    }

    func members(_ owner: RowKey, _ relationship: PropertyReference) throws -> [RowKey] {
        let place = Membership(owner: owner, relationship: relationship.slot)
        if let known = memberships[place] { return known }
        let found = try store.relatedKeys(of: [owner], through: relationship).first ?? []
        memberships[place] = found
        return found
    }

    /// Follows every key path of the predicate that begins at the row.
    func load(_ predicate: PredicateTree, of rows: [RowBlock]) throws {
        var paths = Set<[String]>()
        _ = predicate.replacing { RowSurroundings.gather($0, into: &paths) }
        try load(paths, of: rows)
    }

    func load(_ expressions: [ExpressionTree], of rows: [RowBlock]) throws {
        var paths = Set<[String]>()
        for expression in expressions { _ = expression.replacing { RowSurroundings.gather($0, into: &paths) } }
        try load(paths, of: rows)
    }

    private static func gather(_ part: ExpressionTree, into paths: inout Set<[String]>) -> ExpressionTree? {
        if case .keyPath(.evaluatedObject, let keys) = part { paths.insert(keys) }
        return nil
    }

    private func load(_ paths: Set<[String]>, of rows: [RowBlock]) throws {
        for path in paths {
            var level = rows
            for name in path {
                level = try follow(name, from: level)
                if level.isEmpty { break }
            }
        }
    }

    /// The rows behind one relationship; none when the name is no relationship.
    private func follow(_ name: String, from level: [RowBlock]) throws -> [RowBlock] {
        var targets = Set<RowKey>()
        for (entity, rows) in Dictionary(grouping: level, by: { $0.layout.entity }) {
            guard let property = store.model.entities[entity].property(named: name), property.relationship != nil else { continue }
            guard property.storage == .toMany else {
                targets.formUnion(rows.compactMap { $0.reference(property.slot) })
                continue
            }
            let reference = PropertyReference(entity: property.declaringEntity, slot: property.slot)
            let owners = rows.map(\.key)
            for (owner, members) in zip(owners, try store.relatedKeys(of: owners, through: reference)) {
                memberships[Membership(owner: owner, relationship: property.slot)] = members
                targets.formUnion(members)
            }
        }
        var found = targets.compactMap { rows[$0] }
        let missing = targets.filter { rows[$0] == nil }
        if !missing.isEmpty {
            let read = try store.rows(for: Array(missing), staleAfter: -1)
            for row in read { rows[row.key] = row }
            found += read
        }
        return found
    }
}
