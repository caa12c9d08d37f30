import CoreData
import Foundation
import Testing

@Suite("Results: changes and the delegate")
struct ResultChangeTests {
    @Test("FR06: an insert between others", arguments: bothStores)
    func insert(_ type: String) throws {
        let crew = try Crew([("Alice", "Engineering", 1), ("Carol", "Sales", 1)], type: type)
        try crew.fetch()
        try #expect(crew.changing { $0.hire("Bob", "Engineering") } == ["insert Bob -(0,1)"])
        #expect(crew.contents == "[Engineering: Alice,Bob][Sales: Carol]")
        try #expect(crew.changing { try $0.save() } == [])
    }

    @Test("FR07: the first object of a team; the section comes before it")
    func newSection() throws {
        let crew = try Crew.standard()
        try #expect(crew.changing { $0.hire("Dan", "Legal") } == ["section insert Legal 1", "insert Dan -(1,0)"])
        #expect(crew.contents == "[Engineering: Alice,Bob][Legal: Dan][Sales: Carol]")
    }

    @Test("FR08: a delete", arguments: bothStores)
    func delete(_ type: String) throws {
        let crew = try Crew.standard(type)
        try #expect(crew.changing { $0.delete(try $0.person("Bob")) } == ["delete Bob (0,1)-"])
        #expect(crew.contents == "[Engineering: Alice][Sales: Carol]")
    }

    @Test("FR09: a change that decides nothing is one update", arguments: bothStores)
    func update(_ type: String) throws {
        let crew = try Crew.standard(type)
        try #expect(crew.changing { try $0.person("Alice").setValue(99, forKey: "salary") } == ["update Alice (0,0)(0,0)"])
    }

    @Test("FR09: among equals, the changed object keeps its place")
    func updateAmongEquals() throws {
        let crew = try Crew([("X", "T", 1), ("X", "T", 2), ("X", "T", 3)])
        try crew.fetch()
        for row in 0..<3 {
            try #expect(crew.changing { _ in
                crew.controller.object(at: IndexPath(row: row, section: 0)).setValue(50, forKey: "salary")
            } == ["update X (0,\(row))(0,\(row))"])
        }
    }

    @Test("FR10: a change of team is one move, into a section that comes", arguments: bothStores)
    func moveToNewSection(_ type: String) throws {
        let crew = try Crew([("Alice", "Engineering", 1), ("Bob", "Engineering", 1)], type: type)
        try crew.fetch()
        try #expect(crew.changing { try $0.person("Bob").setValue("Sales", forKey: "team") }
            == ["section insert Sales 1", "move Bob (0,1)(1,0)"])
        #expect(crew.contents == "[Engineering: Alice][Sales: Bob]")
    }

    @Test("FR11: the last object of a section takes the section along")
    func lastOfSection() throws {
        let crew = try Crew.standard()
        try #expect(crew.changing { $0.delete(try $0.person("Carol")) } == ["section delete Sales 1", "delete Carol (1,0)-"])
        try #expect(crew.changing { try $0.person("Alice").setValue("Zoo", forKey: "team") } == ["section insert Zoo 1", "move Alice (0,0)(1,0)"])
        try #expect(crew.changing { try $0.person("Bob").setValue("Zoo", forKey: "team") } == ["section delete Engineering 0", "move Bob (0,0)(0,1)"])
    }

    @Test("FR12, B05: a changed sort key that leaves the row where it is is an update")
    func sameRow() throws {
        let crew = try Crew.standard()
        try #expect(crew.changing { try $0.person("Alice").setValue("Aaron", forKey: "name") } == ["update Aaron (0,0)(0,0)"])
        // Deleted before it, passed behind it: the same index path once more.
        let row = try Crew([("A", "T", 1), ("B", "T", 1), ("C", "T", 1)])
        try row.fetch()
        try #expect(row.changing {
            $0.delete(try $0.person("A"))
            try $0.person("B").setValue("D", forKey: "name")
        } == ["delete A (0,0)-", "move C (0,2)(0,0)", "update D (0,1)(0,1)"])
        #expect(row.contents == "[T: C,D]")
        // The only row takes its section along.
        let only = try Crew([("A", "T", 1)])
        try only.fetch()
        try #expect(only.changing { try $0.person("A").setValue("U", forKey: "team") }
            == ["section delete T 0", "section insert U 0", "delete A (0,0)-", "insert A -(0,0)"])
    }

    @Test("FR13: a changed sort key that moves the row is one move and no update")
    func move() throws {
        let crew = try Crew([("A", "T", 1), ("B", "T", 1), ("C", "T", 1)])
        try crew.fetch()
        try #expect(crew.changing {
            try $0.person("A").setValue(7, forKey: "salary")
            try $0.person("A").setValue("D", forKey: "name")
        } == ["move D (0,0)(0,2)"])
    }

    @Test("FR14, FR15: what no longer matches is deleted, what matches now inserted", arguments: bothStores)
    func membership(_ type: String) throws {
        let crew = try Crew.standard(type, predicate: NSPredicate(format: "salary > 5"))
        #expect(crew.contents == "[Engineering: Alice][Sales: Carol]")
        try #expect(crew.changing { try $0.person("Bob").setValue(30, forKey: "salary") } == ["insert Bob -(0,1)"])
        try #expect(crew.changing { try $0.person("Alice").setValue(1, forKey: "salary") } == ["delete Alice (0,0)-"])
        try crew.context.performAndWait { try #expect(crew.controller.indexPath(forObject: crew.context.person("Alice")) == nil) }
        try #expect(crew.changing { try $0.person("Bob").setValue(nil, forKey: "salary") } == ["section delete Engineering 0", "delete Bob (0,0)-"])
    }

    @Test("FR16: what is of no interest is not announced at all")
    func noInterest() throws {
        let crew = try Crew.standard(predicate: NSPredicate(format: "salary > 5"))
        try crew.changing { NSEntityDescription.insertNewObject(forEntityName: "Thing", into: $0).setValue("T", forKey: "name") }
        #expect(crew.log.lines.isEmpty)
        try crew.changing { $0.hire("Low", "Engineering", 2) }
        #expect(crew.log.lines.isEmpty)
        try crew.changing { try $0.person("Low").setValue(3, forKey: "salary") }
        #expect(crew.log.lines.isEmpty)
        try crew.changing { $0.delete(try $0.person("Bob")) }
        #expect(crew.log.lines.isEmpty)
        try crew.changing { context in
            let brief = context.hire("Brief", "Engineering", 50)
            context.delete(brief)
        }
        #expect(crew.log.lines.isEmpty)
    }

    @Test("FR17: one batch; deletes and move sources before it, inserts and move targets after it", arguments: bothStores)
    func batch(_ type: String) throws {
        let crew = try Crew([("A", "T", 1), ("B", "T", 1), ("C", "T", 1), ("D", "U", 1), ("E", "V", 1)], type: type)
        try crew.fetch()
        try #expect(crew.changing {
            $0.delete(try $0.person("A"))
            $0.delete(try $0.person("D"))
            $0.hire("Aa", "S")
            $0.hire("Bb", "T")
            try $0.person("C").setValue("V", forKey: "team")
            try $0.person("E").setValue(5, forKey: "salary")
        } == [
            "section delete U 1", "section insert S 0", "delete A (0,0)-", "delete D (1,0)-", "insert Aa -(0,0)", "insert Bb -(1,1)",
            "move C (0,2)(2,0)", "update E (2,0)(2,1)",
        ])
        #expect(crew.contents == "[S: Aa][T: B,Bb][V: C,E]")
    }

    @Test("FR26: without delegate the results stay as they were fetched")
    func noDelegate() throws {
        let crew = try Crew.standard()
        crew.controller.delegate = nil
        try crew.changing { $0.hire("Dan", "Legal") }
        #expect(crew.contents == "[Engineering: Alice,Bob][Sales: Carol]")
        crew.controller.delegate = crew.log
        try #expect(crew.changing { $0.hire("Eve", "Legal") } == ["section insert Legal 1", "insert Eve -(1,0)"])
    }

    @Test("Will-change still reads the old results, every later message the new ones")
    func moments() throws {
        let crew = try Crew.standard()
        var counts: [Int] = []
        crew.log.onLine = { _ in counts.append(crew.controller.fetchedObjects?.count ?? -1) }
        try crew.changing { $0.hire("Bea", "Engineering") }
        #expect(counts == [3, 4, 4])
        crew.context.performAndWait {
            #expect(crew.controller.object(at: IndexPath(row: 1, section: 0)).value(forKey: "name") as? String == "Bea")
        }
    }

    @Test("The delegate gets the very controller, of a class's own type, and can use it")
    func sameController() throws {
        let crew = try Crew([("A", "T", 1), ("B", "T", 2)])
        let request = NSFetchRequest<Member>(entityName: "Person")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: crew.context, sectionNameKeyPath: "team", cacheName: nil)
        controller.delegate = crew.log
        try crew.context.performAndWait { try controller.performFetch() }
        try crew.changing { $0.hire("C", "T") }
        let told = try #require(crew.log.controllers.last)
        #expect(told === controller)
        #expect(told.fetchedObjects?.count == 3 && told.fetchedObjects?.last is Member)
        crew.context.performAndWait {
            #expect((told.object(at: IndexPath(row: 2, section: 0)) as? Member)?.value(forKey: "name") as? String == "C")
        }
        #expect(told.indexPath(forObject: controller.object(at: IndexPath(row: 1, section: 0))) == IndexPath(row: 1, section: 0))
        #expect(told.fetchRequest.entityName == "Person" && told.sections?.count == 1 && told.delegate === crew.log)
        let typed: [Member] = controller.fetchedObjects ?? []
        var grown = typed
        grown.append(typed[0])
        crew.context.performAndWait {
            #expect(Set(grown).count == 3 && typed.map { $0.value(forKey: "name") as? String } == ["A", "B", "C"])
        }
    }

    @Test("What the delegate changes while it is told waits for its own batch")
    func reentrant() throws {
        let crew = try Crew.standard()
        var isFirst = true
        crew.log.onLine = { line in
            guard line.hasPrefix("insert"), isFirst else { return }
            isFirst = false
            crew.context.hire("Eve", "Sales")
            crew.context.processPendingChanges()
        }
        crew.context.performAndWait {
            crew.context.hire("Dan", "Sales")
            crew.context.processPendingChanges()
        }
        #expect(crew.log.lines == ["will", "insert Dan -(1,1)", "did", "will", "insert Eve -(1,2)", "did"])
    }

    @Test("A rollback takes inserted objects out and brings deleted ones back", arguments: bothStores)
    func rollback(_ type: String) throws {
        let crew = try Crew.standard(type)
        try crew.changing {
            $0.hire("Dan", "Sales")
            $0.delete(try $0.person("Bob"))
            try $0.person("Alice").setValue("Zed", forKey: "name")
        }
        #expect(crew.contents == "[Engineering: Zed][Sales: Carol,Dan]")
        try crew.changing { $0.rollback() }
        #expect(crew.contents == "[Engineering: Alice,Bob][Sales: Carol]")
        #expect(Set(crew.log.batch).isSuperset(of: ["delete Dan (1,1)-", "insert Bob -(0,1)"]))
        try crew.changing { $0.hire("Dan", "Sales") }
        try #expect(crew.changing { $0.rollback() } == ["delete Dan (1,1)-"])
    }

    @Test("With a limit the window is kept, with its order", arguments: bothStores)
    func limit(_ type: String) throws {
        let crew = try Crew([("B", "T", 1), ("C", "T", 1), ("D", "T", 1)], type: type, sort: ["name"], section: nil) { $0.fetchLimit = 2 }
        try crew.fetch()
        try #expect(crew.changing { $0.hire("A", "T") } == ["delete C (0,1)-", "insert A -(0,0)"])
        #expect(crew.contents == "[: A,B]")
        try #expect(crew.changing { $0.delete(try $0.person("A")) } == ["delete A (0,0)-", "insert C -(0,1)"])
    }

    @Test("A delegate that takes differences gets nothing else, and only without sections")
    func differences() throws {
        let crew = try Crew([("A", "T", 1), ("B", "T", 1), ("C", "T", 1)], sort: ["name"], section: nil)
        let taker = DifferenceTaker()
        crew.controller.delegate = taker
        try crew.fetch()
        let before = crew.context.performAndWait { crew.controller.fetchedObjects?.map(\.objectID) ?? [] }
        try crew.changing {
            $0.delete(try $0.person("A"))
            try $0.person("B").setValue("D", forKey: "name")
            try $0.obtainPermanentIDs(for: [$0.hire("E", "T")])
        }
        let difference = try #require(taker.differences.first)
        let after = crew.context.performAndWait { crew.controller.fetchedObjects?.map(\.objectID) ?? [] }
        #expect(before.applying(difference) == after && after.count == 3)
        #expect(taker.differences.count == 1 && taker.others == 0)
        try crew.changing { try $0.person("C").setValue(5, forKey: "salary") }
        #expect(taker.differences.last?.count == 2 && taker.others == 0)
        let sections = try Crew.standard()
        sections.controller.delegate = taker
        try sections.changing { $0.hire("E", "Sales") }
        #expect(taker.differences.count == 2 && taker.others == 1)
    }

    private final class DifferenceTaker: NSObject, NSFetchedResultsControllerDelegate {
        var differences: [CollectionDifference<NSManagedObjectID>] = []
        var others = 0

        func controller(
            _ controller: NSFetchedResultsController<NSFetchRequestResult>,
            didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
        ) { differences.append(diff) }

        func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) { others += 1 }
    }
}
