import CoreData
import Foundation
import Testing

@Suite("Deep predicates")
struct DeepPredicateTests {
    private func count(_ predicate: NSPredicate, type: String) throws -> Int {
        let context = try RuntimeStack(type: type).context()
        return try context.performAndWait {
            for name in ["a", "b7", "z"] {
                NSEntityDescription.insertNewObject(forEntityName: "Department", into: context).setValue(name, forKey: "name")
            }
            try context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Department")
            request.predicate = predicate
            return try context.count(for: request)
        }
    }

    private func name(_ text: String, is operation: String = "==") -> NSPredicate {
        NSPredicate(format: "name \(operation) %@", text)
    }

    @Test("Predicates folded together one by one answer as flat ones do", arguments: [NSInMemoryStoreType, NSSQLiteStoreType])
    func folded(type: String) throws {
        let any = (0..<900).reduce(name("a")) { NSCompoundPredicate(orPredicateWithSubpredicates: [$0, name("b\($1)")]) }
        try #expect(count(any, type: type) == 2)
        let all = (0..<900).reduce(name("a")) { NSCompoundPredicate(andPredicateWithSubpredicates: [name("b\($1)", is: "!="), $0]) }
        try #expect(count(all, type: type) == 1)
        let not = (0..<901).reduce(name("a")) { part, _ in NSCompoundPredicate(notPredicateWithSubpredicate: part) }
        try #expect(count(not, type: type) == 2)
        let mixed = (0..<25).reduce(name("a")) { part, _ in
            NSCompoundPredicate(andPredicateWithSubpredicates: [
                NSCompoundPredicate(orPredicateWithSubpredicates: [part, name("b7")]), name("q", is: "!="),
            ])
        }
        try #expect(count(mixed, type: type) == 2)
    }

    @Test("Kinds that alternate deeper than SQL can follow are an error with advice", arguments: [
        (NSInMemoryStoreType, 200), (NSSQLiteStoreType, 200), (NSInMemoryStoreType, 3_000), (NSSQLiteStoreType, 3_000),
    ])
    func alternating(type: String, levels: Int) throws {
        let deep = (0..<levels).reduce(name("a")) { part, index in
            index % 2 == 0
                ? NSCompoundPredicate(orPredicateWithSubpredicates: [part, name("b")])
                : NSCompoundPredicate(andPredicateWithSubpredicates: [part, name("c", is: "!=")])
        }
        let error = #expect(throws: (any Error).self) { try count(deep, type: type) }
        #expect((error as NSError?)?.localizedDescription.contains("levels deep") == true)
    }
}
