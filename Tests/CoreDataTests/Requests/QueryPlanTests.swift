import CoreData
import Foundation
import Testing

/// Each common shape of a request uses the index there is: SQLite's own plan says so.
@Suite("Query plans")
struct QueryPlanTests {
    /// The statements a body runs on a store of some size, with their plans.
    private func statements(
        _ body: (NSManagedObjectContext) throws -> Void
    ) throws -> [CoreDataDiagnostics.Statement] {
        let store = try RequestStore(departments: 4)
        let context = store.context(), log = EventLog()
        let observation = CoreDataDiagnostics.observe([.statements, .queryPlans], of: store.coordinator) { log.add($0) }
        try body(context)
        observation.cancel()
        return log.statements.filter { $0.sql.hasPrefix("SELECT") }
    }

    /// Lines of the plan that read a table from end to end; reading an index in its order for a limit is none.
    private func scans(_ statement: CoreDataDiagnostics.Statement) -> [String] {
        statement.queryPlan.filter { $0.contains("SCAN ") && !$0.contains("USING") && !$0.contains("nl_list") && !$0.contains("CONSTANT ROW") && !$0.contains("SUBQUERY") }
    }

    private func check(_ entity: String, _ predicate: NSPredicate?, by sort: [String] = [], limit: Int = 0, uses: String, _ location: SourceLocation = #_sourceLocation) throws {
        let ran = try statements { context in
            let request = context.request(entity, predicate, by: sort)
            request.fetchLimit = limit
            _ = try context.fetch(request)
        }
        let statement = try #require(ran.last, sourceLocation: location)
        #expect(ran.count == 1, sourceLocation: location)
        #expect(scans(statement).isEmpty, "\(statement.sql)\n\(statement.queryPlan)", sourceLocation: location)
        #expect(statement.queryPlan.contains { $0.contains(uses) }, "\(statement.sql)\n\(statement.queryPlan)", sourceLocation: location)
        if !sort.isEmpty, limit > 0, predicate == nil {
            #expect(!statement.queryPlan.contains { $0.contains("TEMP B-TREE") }, "\(statement.queryPlan)", sourceLocation: location)
        }
    }

    @Test("Equality, range, IN and prefix are looked up in the attribute's index", arguments: [
        ("name == 'p01'", "(ZNAME=?)"), ("'p01' == name", "(ZNAME=?)"), ("name == nil", "(ZNAME=?)"), ("name == 'p01' AND age > 1", "(ZNAME=?)"),
        ("age > 3", "(ZAGE>?)"), ("age >= 1 AND age < 2", "(ZAGE>? AND ZAGE<?)"), ("age BETWEEN {1, 2}", "(ZAGE>? AND ZAGE<?)"), ("3 < age", "(ZAGE>?)"),
        ("name IN {'p01', 'p02', 'x'}", "(ZNAME=?)"), ("age IN {1, 2}", "(ZAGE=?)"), ("name BEGINSWITH 'p0'", "(ZNAME>? AND ZNAME<?)"),
        ("name == 'p01' OR age == 3", "MULTI-INDEX OR"), ("name == 'p01' OR name == 'p02'", "ZNAME=?"), ("name LIKE 'p0*'", "(ZNAME>? AND ZNAME<?)"),
        ("name > 'p2'", "(ZNAME>?)"), ("code == 3", "(ZCODE=?)"), ("code IN {3, 4}", "(ZCODE=?)"), ("age == '3'", "(ZAGE=?)"), ("name LIKE 'p01'", "(ZNAME>? AND ZNAME<?)"),
    ])
    func attributes(_ format: String, _ uses: String) throws {
        try check("Person", NSPredicate(format: format), uses: uses)
    }

    @Test("The subentity's rows and those of an indexed attribute need no scan either")
    func subentities() throws {
        try check("Manager", NSPredicate(format: "name == 'p04'"), uses: "(ZNAME=?)")
        try check("Manager", NSPredicate(format: "code == 4"), uses: "(ZCODE=?)")
    }

    @Test("Objects and IDs are looked up by key: SELF, SELF IN, a to-one")
    func objects() throws {
        let store = try RequestStore(departments: 4), context = store.context()
        let person = try context.fetch(context.request("Person"))[3], ids = try context.fetch(context.request("Person")).prefix(5).map(\.objectID)
        let dept = try context.fetch(context.request("Dept"))[1]
        try check("Person", NSPredicate(format: "SELF == %@", person), uses: "USING INTEGER PRIMARY KEY")
        try check("Person", NSPredicate(format: "SELF IN %@", ids), uses: "USING INTEGER PRIMARY KEY")
        try check("Person", NSPredicate(format: "objectID == %@", person.objectID), uses: "USING INTEGER PRIMARY KEY")
        try check("Person", NSPredicate(format: "dept == %@", dept), uses: "(ZDEPT=?)")
        try check("Person", NSPredicate(format: "dept IN %@", [dept]), uses: "(ZDEPT=?)")
        try check("Person", NSPredicate(format: "dept.objectID == %@", dept.objectID), uses: "(ZDEPT=?)")
        try check("Dept", NSPredicate(format: "ANY people == %@", person), uses: "USING INTEGER PRIMARY KEY")
    }

    @Test("A path through a to-one joins by key and starts at what is indexed")
    func toOne() throws {
        let ran = try statements { _ = try $0.fetch($0.request("Dept", NSPredicate(format: "boss.name == 'p04'"), by: [])) }
        #expect(scans(try #require(ran.first)).isEmpty, "\(ran[0].sql)\n\(ran[0].queryPlan)")
    }

    @Test("ANY, NONE, SUBQUERY, counts and CONTAINS reach the members by an index", arguments: [
        "ANY people.name == 'p01'", "SUBQUERY(people, $p, $p.age > 3 AND $p.name == 'p04').@count > 0", "NONE people.age > 9", "people.@count > 3",
        "ALL people.age < 9", "people.@sum.age > 3", "ANY people.tags.name == 'odd'", "SUBQUERY(people, $p, ANY $p.tags.name == 'odd').@count == 2",
    ])
    func toMany(format: String) throws {
        let ran = try statements { _ = try $0.fetch($0.request("Dept", NSPredicate(format: format), by: [])) }
        let statement = try #require(ran.first)
        // The owners themselves are the few rows asked about; their members must not be scanned.
        #expect(scans(statement).allSatisfy { $0.contains("SCAN t0") }, "\(statement.sql)\n\(statement.queryPlan)")
        #expect(statement.queryPlan.contains { $0.contains("SEARCH") }, "\(statement.sql)\n\(statement.queryPlan)")
    }

    @Test("ANY of an indexed attribute begins at the index, and reads no owner but those found", arguments: [
        "ANY people.name == 'p01'", "ANY people.code IN {3, 104}", "SUBQUERY(people, $p, $p.name == 'p04' AND $p.age > 3).@count > 0",
    ])
    func anyFromIndex(format: String) throws {
        try check("Dept", NSPredicate(format: format), uses: "SEARCH t0 USING INTEGER PRIMARY KEY")
    }

    @Test("Sorting with a limit walks the index in either direction and sorts nothing", arguments: ["name", "-name", "age", "-age"])
    func sorting(key: String) throws {
        try check("Person", nil, by: [key], limit: 5, uses: "USING INDEX")
    }

    @Test("A filter on the sorted attribute and a limit use one index for both")
    func filteredAndSorted() throws {
        let ran = try statements { context in
            let request = context.request("Person", NSPredicate(format: "age >= 2"), by: ["age"])
            request.fetchLimit = 3
            _ = try context.fetch(request)
        }
        let plan = try #require(ran.first).queryPlan
        #expect(plan.contains { $0.contains("(ZAGE>?)") } && !plan.contains { $0.contains("TEMP B-TREE") }, "\(plan)")
    }

    @Test("Counts use the index, and counting by predicate is one statement prepared once")
    func counting() throws {
        let ran = try statements { context in
            for age in 0..<5 { try #expect(context.count(for: context.request("Person", NSPredicate(format: "age == %d", age))) == 4) }
        }
        #expect(ran.count == 5 && Set(ran.map(\.sql)).count == 1)
        #expect(ran.allSatisfy { $0.rowsRead == 1 && $0.queryPlan.contains { $0.contains("(ZAGE=?)") } }, "\(ran[0].queryPlan)")
    }

    @Test("Long lists are looked up in the index too", arguments: [1_000])
    func longLists(count: Int) throws {
        try check("Person", NSPredicate(format: "name IN %@", (0..<count).map { "p\($0)" }), uses: "(ZNAME=?)")
        try check("Person", NSPredicate(format: "code IN %@", Array(0..<count)), uses: "(ZCODE=?)")
    }

    @Test("A table read from end to end is told")
    func scanning() throws {
        let context = try RequestStore().context()
        let counts = try CoreDataDiagnostics.counting { _ = try context.names("Person", NSPredicate(format: "wage > 1"), by: []) }
        #expect(counts.fullScans == 1)
    }
}
