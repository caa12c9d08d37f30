import CoreData
import Testing

/// Predicates that cannot be used, parsed and executed: the error says where and what, and what there is instead.
@Suite struct BadPredicateTests {
    private func failure(_ format: String, _ arguments: [Any?] = []) throws -> NSPredicate.FormatError {
        let error = #expect(throws: NSPredicate.FormatError.self) { try NSPredicate(validating: format, arguments: arguments) }
        let found = try #require(error)
        #expect(found.format == format && (found as NSError).domain == NSCocoaErrorDomain && (found as NSError).code == 2048)
        return found
    }

    @Test("Bad syntax has the position it was noticed at", arguments: [
        ("name BEGINSWITH[c 'S'", 18), ("name ==", 7), ("", 0), ("name == 'open", 8), ("(age > 1", 8), ("age > 1)", 7), ("age > > 1", 6),
        ("age ! 1", 4), ("name == 'é' AND", 15), ("ALL", 3), ("age BETWEEN {1, 2", 17),
    ])
    func syntax(_ format: String, _ position: Int) throws {
        let error = try failure(format)
        #expect(error.position == position, "\(error)")
        #expect(error.localizedDescription.contains("position \(position)") && !error.reason.isEmpty)
    }

    @Test("Too few and too many arguments are counted in the error", arguments: [
        ("age > %@", [], "needs 1 argument, 0 were given"), ("age > %@ AND name == %@", [1], "needs 2 arguments, 1 was given"),
        ("age > 1", [1], "needs 0 arguments, 1 was given"), ("%K == %@", ["age", 1, 2], "needs 2 arguments, 3 were given"),
    ] as [(String, [any Sendable], String)])
    func counts(_ format: String, _ arguments: [any Sendable], _ text: String) throws {
        let error = try failure(format, arguments)
        #expect(error.localizedDescription.contains(text), "\(error)")
    }

    @Test("An argument of the wrong kind is refused", arguments: [("%K == 1", [1]), ("age > %d", ["x"])] as [(String, [any Sendable])])
    func kinds(_ format: String, _ arguments: [any Sendable]) throws { _ = try failure(format, arguments) }

    @Test("A fetch with an unknown key throws, naming the entity and the nearest key, in either store", arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
    func unknownKeys(_ type: String) throws {
        let context = try RuntimeStack(type: type).context()
        try context.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Employee", into: context).setValue("Ann", forKey: "name")
            try context.save()
            for (format, entity, key) in [("salry > 1", "Employee", "salary"), ("dept.nam == 'x'", "Department", "name")] {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
                request.predicate = try NSPredicate(validating: format)
                let error = #expect(throws: (any Error).self) { try context.fetch(request) }
                let text = error?.localizedDescription ?? ""
                #expect(text.contains(entity) && text.contains("“\(key)”"), "\(text)")
                #expect(throws: (any Error).self) { try context.count(for: request) }
            }
            let all = NSFetchRequest<NSManagedObject>(entityName: "Employee")
            let count = try context.count(for: all)
            #expect(count == 1, "the context goes on")
        }
    }

    @Test("A fetch from an entity that is not there throws, naming it")
    func unknownEntity() throws {
        let context = try RuntimeStack().context()
        context.performAndWait {
            let error = #expect(throws: (any Error).self) { try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Employe")) }
            #expect(error?.localizedDescription.contains("Employe") == true)
        }
    }
}
