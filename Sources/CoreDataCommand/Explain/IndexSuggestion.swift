import CoreDataPredicate
import CoreDataSQLStorage
import CoreDataSchema
import CoreDataStorage

/// An index that a fetch would use, found by asking SQLite about those the predicate makes likely.
struct IndexSuggestion {
    let entity: String
    let attributes: [String]
    let sql: String

    static func find(_ plan: FetchPlan, _ explanation: FetchExplanation, _ session: StoreSession) throws -> IndexSuggestion? {
        let scans = explanation.steps.count(where: reads)
        guard let predicate = plan.predicate, scans > 0 else { return nil }
        let model = session.model
        var uses: [Use] = []
        collect(predicate, model.entities[plan.entity], model, &uses)
        for owner in uses.map(\.owner).reduce(into: [Int](), { if !$0.contains($1) { $0.append($1) } }) {
            let own = uses.filter { $0.owner == owner }
            let equal = own.filter(\.isEqual).map(\.property), ranged = own.first { !$0.isEqual }.map { [$0.property] } ?? []
            let sorted = ranged.isEmpty && owner == plan.entity ? sortColumn(plan, model).map { [$0] } ?? [] : []
            // The longest first: equalities, then a range or the order.
            for candidate in [equal + ranged + sorted, equal + ranged] + own.map({ [$0.property] }) where !candidate.isEmpty {
                var names: [String] = []
                for property in candidate where !names.contains(property.name) { names.append(property.name) }
                let columns = candidate.compactMap { session.store.schema.column($0)?.name }.reduce(into: [String]()) {
                    if !$0.contains($1) { $0.append($1) }
                }
                guard let table = session.store.schema.table(of: owner)?.name, !columns.isEmpty else { continue }
                let steps = try session.store.explain(plan, withIndexOver: columns, of: table)
                guard steps.count(where: reads) < scans, steps.contains(where: { $0.detail.contains("Z_TRIED") }) else { continue }
                let entity = model.entities[owner].name
                let list = columns.map { "\($0) COLLATE BINARY ASC" }.joined(separator: ", ")
                let title = "by" + names.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
                return IndexSuggestion(entity: entity, attributes: names, sql: "CREATE INDEX Z_\(entity)_\(title) ON \(table) (\(list))")
            }
        }
        return nil
    }

    /// Whether a step reads all rows of a table or of an entity.
    private static func reads(_ step: FetchExplanation.Step) -> Bool { step.isScan || step.isEntitySearch }

    /// An attribute that a comparison asks for.
    private struct Use {
        let owner: Int
        let property: ResolvedProperty
        let isEqual: Bool
    }

    private static func collect(_ tree: PredicateTree, _ entity: ResolvedEntity, _ model: ResolvedModel, _ uses: inout [Use]) {
        switch tree {
        case .and(let parts), .or(let parts): for part in parts { collect(part, entity, model, &uses) }
        case .comparison(let comparison):
            guard comparison.modifier != .all else { return }
            let isEqual = comparison.operation == .equal || comparison.operation == .isIn
            for side in [comparison.left, comparison.right] {
                guard case .keyPath(.evaluatedObject, let keys) = side else { continue }
                var current = entity
                for (index, key) in keys.enumerated() {
                    guard let property = current.property(named: key) else { break }
                    if index == keys.count - 1, property.isStored {
                        uses.append(Use(owner: current.index, property: property, isEqual: isEqual))
                    }
                    guard let relationship = property.relationship else { break }
                    current = model.entities[relationship.destination]
                }
            }
        case .not, .constant, .block: break
        }
    }

    private static func sortColumn(_ plan: FetchPlan, _ model: ResolvedModel) -> ResolvedProperty? {
        guard let first = plan.sort.first, first.keyPath.count == 1 else { return nil }
        return model.entities[plan.entity].property(named: first.keyPath[0])
    }
}
