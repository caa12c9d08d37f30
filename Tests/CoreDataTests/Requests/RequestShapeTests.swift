import CoreData
import Foundation
import Testing

/// Requests that differ from one before in their constants only go a shorter way. It must lead to the same place.
@Suite("Requests of one shape")
struct RequestShapeTests {
    private let store: FirmStore
    private let context: NSManagedObjectContext

    init() throws {
        store = try FirmStore.filled(departments: 2, employees: 20)
        context = store.context()
    }

    private func request(_ format: String, _ arguments: [Any?], sort: String? = nil, ascending: Bool = true) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        request.sortDescriptors = sort.map { [NSSortDescriptor(key: $0, ascending: ascending)] }
        return request
    }

    private func salaries(_ request: NSFetchRequest<NSManagedObject>) throws -> [Int] {
        try context.fetch(request).compactMap { $0.value(forKey: "salary") as? Int }
    }

    @Test("Each constant finds its own rows, as objects and as counts")
    func constants() throws {
        for salary in [3, 7, 3, 19, 99, 7, -1] {
            let expected = (0..<20).contains(salary) ? [salary, salary] : []
            #expect(try salaries(request("salary == %@", [salary])) == expected)
            #expect(try context.count(for: request("salary == %@", [salary])) == expected.count)
        }
    }

    @Test("A constant of another kind is another shape: nil, fractions, texts that read as numbers or do not")
    func kinds() throws {
        for _ in 0..<4 {
            #expect(try context.count(for: request("salary == %@", [nil])) == 0)
            #expect(try context.count(for: request("salary != %@", [nil])) == 40)
            #expect(try context.count(for: request("salary < %@", [nil])) == 0)
            #expect(try context.count(for: request("salary == %@", [5])) == 2)
            #expect(try context.count(for: request("salary == %@", [5.0])) == 2)
            #expect(try context.count(for: request("salary < %@", [5.5])) == 12)
            #expect(try context.count(for: request("salary == %@", ["5"])) == 2)
            #expect(throws: (any Error).self) { try context.count(for: request("salary == %@", ["five"])) }
            #expect(try context.count(for: request("name == %@", ["employee 1.5"])) == 1)
            #expect(try context.count(for: request("name == %@", ["employee 1.x"])) == 0)
            #expect(try context.count(for: request("salary == %@ OR name == %@", [nil, "employee 1.5"])) == 1)
        }
    }

    @Test("Lists of many lengths and kinds, each with its own values")
    func lists() throws {
        for _ in 0..<3 {
            for values in [[3], [3, 5], [3, 5, 7], [0, 1, 2, 3, 4], [19, 99], Array(0..<16), [], [4, 4, 4], Array(0..<600)] {
                let expected = Set(values).intersection(0..<20).count * 2
                #expect(try context.count(for: request("salary IN %@", [values])) == expected)
                #expect(try context.count(for: request("NOT salary IN %@", [values])) == 40 - expected)
                #expect(try context.count(for: request("salary IN %@ AND salary < %@", [Set(values), 4])) == Set(values).intersection(0..<4).count * 2)
            }
            #expect(try context.count(for: request("salary IN {%@, %@}", [3, 4])) == 4)
            #expect(try context.count(for: request("salary IN {%@, %@}", [3, nil])) == 2)
            #expect(try context.count(for: request("NOT salary IN {%@, %@}", [3, nil])) == 0)
            #expect(try context.count(for: request("salary IN %@", [[3.0, 4.5]])) == 2)
            #expect(try context.count(for: request("salary IN %@", [["3", "4"]])) == 4)
            #expect(throws: (any Error).self) { try context.count(for: request("salary IN %@", [["3", "four"]])) }
            #expect(try context.count(for: request("name IN %@", [["employee 0.1", "EMPLOYEE 1.2"]])) == 1)
            #expect(try context.count(for: request("name IN[c] %@", [["employee 0.1", "EMPLOYEE 1.2"]])) == 2)
            #expect(try context.count(for: request("name IN[c] %@", [["EMPLOYEE 0.3", "nobody"]])) == 1)
        }
    }

    @Test("Bounds, and texts that others begin with")
    func ranges() throws {
        for _ in 0..<3 {
            for (low, high) in [(3, 7), (0, 0), (7, 3), (-5, 50)] {
                let expected = (0..<20).count { $0 >= low && $0 <= high } * 2
                #expect(try context.count(for: request("salary BETWEEN %@", [[low, high]])) == expected)
                #expect(try context.count(for: request("salary BETWEEN {%@, %@}", [low, high])) == expected)
                #expect(try context.count(for: request("NOT salary BETWEEN {%@, %@}", [low, high])) == 40 - expected)
            }
            #expect(try context.count(for: request("salary BETWEEN %@", [[2.5, 4.0]])) == 4)
            #expect(try context.count(for: request("salary BETWEEN {%@, %@}", [nil, 4])) == 0)
            #expect(throws: (any Error).self) { try context.count(for: request("salary BETWEEN %@", [[1, 2, 3]])) }
            for (prefix, expected) in [("employee 1", 20), ("employee 1.1", 11), ("e", 40), ("", 40), ("E", 0), ("employee 0.7", 1), ("é", 0), ("\u{10FFFF}", 0)] {
                #expect(try context.count(for: request("name BEGINSWITH %@", [prefix])) == expected, "\(prefix)")
                #expect(try context.count(for: request("NOT name BEGINSWITH %@ AND salary >= %@", [prefix, 0])) == 40 - expected, "\(prefix)")
                #expect(try context.count(for: request("name BEGINSWITH[c] %@", [prefix])) == (prefix == "E" ? 40 : expected), "\(prefix)")
            }
            #expect(try context.count(for: request("salary BEGINSWITH %@", ["1"])) == 22)
            #expect(try context.count(for: request("salary BEGINSWITH %@", ["2"])) == 2)
            #expect(try context.count(for: request("name BEGINSWITH %@", [nil])) == 0)
        }
        let fresh = NSEntityDescription.insertNewObject(forEntityName: "Employee", into: context)
        fresh.setValue("employee 1.1x", forKey: "name")
        #expect(try context.count(for: request("name BEGINSWITH %@", ["employee 1.1"])) == 12)
        #expect(try context.count(for: request("name IN %@", [["employee 1.1x", "employee 1.1"]])) == 2)
    }

    @Test("The window and the order are each request's own")
    func windows() throws {
        for limit in [3, 0, 5, 1] {
            for offset in [0, 2, 18, 40] {
                for ascending in [true, false] {
                    let asked = request("salary >= %@", [limit], sort: "salary", ascending: ascending)
                    (asked.fetchLimit, asked.fetchOffset) = (limit, offset)
                    let all = (limit..<20).flatMap { [$0, $0] }
                    let rest = Array((ascending ? all : all.reversed()).dropFirst(offset))
                    #expect(try salaries(asked) == (limit > 0 ? Array(rest.prefix(limit)) : rest))
                    #expect(try context.count(for: asked) == min(limit > 0 ? limit : rest.count, rest.count))
                }
            }
        }
    }

    @Test("Objects as constants, saved and not, and paths through relationships")
    func objects() throws {
        let departments = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Department"))
        let fresh = NSEntityDescription.insertNewObject(forEntityName: "Department", into: context)
        for _ in 0..<3 {
            for department in departments {
                #expect(try context.count(for: request("dept == %@", [department])) == 20)
                let name = try #require(department.value(forKey: "name") as? String)
                #expect(try context.count(for: request("dept IN %@", [[department, fresh]])) == 20)
                #expect(try context.count(for: request("dept.name BEGINSWITH %@ AND dept IN %@", [name, [department.objectID]])) == 20)
                #expect(try context.count(for: request("dept.name == %@ AND salary < %@", [name, 4])) == 4)
            }
            #expect(try context.count(for: request("dept == %@", [fresh])) == 0)
        }
    }

    @Test("Unsaved changes count, and a store that was taken out and added again answers")
    func changes() throws {
        for salary in 0..<3 { #expect(try salaries(request("salary == %@", [salary])).count == 2) }
        let first = try #require(try context.fetch(request("salary == %@", [4])).first)
        first.setValue(5, forKey: "salary")
        #expect(try salaries(request("salary == %@", [5])) == [5, 5, 5])
        #expect(try salaries(request("salary == %@", [4])) == [4])
        context.rollback()
        let old = try #require(store.coordinator.persistentStores.first)
        let url = try #require(old.url)
        try store.coordinator.remove(old)
        #expect(throws: (any Error).self) { try context.count(for: request("salary == %@", [5])) }
        try store.coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        for salary in 0..<3 { #expect(try salaries(request("salary == %@", [salary])).count == 2) }
    }
}
