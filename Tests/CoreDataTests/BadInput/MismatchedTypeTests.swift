import CoreData
import Testing

/// Constants and keys of kinds that never meet: one rule for both stores and for unsaved objects, asked before anything runs.
@Suite("Bad input: types that do not meet in a predicate")
struct MismatchedTypeTests {
    /// Persons with every kind of attribute, their boss and orders; departments are another tree.
    static func model() -> NSManagedObjectModel {
        let person = NSEntityDescription(), order = NSEntityDescription(), place = NSEntityDescription()
        person.name = "Person"
        order.name = "Order"
        place.name = "Place"
        func relationship(_ name: String, _ destination: NSEntityDescription, many: Bool = false) -> NSRelationshipDescription {
            let relationship = NSRelationshipDescription()
            relationship.name = name
            relationship.destinationEntity = destination
            relationship.maxCount = many ? 0 : 1
            relationship.isOptional = true
            relationship.deleteRule = .nullifyDeleteRule
            return relationship
        }
        func pair(_ one: NSRelationshipDescription, _ other: NSRelationshipDescription) {
            one.inverseRelationship = other
            other.inverseRelationship = one
        }
        let boss = relationship("boss", person), staff = relationship("staff", person, many: true)
        let orders = relationship("orders", order, many: true), owner = relationship("owner", person)
        let home = relationship("home", place), people = relationship("people", person, many: true)
        for (one, other) in [(boss, staff), (orders, owner), (home, people)] { pair(one, other) }
        let attribute = CompanyModel.attribute
        person.properties = [
            attribute("name", .stringAttributeType), attribute("age", .integer32AttributeType), attribute("born", .dateAttributeType),
            attribute("wage", .decimalAttributeType), attribute("flag", .booleanAttributeType), attribute("uid", .UUIDAttributeType),
            attribute("site", .URIAttributeType), attribute("photo", .binaryDataAttributeType), boss, staff, orders, home,
        ]
        order.properties = [attribute("title", .stringAttributeType), attribute("total", .doubleAttributeType), owner]
        place.properties = [attribute("name", .stringAttributeType), people]
        let model = NSManagedObjectModel()
        model.entities = [person, order, place]
        return model
    }

    enum Rows: String, CaseIterable { case none, unsaved, saved }

    /// What fetches of persons answer: names in order, or the error's text.
    static func answers(
        _ type: String, _ rows: Rows, _ formats: [String], _ body: (Int, Result<[String], NSError>) throws -> Void
    ) throws {
        let stack = try RuntimeStack(type: type, model: model())
        defer { if let url = stack.url { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) } }
        let context = stack.context()
        try context.performAndWait {
            if rows != .none { fill(context) }
            if rows == .saved { try context.save() }
            for (index, format) in formats.enumerated() {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
                request.predicate = try NSPredicate(validating: format)
                let answer: Result<[String], NSError>
                do {
                    let names = try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }.sorted()
                    let count = try context.count(for: request)
                    #expect(count == names.count, "\(format)")
                    answer = .success(names)
                } catch { answer = .failure(error as NSError) }
                try body(index, answer)
            }
        }
    }

    /// Ada of 36, "5" of 5, and "5.0" whose boss is Ada; each with an order, and a place whose row has Ada's number.
    static func fill(_ context: NSManagedObjectContext) {
        func make(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            object.setValuesForKeys(values)
            return object
        }
        let place = make("Place", ["name": "Home"])
        let uid = UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8") as Any
        let ada = make("Person", ["name": "Ada", "age": 36, "born": Date(timeIntervalSinceReferenceDate: 1000), "flag": true, "uid": uid])
        let five = make("Person", ["name": "5", "age": 5, "wage": 12.5, "flag": false, "site": URL(string: "http://a.b/") as Any])
        let point = make("Person", ["name": "5.0", "age": -1, "home": place])
        for (person, title) in [(ada, "pen"), (five, "5"), (point, "book")] { _ = make("Order", ["title": title, "total": 2.5, "owner": person]) }
        for person in [five, point] { person.setValue(ada, forKey: "boss") }
    }

    static let stores = [NSSQLiteStoreType, NSInMemoryStoreType]

    private static let refusedTable: [(String, [String])] = [
        ("age == 'abc'", ["“age”", "Integer 32", "<Person>", "a string", "abc"]), ("age != 'abc'", ["age"]), ("age > 'x'", ["age"]),
        ("'abc' == age", ["age"]), ("age IN 5", ["IN", "“age”", "a number (5)"]), ("SELF IN 5", ["IN", "a number (5)"]), ("name IN 5", ["IN"]),
        ("age IN {1, 'x'}", ["age", "a string"]), ("age BETWEEN {1, 'x'}", ["age"]), ("name BEGINSWITH 5", ["BEGINSWITH", "a number (5)"]),
        ("name CONTAINS YES", ["CONTAINS", "a Boolean"]), ("name MATCHES 5", ["MATCHES"]), ("name LIKE 5", ["LIKE"]), ("5 IN name", ["IN", "a number"]),
        ("born == 'x'", ["“born”", "a Date", "a string"]), ("born == '1000'", ["born"]), ("born > 'x'", ["born"]), ("born CONTAINS 'x'", ["born"]),
        ("uid == 'x'", ["“uid”", "a UUID"]), ("uid BEGINSWITH 'x'", ["uid"]), ("photo == 'x'", ["photo", "Binary Data"]), ("photo == 5", ["photo"]),
        ("flag == 'maybe'", ["flag", "a Boolean"]), ("wage == 'x'", ["wage", "a Decimal"]), ("SELF == 5", ["SELF", "<Person>", "a number"]),
        ("boss == 'x'", ["“boss”", "<Person>", "a string"]), ("boss IN {1}", ["boss"]), ("boss CONTAINS 'x'", ["boss"]), ("ANY orders == 5", ["orders"]),
        ("ANY orders.total == 'x'", ["orders.total", "a Double", "<Order>"]), ("ANY orders.title BEGINSWITH 5", ["BEGINSWITH"]),
        ("orders.@count == 'x'", ["orders.@count"]), ("orders.@sum.total > 'x'", ["orders.@sum.total"]), ("orders.@sum.title > 5", ["@sum", "title"]),
        ("SUBQUERY(orders, $o, $o.total == 'x').@count > 0", ["$o.total"]), ("boss.age == 'x'", ["boss.age"]), ("age + 'x' == 5", ["add:to:", "a string"]),
        ("name + 1 == 5", ["add:to:", "name", "a String"]), ("age + 1 == 'x'", ["age + 1"]), ("length:(name) == 'x'", ["length"]),
        ("name == age", ["“name”", "“age”"]), ("born == name", ["born", "name"]), ("boss == name", ["boss", "name"]), ("SELF > boss", ["no order"]),
        ("age IN boss", ["boss"]), ("TERNARY(age > 1, age, 0) == 'x'", ["age"]), ("CAST(age, 'NSString') == 5 AND age == 'x'", ["age"]),
        ("NOT (age == 'abc')", ["age"]), ("age == 1 OR age == 'abc'", ["age"]),
    ]

    @Test("Kinds that never meet are an error with the key, its type and the constant's, rows or none", arguments: stores, Rows.allCases)
    func refused(_ type: String, _ rows: Rows) throws {
        try expectRefusals(type, rows, Self.refusedTable)
    }

    /// Each predicate is an error of Apple's domain and code that has the words beside it, and none of Swift's type names.
    private func expectRefusals(_ type: String, _ rows: Rows, _ table: [(String, [String])]) throws {
        try Self.answers(type, rows, table.map(\.0)) { index, answer in
            guard case .failure(let error) = answer else {
                Issue.record("\(table[index].0) was answered")
                return
            }
            #expect(error.domain == NSCocoaErrorDomain && error.code == NSCoreDataError)
            expect(error, says: table[index].1)
            for name in ["Optional", "NSCF", "__", "PredicateValue", "integer("] { #expect(!error.localizedDescription.contains(name)) }
        }
    }

    private static let sameTable: [(String, [String])] = [
        ("age == '36'", ["Ada"]), ("age == '5.0'", ["5"]), ("age IN {'5', 36}", ["5", "Ada"]), ("age BETWEEN {'5', '36'}", ["5", "Ada"]),
        ("name == 5", ["5"]), ("5 == name", ["5"]), ("name == 5.0", ["5"]), ("name IN {5}", ["5"]), ("name == '5.0'", ["5.0"]), ("name < 6", ["5", "5.0"]),
        ("name BETWEEN {5, 6}", ["5", "5.0"]), ("born == 1000", ["Ada"]), ("flag == 1", ["Ada"]), ("flag == '1'", ["Ada"]), ("wage == '12.5'", ["5"]),
        ("uid == '6ba7b810-9dad-11d1-80b4-00c04fd430c8'", ["Ada"]), ("site == 'http://a.b/'", ["5"]), ("ANY orders.title == 5", ["5"]),
        ("age CONTAINS '3'", ["Ada"]), ("'5' IN name", ["5", "5.0"]), ("name IN 'x5.0y'", ["5", "5.0"]), ("CAST(age, 'NSString') == 5", ["5"]),
        ("name == YES", []), ("age == nil", []), ("age IN {}", []), ("name != 5 AND name != nil", ["5.0", "Ada"]),
        ("SUBQUERY(orders, $o, $o.title == 5).@count > 0", ["5"]), ("ANY staff.name == 5", ["Ada"]), ("boss.name IN {'Ada', 3}", ["5", "5.0"]),
    ]

    @Test("Kinds that can meet mean the same in both stores and before the save", arguments: stores, [Rows.unsaved, .saved])
    func same(_ type: String, _ rows: Rows) throws {
        let table = Self.sameTable
        try Self.answers(type, rows, table.map(\.0)) { index, answer in
            let found = try answer.get()
            #expect(found == table[index].1, "\(table[index].0)")
        }
    }

    @Test("A number beside a text is the same in evaluate(with:) as in a fetch", arguments: [
        ("name == 5", "5", true), ("name == 5", "5.0", false), ("name IN {5}", "5.0", false), ("name == 5.5", "5.5", true), ("'5.0' == 5", "5", true),
    ])
    func evaluated(_ format: String, _ name: String, _ expected: Bool) {
        #expect(NSPredicate(format: format).evaluate(with: ["name": name]) == expected)
    }

    @Test("An object of another entity tree matches nothing, whatever its row's number", arguments: stores, [
        ("boss == %@", 0), ("boss != %@", 2), ("SELF == %@", 0), ("NOT (SELF == %@)", 3), ("boss IN {%@}", 0), ("SELF IN {%@}", 0), ("%@ IN orders", 0),
        ("orders CONTAINS %@", 0), ("staff CONTAINS %@", 0), ("ANY orders == %@", 0), ("ANY staff != %@", 1), ("SUBQUERY(orders, $o, $o == %@).@count > 0", 0),
        ("%@ == home", 1), ("boss == home", 0), ("SELF == home", 0), ("boss IN {home, SELF}", 0), ("home IN staff", 0), ("staff CONTAINS home", 0),
        ("ANY staff == home", 0), ("SUBQUERY(staff, $s, $s == home).@count > 0", 0), ("TERNARY(age > 0, boss, home) == %@", 1), ("boss.home == %@", 0),
    ])
    func strangers(_ type: String, _ entry: (format: String, count: Int)) throws {
        let stack = try RuntimeStack(type: type, model: Self.model())
        defer { if let url = stack.url { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) } }
        let context = stack.context()
        try context.performAndWait {
            Self.fill(context)
            try context.save()
            let place = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Place")).first)
            let arguments: [Any?] = entry.format.contains("%@") ? [place] : []
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            for constant in arguments.isEmpty ? [arguments] : [arguments, [place.objectID]] {
                request.predicate = try NSPredicate(validating: entry.format, arguments: constant)
                let saved = try context.count(for: request)
                #expect(saved == entry.count, "\(entry.format)")
            }
        }
    }

    private static let emptinessTable: [(String, [String])] = [
        ("orders.@count == 0", []), ("staff.@count == 0", ["5", "5.0"]), ("ANY orders == nil", []), ("ANY staff == nil", []), ("ANY staff != nil", ["Ada"]),
        ("ANY orders IN {}", []), ("NOT (ANY orders IN {})", ["5", "5.0", "Ada"]), ("NONE staff == nil", ["5", "5.0", "Ada"]),
        ("SUBQUERY(staff, $s, TRUEPREDICATE).@count == 0", ["5", "5.0"]), ("length:(name) == 3", ["5.0", "Ada"]),
    ]

    @Test("The empty and the nil of a to-many", arguments: stores, [Rows.unsaved, .saved])
    func emptiness(_ type: String, _ rows: Rows) throws {
        let table = Self.emptinessTable
        try Self.answers(type, rows, table.map(\.0)) { index, answer in
            let found = try answer.get()
            #expect(found == table[index].1, "\(table[index].0)")
        }
    }

    private static let adviceTable: [(String, [String])] = [
        ("orders == nil", ["to-many key not allowed here", "orders.@count == 0"]), ("orders != nil", ["orders.@count > 0"]),
        ("name.length == 5", ["name.length", "length:(name)"]), ("boss.nmae == 'x'", ["nmae", "“name”"]), ("ANY orders.titel == 'x'", ["titel", "“title”"]),
        ("SUBQUERY(orders, $o, $o.titel == 'x').@count > 0", ["titel", "“title”"]), ("ordres.@count == 0", ["ordres", "“orders”"]),
        ("orders.@sum.totl > 1", ["totl", "“total”"]), ("orders.@cuont == 1", ["@cuont", "“@count”"]),
    ]

    @Test("What Apple refuses of them is refused with what to write instead", arguments: stores, Rows.allCases)
    func advice(_ type: String, _ rows: Rows) throws {
        try expectRefusals(type, rows, Self.adviceTable)
    }
}
