import CoreData
import Foundation
import Testing

@Suite("Fetched results controller")
struct FetchedResultsControllerTests {
    private let people = [("Carol", "Sales", 10), ("Alice", "Engineering", 22), ("Bob", "Engineering", 25)]

    /// The log of one change, made and announced on the context's queue.
    private func log(_ fixture: ResultsFixture, _ change: () throws -> Void) throws -> [String] {
        try fixture.context.performAndWait {
            try change()
            fixture.context.processPendingChanges()
            return fixture.log
        }
    }

    @Test("FR02, FR03, FR05, FR20: Sections, paths and index titles", arguments: [NSInMemoryStoreType, NSSQLiteStoreType])
    func sections(type: String) throws {
        let fixture = try ResultsFixture(type: type, people: people)
        try fixture.context.performAndWait {
            #expect(fixture.shown == [["Alice", "Bob"], ["Carol"]])
            #expect(fixture.controller.sections?.map(\.name) == ["Engineering", "Sales"])
            #expect(fixture.controller.sections?.map(\.numberOfObjects) == [2, 1])
            #expect(fixture.controller.sectionIndexTitles == ["E", "S"])
            let carol = try #require(try fixture.person("Carol"))
            #expect(fixture.controller.indexPath(forObject: carol) == IndexPath(row: 0, section: 1))
            #expect(fixture.controller.object(at: IndexPath(row: 0, section: 1)) === carol)
            let stranger = NSEntityDescription.insertNewObject(forEntityName: "Animal", into: fixture.context)
            #expect(fixture.controller.indexPath(forObject: stranger) == nil)
            let fresh = NSFetchedResultsController(
                fetchRequest: fixture.controller.fetchRequest, managedObjectContext: fixture.context, sectionNameKeyPath: nil, cacheName: nil)
            #expect(fresh.fetchedObjects == nil)
            try fresh.performFetch()
            #expect(fresh.sections?.count == 1)
        }
    }

    @Test("FR06, FR07: An insertion, into a section that is there and into a new one")
    func insertions() throws {
        let fixture = try ResultsFixture(people: [("Alice", "Engineering", 1)])
        try #expect(log(fixture) { ResultsFixture.insert("Bob", "Engineering", 1, into: fixture.context) }
            == ["will", "insert Bob - (0,1)", "did 2"])
        fixture.log = []
        try #expect(log(fixture) { ResultsFixture.insert("Zoe", "Sales", 1, into: fixture.context) }
            == ["will", "insert section Sales 1", "insert Zoe - (1,0)", "did 3"])
    }

    @Test("FR08, FR11: A deletion, and that of a section's last object")
    func deletions() throws {
        let fixture = try ResultsFixture(people: people)
        try #expect(log(fixture) { try fixture.delete("Bob") }
            == ["will", "delete Bob (0,1) -", "did 2"])
        fixture.log = []
        try #expect(log(fixture) { try fixture.delete("Carol") }
            == ["will", "delete section Sales 1", "delete Carol (1,0) -", "did 1"])
    }

    @Test("FR09, FR12: An edit that moves nothing is an update, also of a sort key")
    func updates() throws {
        let fixture = try ResultsFixture(people: people)
        try #expect(log(fixture) { try fixture.person("Alice")?.setValue(99, forKey: "salary") } == ["will", "update Alice (0,0) -", "did 3"])
        fixture.log = []
        try #expect(log(fixture) { try fixture.person("Alice")?.setValue("Al", forKey: "name") } == ["will", "update Al (0,0) -", "did 3"])
    }

    @Test("FR10, FR13: A row that changes place or section is one move")
    func moves() throws {
        let fixture = try ResultsFixture(people: people)
        try #expect(log(fixture) { try fixture.person("Bob")?.setValue("Sales", forKey: "team") }
            == ["will", "move Bob (0,1) (1,0)", "did 3"])
        fixture.log = []
        try #expect(log(fixture) { try fixture.person("Bob")?.setValue("Dan", forKey: "name") }
            == ["will", "move Dan (1,0) (1,1)", "did 3"])
    }

    @Test("FR14, FR15, FR16: The predicate decides who joins, who leaves, and whether anybody is told")
    func membership() throws {
        let fixture = try ResultsFixture(sectioned: false, predicate: NSPredicate(format: "salary > 5"), people: [("A", "", 10), ("B", "", 1)])
        try #expect(log(fixture) { try fixture.person("A")?.setValue(1, forKey: "salary") } == ["will", "delete A (0,0) -", "did 0"])
        fixture.log = []
        try #expect(log(fixture) { try fixture.person("B")?.setValue(30, forKey: "salary") } == ["will", "insert B - (0,0)", "did 1"])
        fixture.log = []
        try #expect(log(fixture) { try fixture.person("A")?.setValue(2, forKey: "salary") } == [])
        try #expect(log(fixture) { NSEntityDescription.insertNewObject(forEntityName: "Animal", into: fixture.context) } == [])
    }

    @Test("FR17: In one batch, deletions count before and insertions after")
    func batch() throws {
        let fixture = try ResultsFixture(sectioned: false, people: [("A", "", 1), ("C", "", 1), ("E", "", 1)])
        let log = try log(fixture) {
            try fixture.delete("A")
            ResultsFixture.insert("B", "", 1, into: fixture.context)
            try fixture.person("C")?.setValue("Z", forKey: "name")
        }
        #expect(log == ["will", "delete A (0,0) -", "insert B - (0,0)", "move Z (0,1) (0,2)", "did 3"])
    }

    @Test("FR18: Sections that come again are an error, FR21: nil is the section without name")
    func outOfOrder() throws {
        let fixture = try ResultsFixture(people: people)
        try fixture.context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "salary", ascending: true)]
            ResultsFixture.insert("Dora", "Sales", 99, into: fixture.context)
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: fixture.context, sectionNameKeyPath: "team", cacheName: nil)
            #expect(throws: (any Error).self) { try controller.performFetch() }
            try fixture.person("Alice")?.setValue(nil, forKey: "team")
            try fixture.controller.performFetch()
            #expect(fixture.controller.sections?.map(\.name) == ["", "Engineering", "Sales"])
        }
    }

    @Test("FR22, FR23: Merges bring insertions, and rows nobody held that match now", arguments: [NSInMemoryStoreType, NSSQLiteStoreType])
    func merges(type: String) throws {
        let fixture = try ResultsFixture(type: type, sectioned: false, predicate: NSPredicate(format: "salary > 5"), people: [("A", "", 10), ("B", "", 1)])
        let other = fixture.stack.context()
        func merge(_ change: () throws -> Void) throws -> [String] {
            nonisolated(unsafe) var note: Notification?
            let observer = NotificationCenter.default.addObserver(forName: .NSManagedObjectContextDidSave, object: other, queue: nil) { note = $0 }
            defer { NotificationCenter.default.removeObserver(observer) }
            try other.performAndWait {
                try change()
                try other.save()
            }
            let saved = try #require(note)
            fixture.log = []
            return fixture.context.performAndWait {
                fixture.context.mergeChanges(fromContextDidSave: saved)
                return fixture.log
            }
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        try #expect(merge { ResultsFixture.insert("C", "", 7, into: other) } == ["will", "insert C - (0,1)", "did 2"])
        try #expect(merge {
            request.predicate = NSPredicate(format: "name == 'B'")
            try other.fetch(request).first?.setValue(70, forKey: "salary")
        } == ["will", "insert B - (0,1)", "did 3"])
        try #expect(merge {
            request.predicate = NSPredicate(format: "name == 'A'")
            try other.fetch(request).first?.setValue(0, forKey: "salary")
        } == ["will", "delete A (0,0) -", "did 2"])
    }

    @Test("FR24, FR26: A reset tells nothing; without a delegate nothing is kept up to date")
    func resetAndNoDelegate() throws {
        let fixture = try ResultsFixture(people: people)
        try fixture.context.performAndWait {
            fixture.controller.delegate = nil
            try fixture.delete("Bob")
            fixture.context.processPendingChanges()
            #expect(fixture.controller.fetchedObjects?.count == 3)
            fixture.context.rollback()
            fixture.controller.delegate = fixture
            fixture.log = []
            fixture.context.reset()
            #expect(fixture.log == [])
            try fixture.controller.performFetch()
            #expect(fixture.shown == [["Alice", "Bob"], ["Carol"]])
        }
    }
}
