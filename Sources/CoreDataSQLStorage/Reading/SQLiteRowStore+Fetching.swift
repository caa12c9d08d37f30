import CoreDataSchema
import CoreDataStorage
import SQLiteDriver

extension SQLiteRowStore {
    package func fetch(_ plan: FetchPlan) throws -> FetchOutcome {
        try serialised { connection in
            guard model.entities.indices.contains(plan.entity) else {
                throw StoreError.invalidRequest("The model has no entity number \(plan.entity).")
            }
            guard plan.predicate == nil, plan.sort.isEmpty, let table = schema.table(of: plan.entity) else {
                throw StoreError.unsupported("predicates and sorting come next")
            }
            let decoder = decoder(plan.entity, includesSubentities: plan.includesSubentities)
            var rows: [RowBlock] = []
            let now = RowClock.now
            try connection.withStatement("SELECT \(decoder.columns.joined(separator: ", ")) FROM \(table.name)") { statement in
                while try statement.step() {
                    if let row = try decoder.row(statement, readAt: now) { rows.append(row) }
                }
            }
            rowCache.adopt(rows)
            return .rows(rows)
        }
    }
}
