import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

extension StoreConformance {
    static let resultCases: [ConformanceCase] = [
        ConformanceCase("FE06, FE16: dictionaries: attributes, nil, key paths and to-ones", plain),
        ConformanceCase("FE09: distinct dictionaries", distinct),
        ConformanceCase("FE11, FE12: aggregates over all rows", aggregates),
        ConformanceCase("Aggregates over no rows: one row; sum and count 0, the rest nil", aggregatesOfNothing),
        ConformanceCase("FE13: groups with counts, in the order asked for", groups),
        ConformanceCase("Groups: nil is a group of its own", groupsOfNil),
        ConformanceCase("Groups along a to-one", groupsAcrossToOne),
        ConformanceCase("HAVING by aggregate, by column name and by variable", having),
        ConformanceCase("A column comes out in the type asked for", columnTypes),
        ConformanceCase("Offset and limit cut dictionaries after grouping and distinct", dictionaryWindow),
        ConformanceCase("Prefetching changes nothing in the result", prefetch),
    ]

    private static func column(_ name: String, _ format: String, _ type: AttributeType? = nil) throws -> DictionaryColumn {
        DictionaryColumn(name: name, expression: try PredicateFormat.parseExpression(format), type: type)
    }

    private static func plan(
        _ run: ConformanceRun, _ entity: String, _ format: String? = nil, columns: [DictionaryColumn], groupBy: [String] = [],
        sort: [(String, Bool)] = [], having: String? = nil
    ) throws -> FetchPlan {
        var plan = try run.plan(entity, format)
        var dictionary = DictionaryPlan(columns: columns)
        dictionary.groupBy = groupBy
        dictionary.having = try having.map { try PredicateFormat.parse($0) }
        plan.result = .dictionaries(dictionary)
        plan.sort = sort.map { SortTerm(keyPath: $0.0.split(separator: ".").map(String.init), isAscending: $0.1) }
        try FetchPlanCheck.check(&plan, run.model)
        return plan
    }

    private static func plain(_ run: ConformanceRun) throws {
        let staff = try ConformanceStaff(run)
        let columns = try [
            column("name", "name"), column("age", "age"), column("flag", "flag"), column("joined", "joined"), column("rate", "rate"),
            column("dept.name", "dept.name"), column("dept", "dept"), column("next", "age + 1"),
        ]
        let rows = try run.dictionaries(plan(run, "Person", "code IN {1, 6}", columns: columns, sort: [("code", true)]))
        run.expect(rows.count, 2, "rows")
        guard rows.count == 2 else { return }
        run.expect(rows[0][0], .string("Alice"), "text")
        run.expect(rows[0][1], .integer(20), "integer")
        run.expect(rows[0][2], .boolean(true), "flag")
        run.expect(rows[0][3], .date(.init(timeIntervalSinceReferenceDate: 100)), "date")
        run.expect(rows[0][4], .decimal(.init(string: "1.1") ?? 0), "decimal")
        run.expect(rows[0][5], .string("Sales"), "key path")
        if case .reference(let reference) = rows[0][6] { run.expect(reference.key, staff.depts[0], "to-one") } else { run.fail("to-one: \(rows[0][6])") }
        run.expect(rows[0][7], .integer(21), "arithmetic")
        run.expect(rows[1], [.null, .integer(1), .null, .null, .null, .null, .null, .integer(2)], "nils")
    }

    private static func distinct(_ run: ConformanceRun) throws {
        _ = try ConformanceStaff(run)
        var distinct = try plan(run, "Person", columns: [column("age", "age")], sort: [("age", true)])
        run.expect(try run.dictionaries(distinct).map { $0[0] }, [.null, .integer(1), .integer(20), .integer(30), .integer(40), .integer(40)], "all")
        guard case .dictionaries(var dictionary) = distinct.result else { return }
        dictionary.isDistinct = true
        distinct.result = .dictionaries(dictionary)
        run.expect(try run.dictionaries(distinct).map { $0[0] }, [.null, .integer(1), .integer(20), .integer(30), .integer(40)], "distinct")
    }

    private static func aggregateColumns() throws -> [DictionaryColumn] {
        try [
            column("sum", "sum:(weight)"), column("count", "count:(weight)"), column("min", "min:(weight)"), column("max", "max:(weight)"),
            column("average", "average:(weight)"), column("total", "@sum.weight"), column("rows", "count:(SELF)"),
        ]
    }

    private static func aggregates(_ run: ConformanceRun) throws {
        _ = try run.insert([1, 2, 3, 4, 7].map { try run.row("Tag", ["weight": .integer($0)]) } + [run.row("Tag", [:])])
        let rows = try run.dictionaries(plan(run, "Tag", columns: aggregateColumns()))
        run.expect(rows, [[.integer(17), .integer(5), .integer(1), .integer(7), .real(3.4), .integer(17), .integer(6)]], "aggregates")
        let some = try run.dictionaries(plan(run, "Tag", "weight > 2", columns: [column("sum", "sum:(weight)"), column("twice", "multiply:by:(max:(weight), 2)")]))
        run.expect(some, [[.integer(14), .integer(14)]], "over the rows of the predicate, and inside an expression")
        _ = try run.insert("Person", ["salary": .real(1.5), "rate": .decimal(2)])
        _ = try run.insert("Person", ["salary": .real(2), "name": .string("z")])
        let texts = try run.dictionaries(plan(run, "Person", columns: [column("s", "sum:(salary)"), column("m", "max:(name)"), column("c", "count:(name)")]))
        run.expect(texts, [[.real(3.5), .string("z"), .integer(1)]], "reals and texts")
    }

    private static func aggregatesOfNothing(_ run: ConformanceRun) throws {
        let rows = try run.dictionaries(plan(run, "Tag", columns: aggregateColumns()))
        run.expect(rows, [[.integer(0), .integer(0), .null, .null, .null, .integer(0), .integer(0)]], "aggregates")
        let groups = try run.dictionaries(plan(run, "Tag", columns: [column("name", "name"), column("n", "count:(weight)")], groupBy: ["name"]))
        run.expect(groups, [], "no groups")
    }

    private static func groups(_ run: ConformanceRun) throws {
        for (name, weight) in [("a", 10), ("b", 10), ("c", 20)] as [(String, Int64)] {
            _ = try run.insert("Tag", ["name": .string(name), "weight": .integer(weight)])
        }
        let columns = try [column("weight", "weight"), column("n", "count:(name)")]
        run.expect(
            try run.dictionaries(plan(run, "Tag", columns: columns, groupBy: ["weight"], sort: [("weight", false)])),
            [[.integer(20), .integer(1)], [.integer(10), .integer(2)]], "by the grouped key, descending")
        run.expect(
            try run.dictionaries(plan(run, "Tag", columns: columns, groupBy: ["weight"], sort: [("n", true)])),
            [[.integer(20), .integer(1)], [.integer(10), .integer(2)]], "by a column")
    }

    private static func groupsOfNil(_ run: ConformanceRun) throws {
        _ = try ConformanceStaff(run)
        let rows = try run.dictionaries(plan(
            run, "Person", columns: [column("flag", "flag"), column("n", "count:(code)"), column("oldest", "max:(age)")], groupBy: ["flag"], sort: [("flag", true)]))
        run.expect(rows, [[.null, .integer(2), .integer(1)], [.boolean(false), .integer(2), .integer(40)], [.boolean(true), .integer(2), .integer(30)]], "groups")
    }

    private static func groupsAcrossToOne(_ run: ConformanceRun) throws {
        _ = try ConformanceStaff(run)
        let rows = try run.dictionaries(plan(
            run, "Person", columns: [column("dept.name", "dept.name"), column("n", "count:(code)")], groupBy: ["dept.name"], sort: [("dept.name", true)]))
        run.expect(rows, [[.null, .integer(2)], [.string("Lab"), .integer(2)], [.string("Sales"), .integer(2)]], "groups")
    }

    private static func having(_ run: ConformanceRun) throws {
        _ = try ConformanceStaff(run)
        let columns = try [column("age", "age"), column("headcount", "count:(code)")]
        for format in ["headcount > 1", "$headcount > 1", "count:(code) > 1"] {
            let rows = try run.dictionaries(plan(run, "Person", columns: columns, groupBy: ["age"], having: format))
            run.expect(rows, [[.integer(40), .integer(2)]], format)
        }
    }

    private static func columnTypes(_ run: ConformanceRun) throws {
        _ = try run.insert([1, 2].map { try run.row("Tag", ["weight": .integer($0)]) })
        let rows = try run.dictionaries(plan(run, "Tag", columns: [
            column("whole", "average:(weight)", .integer64), column("real", "sum:(weight)", .double), column("decimal", "sum:(weight)", .decimal),
        ]))
        run.expect(rows, [[.integer(1), .real(3), .decimal(3)]], "converted")
    }

    private static func dictionaryWindow(_ run: ConformanceRun) throws {
        _ = try ConformanceStaff(run)
        var grouped = try plan(run, "Person", columns: [column("age", "age"), column("n", "count:(code)")], groupBy: ["age"], sort: [("age", true)])
        grouped.offset = 3
        grouped.limit = 5
        run.expect(try run.dictionaries(grouped), [[.integer(30), .integer(1)], [.integer(40), .integer(2)]], "groups")
        var distinct = try plan(run, "Person", columns: [column("flag", "flag")], sort: [("flag", true)])
        guard case .dictionaries(var dictionary) = distinct.result else { return }
        dictionary.isDistinct = true
        distinct.result = .dictionaries(dictionary)
        distinct.offset = 1
        distinct.limit = 1
        run.expect(try run.dictionaries(distinct), [[.boolean(false)]], "distinct")
    }

    private static func prefetch(_ run: ConformanceRun) throws {
        let staff = try ConformanceStaff(run)
        var plan = try run.plan("Person", "code < 3")
        plan.prefetch = [["dept", "boss"], ["tags"]]
        try FetchPlanCheck.check(&plan, run.model)
        run.expect(try run.codes(run.rows(plan)).sorted(), [1, 2], "rows")
        run.expect(run.store.rowCache.row(for: staff.people[0]) != nil, true, "rows are in the cache")
    }
}
