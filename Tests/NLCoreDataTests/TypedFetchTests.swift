import NLCoreData
import Testing

extension Person {
    /// Not of the model.
    var shout: String { (name ?? "").uppercased() }
    var tagCount: Int { tags.count }
}

@Suite("#Predicate in fetches")
struct TypedFetchTests {
    /// People of every shape, saved: with and without names, managers, departments, tags.
    private func seed() throws {
        let departments = try ["Lab", "Shop"].map { name in
            let department = try Department.insert()
            department.name = name
            return department
        }
        let tags = try ["red", "green", "blue"].map { label in
            let tag = try Tag.insert()
            tag.label = label
            return tag
        }
        var boss: Person?
        for (index, name) in ["Ada", "bob", nil, "Élodie", "", "Ada"].enumerated() {
            let person: Person = index == 3 ? try Employee.insert() : try Person.insert()
            person.name = name
            person.age = Int64(index * 10)
            person.level = index % 2 == 0 ? nil : Int16(index)
            person.rating = index == 2 ? nil : Double(index) / 2
            person.salary = index == 1 ? nil : Decimal(index) * 100.5
            person.isActive = index % 3 == 0
            person.birthday = index == 4 ? nil : Date(timeIntervalSinceReferenceDate: Double(index) * 86_400)
            person.identifier = index == 5 ? nil : UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(index)))
            person.department = index < 4 ? departments[index % 2] : nil
            person.manager = boss
            person.tags = Set(tags.prefix(index % 4))
            if index == 0 { boss = person }
        }
        try current().save()
    }

    /// Fetch, count and IDs answer what Swift itself answers on the objects, saved and not.
    private func check(_ kind: StoreKind, _ predicates: [(String, Predicate<Person>)]) throws {
        try withOffice(kind) { _ in
            try seed()
            for isPending in [false, true] {
                if isPending {
                    try #require(try Person.fetchSingle("age == 10")).name = "ADA"
                    let unsaved = try Person.insert()
                    (unsaved.name, unsaved.age) = ("Una", 7)
                }
                let everyone = try Person.fetch()
                for (text, predicate) in predicates {
                    let expected = Set(try everyone.filter { try predicate.evaluate($0) })
                    let request = NSFetchRequest<Person>(entityName: "Person")
                    request.predicate = try NSPredicate(validating: predicate)
                    #expect(Set(try current().fetch(request)) == expected, "\(text), pending: \(isPending)")
                    #expect(try current().count(for: request) == expected.count, "\(text)")
                    request.fetchLimit = 1
                    #expect(try current().fetch(request).count == min(1, expected.count), "\(text)")
                }
            }
        }
    }

    @Test("Comparisons, optionals, arithmetic and ranges", arguments: StoreKind.allCases)
    func values(kind: StoreKind) throws {
        let name = "Ada"
        let none: String? = nil
        let day = Date(timeIntervalSinceReferenceDate: 86_400)
        let range = 10...30
        let levels: [Int16?] = [1, nil]
        let id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 2))
        let price = Decimal(201)
        try check(kind, [
            ("name ==", #Predicate { $0.name == name }), ("name !=", #Predicate { $0.name != name }), ("nil", #Predicate { $0.name == none }),
            ("not", #Predicate { !($0.name == name) }), ("age", #Predicate { $0.age >= 10 && $0.age < 40 }),
            ("level", #Predicate { $0.level == 3 }), ("level??", #Predicate { ($0.level ?? 0) > 0 }), ("levels", #Predicate { levels.contains($0.level) }),
            ("rating", #Predicate { ($0.rating ?? -1) * 2 + 1 > 3.0 }), ("salary", #Predicate { $0.salary == price }),
            ("birthday", #Predicate { ($0.birthday ?? day) > day }), ("uuid", #Predicate { $0.identifier == id }), ("flag", #Predicate { $0.isActive }),
            ("not flag", #Predicate { !$0.isActive }), ("plus", #Predicate { $0.age + 5 == 15 }), ("mod", #Predicate { $0.age % 20 == 10 }),
            ("int range", #Predicate { (10...30).contains($0.age) }), ("half-open", #Predicate { (10..<30).contains($0.age) }),
            ("ternary", #Predicate { ($0.isActive ? $0.age : 0) > 20 }), ("captured", #Predicate { [10, 20].contains($0.age) }),
            ("or", #Predicate { $0.age == 10 || $0.name == nil }), ("true", #Predicate { _ in true }), ("if let", #Predicate {
                if let name = $0.name { name.isEmpty } else { true }
            }),
        ])
        #expect(range.contains(20))
    }

    @Test("Texts", arguments: StoreKind.allCases)
    func texts(kind: StoreKind) throws {
        let part = "a"
        try check(kind, [
            ("contains", #Predicate { $0.name?.contains(part) == true }), ("starts", #Predicate { $0.name?.starts(with: "A") ?? false }),
            ("standard", #Predicate { $0.name?.localizedStandardContains("elo") == true }), ("empty", #Predicate { $0.name?.isEmpty == true }),
            ("not contains", #Predicate { !($0.name?.contains("d") ?? true) }), ("everything", #Predicate { $0.name?.contains("") == true }),
        ])
    }

    @Test("Relationships", arguments: StoreKind.allCases)
    func relationships(kind: StoreKind) throws {
        let labels = ["red", "blue"]
        try check(kind, [
            ("path", #Predicate { $0.department?.name == "Lab" }), ("path !=", #Predicate { $0.department?.name != "Lab" }),
            ("two steps", #Predicate { $0.manager?.department?.name == "Lab" }), ("nil", #Predicate { $0.manager == nil }),
            ("not nil", #Predicate { $0.department != nil }), ("contains", #Predicate { $0.tags.contains { $0.label == "red" } }),
            ("none", #Predicate { !$0.tags.contains { $0.label == "red" } }), ("all", #Predicate { $0.tags.allSatisfy { $0.label != "blue" } }),
            ("count", #Predicate { $0.tags.filter { $0.label > "c" }.count == 2 }), ("size", #Predicate { $0.tags.count > 1 }),
            ("is empty", #Predicate { $0.tags.isEmpty }), ("captured", #Predicate { $0.tags.contains { labels.contains($0.label) } }),
            ("outer", #Predicate { person in person.tags.contains { $0.people.contains { $0.age > person.age } } }),
            ("members", #Predicate { $0.department?.members.contains { $0.name == "Élodie" } == true }),
        ])
    }

    @Test("What SQL cannot say is evaluated on the objects: computed properties, casts, characters", arguments: StoreKind.allCases)
    func unsayable(kind: StoreKind) throws {
        try check(kind, [
            ("computed", #Predicate { $0.shout == "ADA" }), ("and", #Predicate { $0.age > 10 && $0.shout == "ADA" }),
            ("or", #Predicate { $0.age == 10 || $0.shout == "ADA" }), ("not", #Predicate { !($0.shout == "ADA") }),
            ("is", #Predicate { $0 is Employee }), ("characters", #Predicate { ($0.name?.count ?? 0) > 3 }), ("counted", #Predicate { $0.tagCount == 2 }),
        ])
    }

    @Test("Objects are compared by IDs, which a predicate captures", arguments: StoreKind.allCases)
    func identifiers(kind: StoreKind) throws {
        try withOffice(kind) { stack in
            try seed()
            let boss = try #require(try Person.fetchSingle("name == 'Ada' AND age == 0"))
            let id = boss.objectID
            let ids = [id, try #require(try Person.fetchSingle("age == 20")).objectID]
            #expect(try Person.fetch(where: #Predicate { $0.manager?.objectID == id }).count == 5)
            #expect(try Person.fetch(where: #Predicate { $0.objectID == id }) == [boss])
            #expect(try Person.fetch(where: #Predicate { $0.objectID != id }).count == 5)
            #expect(try Person.fetch(where: #Predicate { ids.contains($0.objectID) }).count == 2)
            #expect(try Person.fetch(where: #Predicate { $0.tags.contains { $0.people.contains { $0.objectID == id } } }).isEmpty)

            let coordinator = try #require(current().persistentStoreCoordinator ?? stack.newContext().persistentStoreCoordinator)
            let encoded = try JSONEncoder().encode([id])
            let decoder = JSONDecoder()
            #expect(throws: DecodingError.self) { try decoder.decode([NSManagedObjectID].self, from: encoded) }
            decoder.userInfo[.persistentStoreCoordinator] = coordinator
            #expect(try decoder.decode([NSManagedObjectID].self, from: encoded) == [id])
            #expect(throws: EncodingError.self) { try JSONEncoder().encode([try Person.insert().objectID]) }
        }
    }

    @Test("A dictionary fetch or batch delete with a part that only objects can answer is refused, saying so")
    func refused() throws {
        try withOffice { _ in
            try seed()
            let request = NSFetchRequest<NSDictionary>(entityName: "Person")
            request.resultType = .dictionaryResultType
            request.predicate = try NSPredicate(validating: #Predicate<Person> { $0.shout == "ADA" })
            let error = #expect(throws: (any Error).self) { try current().fetch(request) }
            #expect(error?.localizedDescription.contains("objects") == true)
        }
    }
}
