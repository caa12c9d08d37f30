import NLCoreData
import Testing

@Suite("Objects of rows: create, update, upsert, JSON")
struct ImportingTests {
    private struct Card: Encodable {
        var name: String, age: Int, birthday: Date?, identifier = UUID(), salary: Decimal?, photo = Data([1, 2]), homepage = URL(string: "https://a.org")
    }

    @Test("A new object takes a dictionary's values, converted; unknown keys are passed over", arguments: StoreKind.allCases)
    func dictionaries(kind: StoreKind) throws {
        try withOffice(kind) { _ in
            let identifier = UUID()
            let person = try Person.create(from: [
                "name": "Ada", "age": "36", "isActive": "no", "birthday": "2001-01-01T00:00:10Z", "identifier": identifier.uuidString, "salary": "12.5", "x": 1,
            ])
            #expect(person.name == "Ada" && person.age == 36 && !person.isActive && person.salary == Decimal(string: "12.5"))
            #expect(person.birthday == Date(timeIntervalSinceReferenceDate: 10) && person.identifier == identifier)
            try person.update(from: ["name": NSNull(), "level": 3])
            #expect(person.name == nil && person.level == 3 && person.age == 36)
            #expect(throws: NLCoreDataError.unacceptableValue(entity: "Person", attribute: "age", value: "many")) { try person.update(from: ["age": "many"]) }
            #expect(throws: NLCoreDataError.self) { try Person.create(from: ["age": [1]]) }
            #expect(try Person.count() == 1, "what could not be made is not there")
            #expect(try Person.where(["age": 36]) == [person] && Person.where("age > %@", 40).isEmpty)
            #expect(try Person.where(#Predicate { $0.age == 36 }) == [person] && Person.find("age == %@", 36) === person)
            #expect(try Person.find(#Predicate { $0.age == 35 }) == nil)
            let tag = try Tag.create(from: ["label": "of texts alone"])
            #expect(tag.label == "of texts alone")
        }
    }

    @Test("Encodable values become objects; a member that is nil is left as it is")
    func values() throws {
        try withOffice { _ in
            let card = Card(name: "Bob", age: 20, birthday: Date(timeIntervalSince1970: 1.5), salary: 3), person = try Person.create(from: card)
            #expect(person.name == "Bob" && person.age == 20 && person.birthday == card.birthday && person.identifier == card.identifier)
            #expect(person.salary == 3 && person.photo == card.photo && person.homepage == card.homepage)
            try person.update(from: Card(name: "Rob", age: 21, birthday: nil, salary: nil))
            #expect(person.name == "Rob" && person.salary == 3 && person.birthday == card.birthday)
            #expect(throws: NLCoreDataError.self) { try person.update(from: 5) }
        }
    }

    @Test("Many rows are changed or made by a key, with one query a batch", arguments: StoreKind.allCases)
    func upserting(kind: StoreKind) throws {
        try withOffice(kind) { _ in
            try insertPeople()
            let rows: [[String: Any]] = [["name": "Ada", "age": 37], ["name": "Zoe", "age": 1], ["name": "Zoe", "level": 2], ["name": "Bob"]]
            let people = try Person.upsert(rows, by: "name")
            #expect(people.map(\.name) == ["Ada", "Zoe", "Zoe", "Bob"] && people[1] === people[2] && people[1].level == 2 && people[0].age == 37)
            #expect(try Person.count() == 5 && people[3].age == 17)
            try current().save()
            #expect(try Person.upsert([Card(name: "Zoe", age: 2, birthday: nil, salary: nil)], by: "name", batchSize: 1).first === people[1])
            #expect(throws: NLCoreDataError.unknownAttribute(entity: "Person", attribute: "shoe")) { try Person.upsert(rows, by: "shoe") }
            #expect(throws: NLCoreDataError.unacceptableValue(entity: "Person", attribute: "name", value: "nothing")) { try Person.upsert([["age": 1]], by: "name") }
        }
    }

    @Test("JSON with the model's own keys, objects in objects, and references by identity", arguments: StoreKind.allCases)
    func json(kind: StoreKind) throws {
        try withOffice(kind) { _ in
            let first = Data(#"{"name": "Lab", "projects": [{"attributes": {"title": "A"}}, {"attributes": {"title": "B"}}], "members": [{"name": "Ada", "tags": ["x", {"label": "y"}]}]}"#.utf8)
            let lab = try #require(try Department.importJSON(first).first)
            #expect(lab.projects.map(\.title) == ["A", "B"] && lab.members.first?.name == "Ada")
            #expect(Set(lab.members.first?.tags.map(\.label) ?? []) == ["x", "y"])
            try current().save()
            let people = try Person.importJSON(Data(#"[{"name": "Bob", "department": "Lab", "tags": ["y", "z"]}, {"name": "Eve", "department": {"name": "Shop"}, "tags": null}]"#.utf8))
            #expect(people[0].department === lab && people[1].department?.name == "Shop" && people[1].tags.isEmpty)
            #expect(try Tag.count() == 3 && Department.count() == 2)
            try people[0].update(from: ["department": NSNull()])
            #expect(people[0].department == nil)
            try current().save()
            #expect(throws: (any Error).self) { try Person.importJSON(Data("{".utf8)) }
            #expect(throws: NLCoreDataError.self) { try Person.importJSON(Data("[1]".utf8)) }
            #expect(throws: NLCoreDataError.self) { try Person.importJSON(Data(#"[{"manager": 5}]"#.utf8)) }
            #expect(throws: NLCoreDataError.self) { try Person.importJSON(Data(#"[{"tags": "x"}]"#.utf8)) }
        }
    }

    #if os(Linux)
    @Test("However many rows: one query for them and one for each relationship")
    func queries() throws {
        try withOffice { _ in
            try insertPeople()
            current().reset()
            let rows = (0..<300).map { ["name": "P\($0)", "tags": ["t\($0 % 7)"], "department": "D\($0 % 3)"] as [String: Any] }
            let counts = try CoreDataDiagnostics.counting { _ = try Person.upsert(rows, by: "name") }
            #expect(counts.roundTrips <= 3, "\(counts)")
        }
    }
    #endif
}
