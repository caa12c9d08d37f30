import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage
import Foundation

/// The rows that predicates and sorts are tried on.
///
/// People by code: 1 Alice, 2 Bob, 3 carol, 4 Dave (a manager), 5 Éva, 6 without a name. Departments: 1 Sales (boss Bob;
/// Alice, Bob), 2 Lab (no boss; carol, Éva), 3 Empty. Tags: 1 red, 2 blue, 3 green, weighing their codes.
struct ConformanceStaff {
    private(set) var people: [RowKey] = []
    private(set) var depts: [RowKey] = []
    private(set) var tags: [RowKey] = []

    static let token = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    init(_ run: ConformanceRun) throws {
        let people = try ["Person", "Person", "Person", "Manager", "Person", "Person"].map(run.temporaryKey)
        let depts = try (0..<3).map { _ in try run.temporaryKey("Dept") }
        let tags = try (0..<3).map { _ in try run.temporaryKey("Tag") }
        let values: [[String: AttributeValue]] = [
            ["name": .string("Alice"), "age": .integer(20), "flag": .integer(1), "salary": .real(10.5), "nick": .string("Al"),
             "joined": .real(100), "rate": .decimal(Decimal(string: "1.1") ?? 0), "dept": .reference(depts[0]), "favourite": .reference(tags[1])],
            ["name": .string("Bob"), "age": .integer(40), "flag": .integer(0), "salary": .real(3), "joined": .real(200),
             "rate": .decimal(2), "dept": .reference(depts[0]), "leads": .reference(depts[0])],
            ["name": .string("carol"), "nick": .string("100%"), "joined": .real(300), "dept": .reference(depts[1]), "mentor": .reference(people[1])],
            ["name": .string("Dave"), "age": .integer(30), "flag": .integer(1), "salary": .real(20), "nick": .string("a_b"),
             "joined": .real(400), "bonus": .integer(5), "mentor": .reference(people[1]), "token": .uuid(Self.token)],
            ["name": .string("\u{c9}va"), "age": .integer(40), "flag": .integer(0), "salary": .real(-1), "nick": .string("a*b"),
             "joined": .real(-5.5), "dept": .reference(depts[1]), "mentor": .reference(people[0])],
            ["age": .integer(1)],
        ]
        var rows: [InsertedRow] = []
        for (index, key) in people.enumerated() {
            var row = values[index]
            row["code"] = .integer(Int64(index + 1))
            rows.append(try run.row(index == 3 ? "Manager" : "Person", key: key, row))
        }
        for (index, name) in ["Sales", "Lab", "Empty"].enumerated() {
            rows.append(try run.row("Dept", key: depts[index], [
                "code": .integer(Int64(index + 1)), "name": .string(name), "boss": index == 0 ? .reference(people[1]) : .null,
            ]))
        }
        for (index, name) in ["red", "blue", "green"].enumerated() {
            let number = AttributeValue.integer(Int64(index + 1))
            rows.append(try run.row("Tag", key: tags[index], ["code": number, "weight": number, "name": .string(name)]))
        }
        let made = try run.insert(rows, links: [
            run.link(people[0], "tags", added: [tags[0], tags[1]]), run.link(people[1], "tags", added: [tags[0]]),
            run.link(people[3], "tags", added: [tags[2]]), run.link(people[4], "tags", added: [tags[1], tags[2]]),
            run.link(people[0], "friends", added: [people[1], people[2]]), run.link(people[0], "hobbies", added: [tags[2]]),
        ]).map(\.key)
        self.people = Array(made[0..<6])
        self.depts = Array(made[6..<9])
        self.tags = Array(made[9..<12])
        run.store.rowCache.removeAll()
    }

    enum Argument: Sendable {
        case value(PredicateValue), person(Int), dept(Int), tag(Int), people([Int]), tagSet([Int])
    }

    func value(_ argument: Argument) -> PredicateValue {
        switch argument {
        case .value(let value): value
        case .person(let code): reference(people[code - 1])
        case .dept(let code): reference(depts[code - 1])
        case .tag(let code): reference(tags[code - 1])
        case .people(let codes): .list(codes.map { reference(people[$0 - 1]) })
        case .tagSet(let codes): .list(codes.map { reference(tags[$0 - 1]) })
        }
    }

    private func reference(_ key: RowKey) -> PredicateValue { .reference(PredicateReference(BareReference(key))) }
}
