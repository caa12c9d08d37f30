import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage
import Foundation
import Testing

@testable import CoreDataSQLStorage

extension StoreFixture {
    func plan(
        _ entity: String, _ format: String? = nil, _ arguments: [PredicateValue] = [], sort: [String] = []
    ) throws -> FetchPlan {
        var plan = FetchPlan(entity: try self.entity(entity).index)
        plan.predicate = try format.map { try PredicateFormat.parse($0, arguments: arguments.map(PredicateArgument.value)) }
        plan.sort = sort.map { key in
            SortTerm(keyPath: key.drop { $0 == "-" }.split(separator: ".").map(String.init), isAscending: !key.hasPrefix("-"))
        }
        return plan
    }

    func select(_ plan: FetchPlan) throws -> SelectStatement {
        try SelectBuilder(plan, schema: store.schema, storeNumber: store.number).rows(columns: ["Z_PK"])
    }

    /// What follows SELECT t0.Z_PK.
    func sql(_ entity: String, _ format: String? = nil, _ arguments: [PredicateValue] = [], sort: [String] = []) throws -> String {
        String(try select(plan(entity, format, arguments, sort: sort)).sql.text.dropFirst("SELECT t0.Z_PK FROM ".count))
    }

    /// `name` of the rows found, in the order of the keys unless sorted.
    func names(_ entity: String, _ format: String? = nil, _ arguments: [PredicateValue] = [], sort: [String] = []) throws -> [String] {
        try names(plan(entity, format, arguments, sort: sort))
    }

    func names(_ plan: FetchPlan) throws -> [String] {
        guard case .rows(let rows) = try store.fetch(plan) else { throw Unexpected("no rows") }
        return try rows.map { row in
            guard case .string(let name) = try value(row, "name") else { return "nil" }
            return name
        }
    }

    func queryPlan(_ entity: String, _ format: String, _ arguments: [PredicateValue] = [], sort: [String] = []) throws -> String {
        let select = try select(plan(entity, format, arguments, sort: sort))
        return try shell("EXPLAIN QUERY PLAN " + select.sql.text).map { $0.split(separator: "|").last.map(String.init) ?? "" }
            .joined(separator: "; ")
    }
}

/// Compares the FROM and everything after it.
func assertSQL(
    _ entity: String, _ format: String, _ arguments: [PredicateValue] = [], _ expected: String,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let fixture = try StoreFixture()
    #expect(try fixture.sql(entity, format, arguments) == expected, sourceLocation: sourceLocation)
}

func reference(_ key: RowKey) -> PredicateValue { .reference(PredicateReference(RowReferent(key))) }
