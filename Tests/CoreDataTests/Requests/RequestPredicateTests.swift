import CoreData
import Foundation
import Testing

/// Constants that only the graph understands: entities, objects' keys, objects of other stores, long lists.
@Suite("Constants of a request's predicate")
struct RequestPredicateTests {
    @Test("Entity tests: a description, its name, a list, of the members of a to-many, saved and pending", arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
    func entities(kind: String) throws {
        let store = try RequestStore(type: kind), context = store.context()
        let entities = store.coordinator.managedObjectModel.entitiesByName
        let person = try #require(entities["Person"]), manager = try #require(entities["Manager"])
        let max = NSEntityDescription.insertNewObject(forEntityName: "Manager", into: context)
        max.setValue("max", forKey: "name")
        let managers = ["max", "p04", "p14", "p24"]
        #expect(try context.names("Person", NSPredicate(format: "entity == %@", manager)) == managers)
        #expect(try context.names("Person", NSPredicate(format: "self.entity == %@", manager)) == managers)
        #expect(try context.names("Person", NSPredicate(format: "entity.name == 'Manager'")) == managers)
        #expect(try context.names("Person", NSPredicate(format: "entity IN %@", [manager])) == managers)
        #expect(try context.names("Person", NSPredicate(format: "entity IN %@", [manager, person])).count == 16)
        #expect(try context.names("Person", NSPredicate(format: "entity != %@", person)) == managers)
        #expect(try context.names("Person", NSPredicate(format: "NOT (entity == %@)", manager)).count == 12)
        #expect(try context.names("Person", NSPredicate(format: "entity.name == 'Nobody'")) == [])
        #expect(try context.names("Person", NSPredicate(format: "entity.name BEGINSWITH 'Man'")) == managers)
        #expect(try context.names("Dept", NSPredicate(format: "ANY people.entity == %@", manager)) == ["d0", "d1", "d2"])
        #expect(try context.names("Dept", NSPredicate(format: "SUBQUERY(people, $p, $p.entity == %@).@count == 4", person)) == ["d0", "d1", "d2"])
        #expect(try context.names("Person", NSPredicate(format: "dept.boss.entity == %@", manager)).count == 15)
        #expect(NSPredicate(format: "entity == %@", manager).evaluate(with: max) && !NSPredicate(format: "entity == %@", person).evaluate(with: max))
        #expect(NSPredicate(format: "entity.name == 'Manager'").evaluate(with: max))
        #expect(message { _ = try context.names("Person", NSPredicate(format: "entity.nmae == 'x'")) }.contains("only its name"))
        #expect(message { _ = try context.names("Person", nil, by: ["entity"]) }.contains("cannot be sorted by"))
    }

    @Test("Keys of an object in the predicate are read before the fetch, which stays SQL")
    func keysOfConstants() throws {
        let context = try RequestStore(options: [OnlySQLStoreOption: true]).context()
        let person = try context.fetch(context.request("Person"))[7]
        let template = NSPredicate(format: "dept == $WHO.dept AND age > $WHO.age")
        #expect(try context.names("Person", template.withSubstitutionVariables(["WHO": person])) == ["p13", "p14"])
        let friends = NSPredicate(format: "SELF IN $WHO.dept.people AND SELF != $WHO").withSubstitutionVariables(["WHO": person])
        #expect(try context.names("Person", friends) == ["p10", "p11", "p13", "p14"])
        person.setValue(3, forKey: "age")
        #expect(try context.names("Person", template.withSubstitutionVariables(["WHO": person])) == ["p14"])
        #expect(message { _ = try context.names("Person", NSPredicate(format: "age > $WHO.aeg").withSubstitutionVariables(["WHO": person])) }.contains("aeg"))
    }

    @Test("Objects of another store, another entity, or not saved yet match nothing, and NOT of them everything")
    func strangers() throws {
        let store = try RequestStore()
        let second = try store.addStore(departments: 1)
        let context = store.context()
        let request = context.request("Person")
        request.affectedStores = [second]
        let theirs = try context.fetch(request)
        let new = NSEntityDescription.insertNewObject(forEntityName: "Dept", into: context)
        func count(_ format: String, _ value: Any) throws -> Int { try context.count(for: context.request("Person", NSPredicate(format: format, value))) }
        #expect(try count("SELF IN %@", theirs) == 5 && count("NOT (SELF IN %@)", theirs) == 15)
        #expect(try count("SELF IN %@", theirs.map(\.objectID)) == 5)
        #expect(try count("dept == %@", new) == 0 && count("dept != %@", new) == 20)
        #expect(try count("SELF == %@", new) == 0)
    }

    @Test("Lists of 100,000 strings, numbers, objects and IDs, and NOT of them", .timeLimit(.minutes(2)))
    func longLists() throws {
        let store = try RequestStore(), context = store.context()
        func count(_ format: String, _ list: [Any]) throws -> Int { try context.count(for: context.request("Person", NSPredicate(format: format, list))) }
        let names = (0..<100_000).map { "p\($0)" }, codes = Array(3..<100_003)
        // p00 … p04 are written otherwise.
        #expect(try count("name IN %@", names) == 10)
        #expect(try count("NOT (name IN %@)", names) == 5)
        #expect(try count("code IN %@", codes) == 12)
        #expect(try count("name IN %@ OR code IN {0, 1}", names) == 12)
        let ids = try context.fetch(context.request("Person")).map(\.objectID)
        #expect(try count("SELF IN %@", (0..<100_000).map { ids[$0 % 10] }) == 10)
        #expect(try count("NOT (SELF IN %@)", (0..<100_000).map { ids[$0 % 10] }) == 5)
        #expect(try context.count(for: context.request("Dept", NSPredicate(format: "ANY people.name IN %@", names))) == 2)
        // An unsaved object is tested against the list too.
        NSEntityDescription.insertNewObject(forEntityName: "Person", into: context).setValue("p99999", forKey: "name")
        #expect(try count("name IN %@", names) == 11)
    }

    @Test("Date arithmetic is SQL", arguments: [
        ("hired + 86400 > %@", ["p04"]), ("hired > %@ - 86400", ["p03", "p04"]), ("hired - %@ <= -259200", ["p00"]), ("hired == %@ - 86400 * 2", ["p01"]),
    ])
    func dateArithmetic(format: String, expected: [String]) throws {
        let context = try RequestStore(departments: 1, options: [OnlySQLStoreOption: true]).context()
        let date = Date(timeIntervalSinceReferenceDate: 3 * 86_400)
        let shown = format.hasPrefix("hired +") ? date.addingTimeInterval(86_400 + 3_600) : date
        #expect(try context.names("Person", NSPredicate(format: format, shown)) == expected)
    }
}
