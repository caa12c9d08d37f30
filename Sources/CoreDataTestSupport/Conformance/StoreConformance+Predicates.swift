import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage
import Foundation

extension StoreConformance {
    static let predicateCases: [ConformanceCase] = table.map { entry in
        ConformanceCase("\(entry.id): \(entry.entity) where \(entry.format)") { run in
            let staff = try ConformanceStaff(run)
            var plan = try run.plan(entry.entity, entry.format, entry.arguments.map(staff.value))
            try FetchPlanCheck.check(&plan, run.model)
            let codes = try run.codes(run.rows(plan))
            run.expect(codes.sorted(), entry.expected, "rows (each once)")
            var count = plan
            count.result = .count
            guard case .count(let number) = try run.store.fetch(count) else { return run.fail("a count answered something else") }
            run.expect(number, entry.expected.count, "count")
        }
    }

    private struct Entry: Sendable {
        let id: String, entity: String, format: String
        let arguments: [ConformanceStaff.Argument]
        let expected: [Int64]

        init(_ id: String, _ format: String, _ arguments: [ConformanceStaff.Argument], _ expected: [Int64], of entity: String = "Person") {
            self.id = id
            self.entity = entity
            self.format = format
            self.arguments = arguments
            self.expected = expected
        }

        init(_ id: String, _ format: String, _ expected: [Int64], of entity: String = "Person") {
            self.init(id, format, [], expected, of: entity)
        }
    }

    private static let table: [Entry] = nilEntries + valueEntries + textEntries + toOneEntries + toManyEntries + otherEntries

    private static let all: [Int64] = [1, 2, 3, 4, 5, 6]

    private static let nilEntries: [Entry] = [
        Entry("PR05", "name == nil", [6]), Entry("PR05", "name == %@", [.value(.null)], [6]), Entry("PR05", "name != nil", [1, 2, 3, 4, 5]),
        Entry("PR05", "nil == name", [6]), Entry("PR05", "name != %@", [.value(.null)], [1, 2, 3, 4, 5]),
        Entry("PR06", "name != 'Alice'", [2, 3, 4, 5]), Entry("PR06", "'Alice' != name", [2, 3, 4, 5]),
        Entry("PR07", "NOT (name == 'Alice')", [2, 3, 4, 5]), Entry("PR07", "NOT (name IN {'Alice', 'Bob'})", [3, 4, 5]),
        Entry("PR07", "NOT (name CONTAINS 'A')", [2, 3, 4, 5]), Entry("PR07", "NOT (name == nil)", [1, 2, 3, 4, 5]),
        Entry("PR07", "NOT (name BEGINSWITH 'A' OR age > 35)", [4]),
        Entry("PR08", "age < 5", [6]), Entry("PR08", "age > 35", [2, 5]), Entry("PR08", "NOT (age > 35)", [1, 4, 6]),
        Entry("PR08", "NOT (age BETWEEN {10, 30})", [2, 5, 6]),
        Entry("PR12", "name IN {}", []), Entry("PR12", "NOT (name IN {})", all), Entry("PR12", "name IN %@", [.value(.list([]))], []),
        Entry("PR21", "nick CONTAINS 'A'", [1]),
        Entry("PR21", "nick LIKE '*'", [1, 3, 4, 5]), Entry("PR21", "nick MATCHES '.*'", [1, 3, 4, 5]),
        Entry("PR21", "NOT (nick MATCHES 'A.*')", [3, 4, 5]), Entry("PR07", "nick == name", []), Entry("PR07", "nick != name", [1, 3, 4, 5]),
    ]

    private static let valueEntries: [Entry] = [
        Entry("PR09", "age BETWEEN {20, 30}", [1, 4]), Entry("PR09", "age BETWEEN {30, 20}", []),
        Entry("PR10", "joined BETWEEN %@", [.value(.list([.date(date(100)), .date(date(300))]))], [1, 2, 3]),
        Entry("PR10", "joined < %@", [.value(.date(date(100)))], [5]), Entry("PR10", "joined == %@", [.value(.date(date(-5.5)))], [5]),
        Entry("PR13", "name IN {'Alice', 'Dave', 'nobody'}", [1, 4]),
        Entry("PR13", "age IN %@", [.value(.list([.integer(20), .integer(40)]))], [1, 2, 5]),
        Entry("PR22", "age == 20 OR age == 40 AND name == 'Bob'", [1, 2]), Entry("PR22", "(age == 20 OR age == 40) AND name == 'Bob'", [2]),
        Entry("PR22", "NOT age == 20 AND flag == YES", [4]),
        Entry("PR23", "TRUEPREDICATE AND FALSEPREDICATE", []), Entry("PR23", "TRUEPREDICATE OR FALSEPREDICATE", all),
        Entry("PR23", "NOT TRUEPREDICATE", []), Entry("PR23", "TRUEPREDICATE AND age == 20", [1]),
        Entry("PR24", "flag == YES", [1, 4]), Entry("PR24", "flag == NO", [2, 5]), Entry("PR24", "flag == NO OR flag == nil", [2, 3, 5, 6]),
        Entry("PR24", "flag == 1", [1, 4]), Entry("PR24", "flag == %@", [.value(.boolean(false))], [2, 5]), Entry("PR24", "flag != YES", [2, 5]),
        Entry("PR41", "joined > CAST(150, 'NSDate')", [2, 3, 4]),
        Entry("PR42", "age + 1 == 21", [1]), Entry("PR42", "age * 2 > salary + 50", [2, 5]), Entry("PR42", "age - 10 == code * 10", [1]),
        Entry("PR43", "age == 20.0", [1]), Entry("PR43", "salary == 3", [2]), Entry("PR43", "salary == %@", [.value(.integer(20))], [4]),
        Entry("PR43", "rate == 2", [2]), Entry("PR43", "rate == 1.1", [1]), Entry("PR43", "rate > 1.5", [2]),
        Entry("PR43", "salary < 0", [5]), Entry("PR43", "age > 29.5", [2, 4, 5]),
        Entry("TY", "token == %@", [.value(.uuid(ConformanceStaff.token))], [4]), Entry("TY", "token != nil", [4]),
    ]

    private static let textEntries: [Entry] = [
        Entry("PR14", "name BEGINSWITH 'al'", []), Entry("PR14", "name BEGINSWITH[c] 'al'", [1]), Entry("PR14", "name ENDSWITH 'e'", [1, 4]),
        Entry("PR14", "name < 'C'", [1, 2]), Entry("PR14", "name > 'Dave'", [3, 5]),
        Entry("PR15", "name LIKE[cd] 'eva'", [5]), Entry("PR15", "name LIKE[c] 'eva'", []), Entry("PR15", "name LIKE[d] 'Eva'", [5]),
        Entry("PR16", "name CONTAINS[cd] 'EV'", [5]), Entry("PR16", "name ENDSWITH[cd] 'VA'", [5]),
        Entry("PR17", "name LIKE 'A*'", [1]), Entry("PR17", "name LIKE 'a?ice'", []), Entry("PR17", "name LIKE[c] 'a?ice'", [1]),
        Entry("PR17", "name LIKE 'lic'", []), Entry("PR17", "name LIKE '*o*'", [2, 3]),
        Entry("PR18", "nick CONTAINS '%'", [3]), Entry("PR18", "nick CONTAINS '_'", [4]),
        Entry("PR18", "nick LIKE %@", [.value(.string("a\\*b"))], [5]), Entry("PR18", "nick LIKE 'a*b'", [4, 5]),
        Entry("PR18", "nick LIKE '%'", []), Entry("PR18", "nick CONTAINS '*'", [5]), Entry("PR18", "nick LIKE '[a]*'", []),
        Entry("PR19", "name MATCHES 'Ali'", []), Entry("PR19", "name MATCHES '[A-Z][a-z]+'", [1, 2, 4]), Entry("PR19", "name MATCHES[c] 'BOB|B'", [2]),
        Entry("PR20", "name ==[c] 'ALICE'", [1]), Entry("PR20", "name ==[cd] 'eva'", [5]), Entry("PR20", "name !=[c] 'ALICE'", [2, 3, 4, 5]),
        Entry("PR20", "name ==[c] '\u{e9}VA'", [5]), Entry("PR20", "name == 'alice'", []),
        Entry("PR20", "name IN[c] {'ALICE', 'BOB'}", [1, 2]),
        Entry("DD03", "name == %@", [.value(.string("E\u{301}va"))], []), Entry("DD03, composed", "name == %@", [.value(.string("\u{c9}va"))], [5]),
        Entry("PR14", "name == \"it's\"", []),
    ]

    private static let toOneEntries: [Entry] = [
        Entry("PR25", "dept == %@", [.dept(1)], [1, 2]), Entry("PR25", "dept != %@", [.dept(1)], [3, 5]),
        Entry("PR25", "dept == nil", [4, 6]), Entry("PR25", "dept != nil", [1, 2, 3, 5]), Entry("PR25", "NOT (dept == %@)", [.dept(1)], [3, 5]),
        Entry("PR25", "mentor == %@", [.person(2)], [3, 4]), Entry("PR25", "favourite == %@", [.tag(2)], [1]),
        Entry("PR25", "favourite.name == 'blue'", [1]), Entry("PR25", "mentor IN %@", [.people([1, 2])], [3, 4, 5]),
        Entry("PR38", "dept.boss.name == 'Bob'", [1, 2]), Entry("PR38", "dept.boss.name != 'Bob'", []),
        Entry("PR38", "dept.name != 'Sales'", [3, 5]), Entry("PR38", "mentor.mentor.name == 'x'", []),
        Entry("PR38", "NOT (dept.name == 'Sales')", [3, 5]), Entry("PR38", "dept.name == 'Sales' OR name == 'Dave'", [1, 2, 4]),
        Entry("PR38", "dept.boss == %@", [.person(2)], [1, 2]), Entry("PR38", "mentor.age > age", [4]),
        Entry("DD07", "dept.name == nil", [4, 6]), Entry("DD07", "dept.boss.name == nil", [3, 4, 5, 6]), Entry("DD07", "dept.boss == nil", [3, 4, 5, 6]),
        Entry("PR45", "SELF == %@", [.person(3)], [3]), Entry("PR45", "SELF IN %@", [.people([1, 4])], [1, 4]),
        Entry("PR45", "NOT (SELF IN %@)", [.people([1, 4])], [2, 3, 5, 6]), Entry("PR45", "SELF != %@", [.person(3)], [1, 2, 4, 5, 6]),
        Entry("PR45", "SELF == mentor", []),
    ]

    private static let toManyEntries: [Entry] = [
        Entry("PR26", "ANY tags == %@", [.tag(1)], [1, 2]), Entry("PR26", "ANY tags.name CONTAINS[cd] 'E'", [1, 2, 4, 5]),
        Entry("PR26", "ANY tags IN %@", [.tagSet([1, 3])], [1, 2, 4, 5]), Entry("PR26", "ANY tags.name IN {'blue', 'green'}", [1, 4, 5]),
        Entry("PR26", "ANY friends.name == 'Alice'", [2, 3]), Entry("PR26", "ANY pupils.age > 25", [1, 2]),
        Entry("PR26", "ANY hobbies.name == 'green'", [1]), Entry("PR26", "ANY dept.members.age == 20", [1, 2]),
        Entry("PR26", "ANY members.name == 'Bob'", [1], of: "Dept"), Entry("PR26", "NOT (ANY tags.name == 'red')", [3, 4, 5, 6]),
        Entry("PR27", "ANY members.age == 20 AND ANY members.name == 'Bob'", [1], of: "Dept"),
        Entry("PR27", "SUBQUERY(members, $x, $x.age == 20 AND $x.name == 'Bob').@count > 0", [], of: "Dept"),
        Entry("PR28", "SUBQUERY(tags, $t, $t.weight > 1).@count == 2", [5]), Entry("PR28", "SUBQUERY(tags, $t, $t.weight > 1).@count == 0", [2, 3, 6]),
        Entry("PR28", "SUBQUERY(tags, $any, $any.weight > 1 AND $any.name == 'blue').@count > 0", [1, 5]),
        Entry("PR28", "SUBQUERY(members, $m, $m == boss).@count == 1", [1], of: "Dept"),
        Entry("PR28", "SUBQUERY(pupils, $p, $p.age > age).@count > 0", [1]),
        Entry("PR29", "NONE tags.weight < 2", [3, 4, 5, 6]), Entry("PR29", "NOT (ANY tags.weight < 2)", [3, 4, 5, 6]),
        Entry("PR30", "SOME tags.weight == 3", [4, 5]), Entry("PR31", "ALL tags.weight > 1", [3, 4, 5, 6]),
        Entry("PR32", "tags.@count == 0", [3, 6]), Entry("PR32", "tags.@count > 1", [1, 5]), Entry("PR32", "tags.@count > 0 AND tags.@count < 2", [2, 4]),
        Entry("PR32", "pupils.@count == 2", [2]), Entry("PR32", "dept.members.@count == 2", [1, 2, 3, 5]), Entry("PR32", "members.@count == 0", [3], of: "Dept"),
        Entry("PR33", "tags.@sum.weight > 2", [1, 4, 5]), Entry("PR33", "tags.@sum.weight == 0", [3, 6]), Entry("PR33", "tags.@max.weight == 3", [4, 5]),
        Entry("PR33", "tags.@min.weight == 1", [1, 2]), Entry("PR33", "tags.@avg.weight == 1.5", [1]),
        Entry("DD07", "tags CONTAINS %@", [.tag(1)], [1, 2]), Entry("DD07", "%@ IN tags", [.tag(1)], [1, 2]),
        Entry("DD07", "tags.name CONTAINS 'blue'", [1, 5]), Entry("DD07", "'blue' IN tags.name", [1, 5]), Entry("DD07", "NOT (tags CONTAINS %@)", [.tag(1)], [3, 4, 5, 6]),
    ]

    private static let otherEntries: [Entry] = [
        Entry("FE23", "bonus > 1", [4], of: "Manager"), Entry("FE23", "name == 'Bob'", [], of: "Manager"), Entry("FE22", "name == 'Dave'", [4], of: "Party"),
        Entry("PR28", "SUBQUERY(members, $m, ANY $m.tags.name == 'green').@count > 0", [2], of: "Dept"),
        Entry("PR42", "modulus:by:(age, 20) == 0", [1, 2, 5]),
    ]

    private static func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }
}
