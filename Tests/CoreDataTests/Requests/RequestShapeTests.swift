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
