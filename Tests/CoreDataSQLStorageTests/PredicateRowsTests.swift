import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage
import Foundation
import Testing

@testable import CoreDataSQLStorage

@Suite struct PredicateRowsTests {
    private func people(_ rows: [[String: AttributeValue]]) throws -> StoreFixture {
        let fixture = try StoreFixture()
        for row in rows { try fixture.insert("Person", row) }
        return fixture
    }

    private func named(_ names: [String?]) throws -> StoreFixture {
        try people(names.map { $0.map { ["name": .string($0)] } ?? [:] })
    }

    @Test("PR05–PR07: nil is found by == nil and by nothing else", arguments: [
        ("name == nil", ["nil"]), ("name != nil", ["A", "B"]), ("name != 'A'", ["B"]), ("NOT (name == 'A')", ["B"]),
        ("NOT (name IN {'A'})", ["B"]), ("NOT (name CONTAINS 'A')", ["B"]), ("name IN {}", []), ("NOT (name IN {})", ["A", "B", "nil"]),
        ("name < nil", []), ("name CONTAINS nil", []), ("nil == name", ["nil"]), ("name IN {'A', nil}", ["A"]), ("name == name", ["A", "B"]),
        ("name BEGINSWITH ''", ["A", "B"]),
    ])
    func nils(_ format: String, _ expected: [String]) throws {
        #expect(try named(["A", "B", nil]).names("Person", format) == expected)
    }

    @Test("DD04: Swift's nil differs from a value and takes part in NOT")
    func swiftNil() throws {
        let fixture = try named(["A", "B", nil])
        func names(_ operation: ComparisonOperator, _ value: PredicateValue, not: Bool = false) throws -> [String] {
            var plan = try fixture.plan("Person")
            let tree = PredicateTree.comparison(Comparison(.key("name"), operation, .constant(value), options: .swiftNil))
            plan.predicate = not ? .not(tree) : tree
            return try fixture.names(plan)
        }
        #expect(try names(.notEqual, .string("A")) == ["B", "nil"])
        #expect(try names(.equal, .string("A"), not: true) == ["B", "nil"])
        #expect(try names(.equal, .null) == ["nil"])
        #expect(try names(.contains, .string("A"), not: true) == ["B", "nil"])
        #expect(try names(.isIn, .list([.string("A"), .null])) == ["A", "nil"])
    }

    @Test("PR08, PR09, PR43, PR44: numbers compare as numbers, whatever kind or text they come as", arguments: [
        ("age < 5", ["one"]), ("NOT (age > 5)", ["one"]), ("age BETWEEN {1, 10}", ["one", "ten"]), ("age BETWEEN {10, 1}", []),
        ("age == 10.0", ["ten"]), ("age == '10'", ["ten"]), ("height == 10", ["ten"]), ("wage == 10", ["ten"]), ("wage == 1.5", ["one"]),
        ("age > 9.5", ["ten", "eleven"]), ("wage > '2'", ["ten"]), ("age * 2 == 20", ["ten"]), ("age / 2 == 5", ["ten", "eleven"]),
        ("age ** 2 == 100", ["ten"]), ("modulus:by:(age, 2) == 1", ["one", "eleven"]), ("age - 1 == 0", ["one"]), ("abs(-1 * age) == 10", ["ten"]),
        ("sqrt(age) == 1", ["one"]), ("age & 2 == 2", ["ten", "eleven"]), ("age | 1 == 11", ["ten", "eleven"]), ("1 + 2 > 2", ["one", "ten", "eleven", "none"]),
        ("TERNARY(age > 5, 1, 0) == 1", ["ten", "eleven"]), ("name.length == 3", []),
    ])
    func numbers(_ format: String, _ expected: [String]) throws {
        let fixture = try people([
            ["name": .string("one"), "age": .integer(1), "height": .real(1), "wage": .decimal(Decimal(string: "1.5") ?? 0)],
            ["name": .string("ten"), "age": .integer(10), "height": .real(10), "wage": .decimal(10)],
            ["name": .string("eleven"), "age": .integer(11)], ["name": .string("none")],
        ])
        if format.contains("name.length") {
            #expect(try fixture.names("Person", "length(name) == 3") == ["one", "ten"])
        } else {
            #expect(try fixture.names("Person", format) == expected)
        }
    }

    @Test("PR14–PR20: letters, marks, wildcards and SQL's own metacharacters", arguments: [
        ("name LIKE 'testa'", ["testa"]), ("name LIKE[c] 'testa'", ["testa", "TESTA"]), ("name LIKE[d] 'testa'", ["testa", "testą"]),
        ("name LIKE[cd] 'testa'", ["testa", "TESTA", "testą", "TESTĄ"]), ("name ==[cd] 'TESTA'", ["testa", "TESTA", "testą", "TESTĄ"]),
        ("name BEGINSWITH 'te'", ["testa", "testą"]), ("name BEGINSWITH[c] 'te'", ["testa", "TESTA", "testą", "TESTĄ"]),
        ("name ENDSWITH[cd] 'STA'", ["testa", "TESTA", "testą", "TESTĄ"]), ("name CONTAINS '%'", ["100%"]), ("name CONTAINS '_'", ["a_b"]),
        ("name LIKE 'a\\\\*b'", ["a*b"]), ("name LIKE 'a?b'", ["a_b", "a*b"]), ("name LIKE '*%'", ["100%"]), ("name MATCHES 'a.'", []),
        ("name MATCHES 'a.b'", ["a_b", "a*b"]), ("name MATCHES[c] 'TEST[a-z]'", ["testa", "TESTA"]), ("name IN[c] {'TESTA'}", ["testa", "TESTA"]),
        ("name !=[cd] 'testa' AND name CONTAINS 'a'", ["a_b", "a*b"]), ("uppercase(name) == 'TESTA'", ["testa", "TESTA"]),
        ("'xtestax' CONTAINS name", ["testa"]), ("name IN 'xtestax'", ["testa"]), ("canonical(name) == 'testa'", ["testa", "TESTA", "testą", "TESTĄ"]),
    ])
    func texts(_ format: String, _ expected: [String]) throws {
        #expect(try named(["testa", "TESTA", "testą", "TESTĄ", "100%", "a_b", "a*b", nil]).names("Person", format).sorted() == expected.sorted())
    }

    @Test("DD03: NFC and NFD forms are two texts")
    func canonical() throws {
        let fixture = try named(["\u{E9}", "e\u{301}"])
        #expect(try fixture.names("Person", "name == %@", [.string("e\u{301}")]).map(\.utf8.count) == [3])
        #expect(try fixture.names("Person", "name ==[c] %@", [.string("e\u{301}")]).count == 2)
    }

    @Test("PR24: flags are 1, 0 and nil", arguments: [
        ("isActive == YES", ["yes"]), ("isActive == NO", ["no"]), ("isActive == 1", ["yes"]), ("isActive == NO OR isActive == nil", ["no", "none"]),
    ])
    func flags(_ format: String, _ expected: [String]) throws {
        let fixture = try people([
            ["name": .string("yes"), "isActive": .integer(1)], ["name": .string("no"), "isActive": .integer(0)], ["name": .string("none")],
        ])
        #expect(try fixture.names("Person", format) == expected)
    }

    @Test("PR10: dates, UUIDs, URLs and data are found by value")
    func otherTypes() throws {
        let id = UUID()
        let fixture = try people([
            ["name": .string("A"), "hired": .real(1000), "token": .uuid(id), "site": .string("http://a.b/"), "photo": .data(Data([1]))],
            ["name": .string("B"), "hired": .real(2000.5)],
        ])
        func date(_ seconds: Double) -> PredicateValue { .date(Date(timeIntervalSinceReferenceDate: seconds)) }
        #expect(try fixture.names("Person", "hired == %@", [date(1000)]) == ["A"])
        #expect(try fixture.names("Person", "hired BETWEEN %@", [.list([date(1000), date(2000.5)])]) == ["A", "B"])
        #expect(try fixture.names("Person", "hired > %@", [date(1000)]) == ["B"])
        #expect(try fixture.names("Person", "token == %@", [.uuid(id)]) == ["A"])
        #expect(try fixture.names("Person", "token == %@", [.string(id.uuidString)]) == ["A"])
        #expect(try fixture.names("Person", "token IN %@", [.list([.uuid(id), .uuid(UUID())])]) == ["A"])
        #expect(try fixture.names("Person", "site == %@", [.url(try #require(URL(string: "http://a.b/")))]) == ["A"])
        #expect(try fixture.names("Person", "photo == %@", [.data(Data([1]))]) == ["A"])
        #expect(try fixture.names("Person", "extra == nil") == ["A", "B"])
    }

    /// Departments X (Ann 20, Bob 40; tags of Ann: red, blue), Y (Cid, no age) and Z without people.
    private func staff() throws -> (StoreFixture, [String: RowKey]) {
        let fixture = try StoreFixture()
        var keys: [String: RowKey] = [:]
        for (code, name) in ["X", "Y", "Z"].enumerated() {
            keys[name] = try fixture.insert("Department", ["name": .string(name), "code": .integer(Int64(code))]).key
        }
        for name in ["red", "blue"] { keys[name] = try fixture.insert("Tag", ["name": .string(name)]).key }
        func person(_ name: String, _ age: Int64?, in department: String) throws {
            var values: [String: AttributeValue] = ["name": .string(name)]
            if let age { values["age"] = .integer(age) }
            if let key = keys[department] { values["dept"] = .reference(key) }
            keys[name] = try fixture.insert(name == "Bob" ? "Manager" : "Person", values).key
        }
        try person("Ann", 20, in: "X")
        try person("Bob", 40, in: "X")
        try person("Cid", nil, in: "Y")
        try person("Dan", 50, in: "")
        var batch = ChangeBatch()
        batch.links = [LinkChange(
            owner: try #require(keys["Ann"]), relationship: try fixture.reference("Person", "tags"),
            added: [try #require(keys["red"]), try #require(keys["blue"])], removed: [])]
        _ = try fixture.committed(batch)
        return (fixture, keys)
    }

    @Test("PR26–PR33: quantifiers, subqueries and collection operators", arguments: [
        ("ANY people.age == 20 AND ANY people.name == 'Bob'", ["X"]), ("SUBQUERY(people, $x, $x.age == 20 AND $x.name == 'Bob').@count > 0", []),
        ("SUBQUERY(people, $x, $x.age > 10).@count == 2", ["X"]), ("SUBQUERY(people, $x, $x.age > 10).@count == 0", ["Y", "Z"]),
        ("NONE people.age < 30", ["Y", "Z"]), ("NOT (ANY people.age < 30)", ["Y", "Z"]), ("ALL people.age > 10", ["X", "Z"]),
        ("people.@count == 0", ["Z"]), ("people.@count > 1", ["X"]), ("people.@count >= 1 AND people.@count < 2", ["Y"]),
        ("people.@sum.age > 10", ["X"]), ("people.@sum.age == 0", ["Y", "Z"]), ("people.@avg.age == 30", ["X"]), ("people.@max.age == 40", ["X"]),
        ("people.@min.age < 21", ["X"]), ("ANY people.name CONTAINS[cd] 'AN'", ["X"]), ("ANY people.tags.name == 'red'", ["X"]),
        ("people.name CONTAINS 'Cid'", ["Y"]), ("'Cid' IN people.name", ["Y"]), ("ANY people.name IN {'Cid', 'Bob'}", ["X", "Y"]),
        ("ANY people.age = NULL", ["Y"]), ("count(people) == 2", ["X"]), ("people[SIZE] == 2", ["X"]), ("max(people.age) == 40", ["X"]),
        ("SUBQUERY(people, $p, SUBQUERY($p.tags, $t, $t.name == 'red' AND $p.name == 'Ann').@count > 0).@count > 0", ["X"]),
        ("SUBQUERY(people.tags, $t, $t.name == 'blue').@count == 1", ["X"]), ("people.dept.name CONTAINS 'Y'", ["Y"]),
    ])
    func toMany(_ format: String, _ expected: [String]) throws {
        let (fixture, _) = try staff()
        #expect(try fixture.names("Department", format) == expected)
    }

    @Test("PR25, PR45, ID17, DD07: objects and IDs stand for rows")
    func references() throws {
        let (fixture, keys) = try staff()
        func key(_ name: String) throws -> PredicateValue { reference(try #require(keys[name])) }
        #expect(try fixture.names("Person", "dept == %@", [key("X")]) == ["Ann", "Bob"])
        #expect(try fixture.names("Person", "dept != %@", [key("X")]) == ["Cid"])
        #expect(try fixture.names("Person", "dept IN %@", [.list([key("X"), key("Y")])]) == ["Ann", "Bob", "Cid"])
        #expect(try fixture.names("Person", "SELF == %@", [key("Bob")]) == ["Bob"])
        #expect(try fixture.names("Person", "NOT (SELF IN %@)", [.list([key("Bob"), key("Ann")])]) == ["Cid", "Dan"])
        #expect(try fixture.names("Person", "tags CONTAINS %@", [key("red")]) == ["Ann"])
        #expect(try fixture.names("Person", "%@ IN tags", [key("red")]) == ["Ann"])
        #expect(try fixture.names("Person", "ANY tags IN %@", [.list([key("red"), key("blue")])]) == ["Ann"])
        #expect(try fixture.names("Department", "ANY people == %@", [key("Bob")]) == ["X"])
        #expect(try fixture.names("Tag", "ANY owners == %@", [key("Ann")]) == ["red", "blue"])
        #expect(try fixture.names("Person", "%@ CONTAINS dept", [.list([key("Y")])]) == ["Cid"])
        // Temporary keys, and keys of another store, match no row; their negation all.
        let temporary = reference(RowKey(primaryKey: -7, entity: 3))
        #expect(try fixture.names("Person", "SELF == %@", [temporary]) == [])
        #expect(try fixture.names("Person", "NOT (SELF IN %@)", [.list([temporary])]).count == 4)
        #expect(try fixture.names("Person", "SELF == %@", [reference(RowKey(primaryKey: 1, entity: 3, store: 9))]) == [])
    }

    @Test("PR38, DD07: broken to-one paths match neither way, and == nil finds them", arguments: [
        ("dept.name == 'X'", ["Ann", "Bob"]), ("dept.name != 'X'", ["Cid"]), ("dept.name == nil", ["Dan"]), ("dept == nil", ["Dan"]),
        ("dept != nil", ["Ann", "Bob", "Cid"]), ("dept.people.@count == 2", ["Ann", "Bob"]), ("ANY dept.people.name == 'Ann'", ["Ann", "Bob"]),
        ("ANY dept = nil", ["Dan"]), ("dept.boss == nil AND dept.code == 1", ["Cid"]),
    ])
    func toOne(_ format: String, _ expected: [String]) throws {
        let (fixture, _) = try staff()
        #expect(try fixture.names("Person", format) == expected)
    }

    @Test("A list of 100,000 values is searched, twice")
    func longLists() throws {
        let (fixture, _) = try staff()
        let names = PredicateValue.list((0..<100_000).map { .string("no \($0)") } + [.string("Ann"), .string("Cid")])
        let ages = PredicateValue.list((0..<100_000).map { .integer($0 + 30) } + [.null])
        for _ in 0..<2 {
            #expect(try fixture.names("Person", "name IN %@", [names]) == ["Ann", "Cid"])
            #expect(try fixture.names("Person", "age IN %@ AND NOT (name IN %@)", [ages, names]) == ["Bob", "Dan"])
            #expect(try fixture.names("Person", "NOT (age IN %@)", [ages]) == [], "a nil in the list makes “not found” unknown")
        }
    }

    @Test("What SQL cannot say is tested on the rows, by SQL's rules for nil, before the window")
    func rest() throws {
        let (fixture, _) = try staff()
        let format = "median({age, age, age}) > 15 AND name != 'Dan'"
        #expect(try fixture.names("Person", format) == ["Ann", "Bob"])
        var plan = try fixture.plan("Person", format, sort: ["-name"])
        plan.limit = 1
        #expect(try fixture.names(plan) == ["Bob"])
        plan.offset = 1
        #expect(try fixture.names(plan) == ["Ann"])
        plan.result = .count
        guard case .count(let count) = try fixture.store.fetch(plan) else { throw Unexpected("no count") }
        #expect(count == 1)
        plan.result = .keys
        guard case .keys(let keys) = try fixture.store.fetch(plan) else { throw Unexpected("no keys") }
        #expect(keys.count == 1)
    }
}
