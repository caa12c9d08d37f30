import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage
import Foundation
import Testing

@testable import CoreDataSQLStorage

@Suite struct PredicateSQLTests {
    @Test("Comparisons bind their constants", arguments: [
        ("name == 'A'", "t0.ZNAME = ?"), ("name != 'A'", "t0.ZNAME <> ?"), ("name == nil", "t0.ZNAME IS NULL"),
        ("name != nil", "t0.ZNAME IS NOT NULL"), ("age >= 3", "t0.ZAGE >= ?"), ("3 < age", "? < t0.ZAGE"),
        ("age BETWEEN {1, 10}", "t0.ZAGE BETWEEN ? AND ?"), ("NOT (name == 'A')", "NOT (t0.ZNAME = ?)"),
        ("age == 1 OR age == 2 AND number == 3", "(t0.ZAGE = ?) OR ((t0.ZAGE = ?) AND (t0.ZNUMBER = ?))"),
        ("TRUEPREDICATE", "1"), ("FALSEPREDICATE", "0"), ("age == number", "t0.ZAGE = t0.ZNUMBER"),
        ("age + number > 5", "(t0.ZAGE + t0.ZNUMBER) > ?"), ("(age & 4) == 4", "(t0.ZAGE & ?) = ?"),
        ("name IN {'A', 'B', 'C'}", "t0.ZNAME IN (?,?,?,?)"), ("name IN {}", "0"),
        ("name BEGINSWITH 'jo'", "t0.ZNAME >= ? AND t0.ZNAME < ?"), ("name BEGINSWITH[c] 'jo'", "nl_begins(t0.ZNAME, ?, 1)"),
        ("name CONTAINS '%'", "instr(t0.ZNAME, ?) > 0"), ("name CONTAINS[cd] 'x'", "nl_contains(t0.ZNAME, ?, 3)"),
        ("name ENDSWITH[d] 'x'", "nl_ends(t0.ZNAME, ?, 2)"), ("name LIKE 'a*'", "t0.ZNAME >= ? AND t0.ZNAME < ? AND nl_like(t0.ZNAME, ?, 0)"),
        ("name LIKE '*a'", "nl_like(t0.ZNAME, ?, 0)"), ("name LIKE[c] 'a*'", "nl_like(t0.ZNAME, ?, 1)"),
        ("name MATCHES 'a+'", "nl_matches(t0.ZNAME, ?, 0)"), ("name ==[c] 'a'", "nl_fold(t0.ZNAME, 1) = nl_fold(?, 1)"),
        ("hired > CAST(0, 'NSDate')", "t0.ZHIRED > ?"), ("dept == nil", "t0.ZDEPT IS NULL"),
    ])
    func shapes(_ format: String, _ expected: String) throws {
        try assertSQL("Tag", "name == 'x' AND weight == 1", [], "ZTAG t0 WHERE (t0.ZNAME = ?) AND (t0.ZWEIGHT = ?)")
        try assertSQL("Person", format, [], "ZPERSON t0 WHERE \(expected)")
    }

    @Test("To-one paths are outer joins, each once; the last key needs none")
    func joins() throws {
        try assertSQL(
            "Person", "dept.name == 'x' OR dept.code == 1 OR dept.boss == nil", [],
            "ZPERSON t0 LEFT JOIN ZDEPARTMENT t1 ON t1.Z_PK = t0.ZDEPT WHERE (t1.ZNAME = ?) OR (t1.ZCODE = ?) OR (t1.ZBOSS IS NULL)")
    }

    @Test("ANY, NONE and ALL become EXISTS", arguments: [
        ("ANY people.age > 3", "EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZDEPT = t0.Z_PK AND (t1.ZAGE > ?))"),
        ("NONE people.age > 3", "NOT (EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZDEPT = t0.Z_PK AND (t1.ZAGE > ?)))"),
        ("ALL people.age > 3", "NOT EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZDEPT = t0.Z_PK AND ((t1.ZAGE > ?) IS NOT 1))"),
        ("people.@count > 0", "EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZDEPT = t0.Z_PK)"),
        ("people.@count == 0", "NOT EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZDEPT = t0.Z_PK)"),
        ("people.@count == 2", "(SELECT COUNT(*) FROM ZPERSON t1 WHERE t1.ZDEPT = t0.Z_PK) = ?"),
        ("people.@sum.age > 3", "(SELECT IFNULL(SUM(t1.ZAGE), 0) FROM ZPERSON t1 WHERE t1.ZDEPT = t0.Z_PK) > ?"),
        ("ANY people.tags.name == 'x'", "EXISTS (SELECT 1 FROM ZPERSON t1 JOIN Z_4TAGS j3 ON j3.Z_4OWNERS = t1.Z_PK JOIN ZTAG t2 ON t2.Z_PK = j3.Z_7TAGS WHERE t1.ZDEPT = t0.Z_PK AND (t2.ZNAME = ?))"),
        ("SUBQUERY(people, $p, $p.age > 3 AND $p.name == name).@count > 0",
         "EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZDEPT = t0.Z_PK AND ((t1.ZAGE > ?) AND (t1.ZNAME = t0.ZNAME)))"),
        ("SUBQUERY(people, $p, $p.age > 3).@count == people.@count",
         "(SELECT COUNT(*) FROM ZPERSON t1 WHERE t1.ZDEPT = t0.Z_PK AND (t1.ZAGE > ?)) = (SELECT COUNT(*) FROM ZPERSON t2 WHERE t2.ZDEPT = t0.Z_PK)"),
    ])
    func toMany(_ format: String, _ expected: String) throws {
        try assertSQL("Department", format, [], "ZDEPARTMENT t0 WHERE \(expected)")
    }

    @Test("A many-to-many is looked up in its join table alone when only keys matter")
    func joinTables() throws {
        let tag = reference(RowKey(primaryKey: 9, entity: 6, store: 1))
        try assertSQL(
            "Person", "ANY tags == %@", [tag], "ZPERSON t0 WHERE t0.Z_PK IN (SELECT j2.Z_4OWNERS FROM Z_4TAGS j2 WHERE +j2.Z_4OWNERS IS NOT NULL AND (j2.Z_7TAGS = ?))")
        try assertSQL(
            "Person", "tags CONTAINS %@", [tag], "ZPERSON t0 WHERE t0.Z_PK IN (SELECT j2.Z_4OWNERS FROM Z_4TAGS j2 WHERE +j2.Z_4OWNERS IS NOT NULL AND (j2.Z_7TAGS = ?))")
    }

    @Test("Members that an index finds lead to their owners; NOT and rows outside are said right", arguments: [
        ("ANY people.name == 'x'", "t0.Z_PK IN (SELECT t1.ZDEPT FROM ZPERSON t1 WHERE +t1.ZDEPT IS NOT NULL AND (t1.ZNAME = ?))"),
        ("NONE people.name == 'x'", "NOT (t0.Z_PK IN (SELECT t1.ZDEPT FROM ZPERSON t1 WHERE +t1.ZDEPT IS NOT NULL AND (t1.ZNAME = ?)))"),
        ("SUBQUERY(people, $p, $p.name == 'x' AND $p.age > 3).@count == 0",
         "t0.Z_PK NOT IN (SELECT t1.ZDEPT FROM ZPERSON t1 WHERE +t1.ZDEPT IS NOT NULL AND ((t1.ZNAME = ?) AND (t1.ZAGE > ?)))"),
        ("SUBQUERY(people, $p, $p.name == 'x' AND $p.age > code).@count > 0",
         "EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZDEPT = t0.Z_PK AND ((t1.ZNAME = ?) AND (t1.ZAGE > t0.ZCODE)))"),
        ("ANY people.name !=[c] 'x'", "EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZDEPT = t0.Z_PK AND (nl_fold(t1.ZNAME, 1) <> nl_fold(?, 1)))"),
    ])
    func owners(_ format: String, _ expected: String) throws {
        let sql = try StoreFixture().sql("Department", format)
        #expect(sql.hasSuffix("WHERE " + expected), "\(sql)")
        // The owner may be missing here: its key is NULL, and NOT must still be true.
        #expect(try StoreFixture().sql("Department", "NONE boss.friends.name == 'x'").contains("NOT (EXISTS (SELECT 1"))
    }

    @Test("The entity filter is a range, one number, or nothing")
    func entities() throws {
        let fixture = try StoreFixture()
        #expect(try fixture.sql("Person") == "ZPERSON t0")
        #expect(try fixture.sql("Manager", "level == 1") == "ZPERSON t0 WHERE t0.Z_ENT = 6 AND (t0.ZLEVEL1 = ?)")
        var plan = try fixture.plan("Person")
        plan.includesSubentities = false
        #expect(try fixture.select(plan).sql.text.hasSuffix("WHERE t0.Z_ENT = 4"))
    }

    @Test("Sorting ends with the key, goes through to-ones and names its collation")
    func sorting() throws {
        let fixture = try StoreFixture()
        #expect(try fixture.sql("Person", sort: ["dept.name", "-age"])
            == "ZPERSON t0 LEFT JOIN ZDEPARTMENT t1 ON t1.Z_PK = t0.ZDEPT ORDER BY t1.ZNAME, t0.ZAGE DESC, t0.Z_PK DESC")
        var plan = try fixture.plan("Person", sort: ["name"])
        plan.sort[0].comparison = .localizedStandard
        plan.limit = 5
        #expect(try fixture.select(plan).sql.text.hasSuffix("ORDER BY t0.ZNAME COLLATE nl_standard, t0.Z_PK LIMIT ? OFFSET ?"))
    }

    @Test("Indexes serve equality, prefixes, keys, sorting and to-many lookups")
    func plans() throws {
        let fixture = try StoreFixture()
        #expect(try fixture.queryPlan("Person", "name == 'A'").contains("INDEX Z_Person_"))
        #expect(try fixture.queryPlan("Person", "name BEGINSWITH 'A'").contains("(ZNAME>? AND ZNAME<?)"))
        #expect(try fixture.queryPlan("Person", "SELF IN {1, 2}".replacingOccurrences(of: "{1, 2}", with: "%@"), [
            .list([reference(RowKey(primaryKey: 1, entity: 3, store: 1))]),
        ]).contains("USING INTEGER PRIMARY KEY"))
        #expect(try fixture.queryPlan("Department", "ANY people.age > 3").contains("USING INDEX ZPERSON_ZDEPT_INDEX (ZDEPT=?)"))
        let sorted = try fixture.queryPlan("Person", "TRUEPREDICATE", sort: ["-name"])
        #expect(sorted.contains("USING") && !sorted.contains("TEMP B-TREE"), "\(sorted)")
    }

    @Test("PR36: an unknown key path is an error that names it and the nearest one", arguments: [
        ("nmae == 'x'", "keypath nmae not found in entity <Person>. Did you mean “name”?"),
        ("dept.titel == 'x'", "keypath titel not found in entity <Department> (in “dept.titel”). There are: budget, code, name, boss, notes, people, ranking."),
    ])
    func unknownKey(_ format: String, _ message: String) throws {
        let fixture = try StoreFixture()
        let error = #expect(throws: StoreError.self) { try fixture.names("Person", format) }
        #expect(error?.description == message)
    }

    @Test("PR34, PR37, PR39, SO07: what a store cannot have is an error that says what to do", arguments: [
        ("Department", "people.age > 10", "to-many key not allowed here"), ("Department", "people == nil", "to-many key not allowed here"),
        ("Person", "scratch == 'x'", "transient"), ("Person", "name == $NAME", "$NAME"), ("Person", "name.length == 3", "keypath name.length not found"),
        ("Person", "age == 'abc'", "“abc”"), ("Person", "dept == 'x'", "relationship"), ("Person", "age BETWEEN {1}", "two values"),
        ("Person", "name MATCHES '('", "("), ("Person", "hired CONTAINS 'x'", "takes text"),
    ])
    func refused(_ entity: String, _ format: String, _ part: String) throws {
        let fixture = try StoreFixture()
        let error = #expect(throws: StoreError.self) { try fixture.names(entity, format) }
        guard case .invalidRequest(let message) = error else { throw Unexpected("\(String(describing: error))") }
        #expect(message.contains(part))
        #expect(throws: StoreError.self) { try fixture.names("Department", sort: ["people"]) }
    }

    @Test("One text serves every constant of a shape")
    func statementReuse() throws {
        let fixture = try StoreFixture()
        #expect(try fixture.sql("Person", "name IN %@", [.list([.string("a"), .string("b"), .string("c")])])
            == fixture.sql("Person", "name IN %@", [.list((0..<4).map { .string("\($0)") })]))
        #expect(try fixture.sql("Person", "name == 'a'") == fixture.sql("Person", "name == 'b'"))
    }
}
