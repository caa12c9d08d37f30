import CoreData
import Testing

@Suite("Bad input: predicates and requests")
struct UnusablePredicateTests {
    @Test("A format that is no predicate is an error with the position of the mistake", arguments: [
        ("name ==", 7), ("name = 'Ada", 7), ("(name == 'Ada'", 14), ("name == 'Ada')", 13), ("== 3", 0), ("name LIEK 'a'", 5), ("", 0),
        ("name == 'Ada' AND", 17), ("name == 'é' AN salary > 3", 12),
    ] as [(String, Int)])
    func syntax(format: String, position: Int) throws {
        let error = try cocoaError { _ = try NSPredicate(validating: format) }
        #expect(error.code == 2048)
        expect(error, says: ["“\(format)”", "at position \(position):"])
    }

    @Test("Arguments that are too few, too many or of the wrong kind are errors that say so", arguments: [
        ("name == %@", 0, "1"), ("name == %@ AND salary > %@", 1, "2"), ("name == %@", 2, "2"), ("name == 'Ada'", 1, "1"),
        ("%K == 3", 0, "1"),
    ])
    func argumentCount(format: String, given: Int, part: String) throws {
        let arguments: [Any?] = (0..<given).map { "value \($0)" }
        let error = try cocoaError { _ = try NSPredicate(validating: format, arguments: arguments) }
        expect(error, says: ["“\(format)”", part, "argument"])
    }

    @Test("A key that is no text names the placeholder")
    func keyArgument() throws {
        expect(try cocoaError { _ = try NSPredicate(validating: "%K == 3", arguments: [5]) }, says: ["%K"])
    }

    @Test("An unknown key in a fetch is thrown, naming entity and nearest key", arguments: [NSInMemoryStoreType, NSSQLiteStoreType])
    func unknownKey(type: String) throws {
        let stack = try RuntimeStack(type: type)
        defer { if let url = stack.url { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) } }
        let context = stack.context()
        for (format, parts) in [
            ("nmae == 'Ada'", ["nmae", "Employee", "“name”"]), ("dept.nam == 'R&D'", ["nam", "Department", "“name”"]),
            ("dpet.name == 'R&D'", ["dpet", "Employee", "“dept”"]), ("salary.name == 3", ["salary"]), ("zzzzzz == 3", ["zzzzzz", "Employee", "salary"]),
            ("salary BETWEEN 3", ["BETWEEN"]),  ("salary BETWEEN {1, 2, 3}", ["BETWEEN", "3"]), ("name MATCHES '['", ["["]),
        ] {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
            request.predicate = try NSPredicate(validating: format)
            try context.performAndWait {
                expect(try cocoaError { _ = try context.fetch(request) }, says: parts)
                expect(try cocoaError { _ = try context.count(for: request) }, says: parts)
            }
        }
        let sorted = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        sorted.sortDescriptors = [NSSortDescriptor(key: "hierd", ascending: true)]
        try context.performAndWait { expect(try cocoaError { _ = try context.fetch(sorted) }, says: ["hierd", "“hired”"]) }
    }

    @Test("An unknown entity in a fetch is thrown, naming the nearest one")
    func unknownEntity() throws {
        let context = try RuntimeStack().context()
        try context.performAndWait {
            expect(try cocoaError { _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Employe")) }, says: ["Employe", "“Employee”"])
            expect(try cocoaError { _ = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Zebra")) }, says: ["Zebra", "Department, Employee"])
        }
    }
}
