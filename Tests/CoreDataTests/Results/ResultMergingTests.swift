import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite("Results: merges, resets and random changes")
struct ResultMergingTests {
    @Test("FR22: another context's insert, update, move and delete arrive by a merge", arguments: bothStores)
    func merge(_ type: String) throws {
        let crew = try Crew.standard(type)
        _ = crew.contents
        try #expect(crew.merging { $0.hire("Dan", "Sales") } == ["insert Dan -(1,1)"])
        try #expect(crew.merging { try $0.person("Alice").setValue(77, forKey: "salary") } == ["update Alice (0,0)(0,0)"])
        try #expect(crew.merging { try $0.person("Bob").setValue("Sales", forKey: "team") } == ["move Bob (0,1)(1,0)"])
        try #expect(crew.merging { $0.delete(try $0.person("Carol")) } == ["delete Carol (1,1)-"])
        #expect(crew.contents == "[Engineering: Alice][Sales: Bob,Dan]")
    }

    @Test("FR22: only the entity asked for, subentities if wanted")
    func entityFilter() throws {
        let crew = try Crew.standard()
        try crew.merging { NSEntityDescription.insertNewObject(forEntityName: "Thing", into: $0).setValue("T", forKey: "name") }
        #expect(crew.log.lines.isEmpty)
        try #expect(crew.merging { $0.hire("Eve", "Sales", as: "Boss") } == ["insert Eve -(1,1)"])
        let exact = try Crew([("A", "T", 1)]) { $0.includesSubentities = false }
        try exact.fetch()
        try exact.merging { $0.hire("Eve", "Sales", as: "Boss") }
        try exact.changing { $0.hire("Ben", "Sales", as: "Boss") }
        #expect(exact.log.lines.isEmpty)
        let bosses = try Crew([("A", "T", 1)], entity: "Boss")
        try bosses.fetch()
        try bosses.changing { $0.hire("Bea", "T") }
        #expect(bosses.log.lines.isEmpty)
    }

    @Test("FR23: what is only a fault here, or not here at all, and matches now is inserted", arguments: bothStores)
    func faults(_ type: String) throws {
        let crew = try Crew.standard(type, predicate: NSPredicate(format: "salary > 5"))
        let fault = try crew.context.performAndWait {
            let id = try crew.context.person("Bob").objectID
            crew.context.reset()
            try crew.controller.performFetch()
            return crew.context.object(with: id)
        }
        #expect(fault.isFault)
        try #expect(crew.merging { try $0.person("Bob").setValue(30, forKey: "salary") } == ["insert Bob -(0,1)"])
        let unknown = try Crew.standard(type, predicate: NSPredicate(format: "salary > 5"))
        try #expect(unknown.merging { try $0.person("Bob").setValue(30, forKey: "salary") } == ["insert Bob -(0,1)"])
        let leaving = try Crew.standard(type, predicate: NSPredicate(format: "salary > 5"))
        try #expect(leaving.merging { try $0.person("Alice").setValue(3, forKey: "salary") } == ["section delete Engineering 0", "delete Alice (0,0)-"])
    }

    @Test("FR23: one batch for a merge that brings an insert and a fault's change; nothing for faults of no interest")
    func oneBatch() throws {
        let crew = try Crew.standard(predicate: NSPredicate(format: "salary > 5"))
        try #expect(crew.merging {
            try $0.person("Bob").setValue(30, forKey: "salary")
            $0.hire("Dan", "Sales")
        } == ["insert Bob -(0,1)", "insert Dan -(1,1)"])
        let other = try Crew.standard(predicate: NSPredicate(format: "salary > 5"))
        try other.merging { try $0.person("Bob").setValue(2, forKey: "salary") }
        #expect(other.log.lines.isEmpty)
    }

    @Test("FR22: a row inserted elsewhere that is known here already still joins; a member is not told of twice")
    func knownBefore() throws {
        let crew = try Crew.standard()
        let other = crew.stack.context(), saved = Saved(other)
        let id = try other.performAndWait {
            let dan = other.hire("Dan", "Sales")
            try other.save()
            return dan.objectID
        }
        let note = try #require(saved.note)
        try crew.context.performAndWait {
            let known = try crew.context.existingObject(with: id)
            crew.context.mergeChanges(fromContextDidSave: note)
            #expect(crew.log.batch == ["insert Dan -(1,1)"])
            crew.log.clear()
            crew.context.mergeChanges(fromContextDidSave: note)
            #expect(crew.log.lines.isEmpty)
            withExtendedLifetime(known) {}
        }
    }

    @Test("A context that merges on its own keeps its results, also a child's save and a parent's", .timeLimit(.minutes(1)))
    func automatic() async throws {
        let crew = try Crew.standard(NSSQLiteStoreType)
        crew.context.automaticallyMergesChangesFromParent = true
        let other = crew.stack.context()
        try other.performAndWait {
            other.hire("Dan", "Sales")
            try other.save()
        }
        await crew.context.perform {}
        #expect(crew.contents == "[Engineering: Alice,Bob][Sales: Carol,Dan]")
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = crew.context
        try crew.changing { _ in
            try child.performAndWait {
                child.hire("Eve", "Zoo")
                child.delete(try child.person("Bob"))
                try child.save()
            }
        }
        #expect(crew.contents == "[Engineering: Alice][Sales: Carol,Dan][Zoo: Eve]")
        #expect(crew.log.batch == ["section insert Zoo 2", "delete Bob (0,1)-", "insert Eve -(2,0)"])
    }

    @Test("FR24: a reset tells of no object; the next performFetch starts over", arguments: bothStores)
    func reset(_ type: String) throws {
        let crew = try Crew.standard(type)
        try crew.changing { $0.reset() }
        try crew.changing { $0.hire("Dan", "Sales") }
        #expect(crew.log.lines.isEmpty)
        try crew.fetch()
        #expect(crew.contents == "[Engineering: Alice,Bob][Sales: Carol,Dan]")
        try #expect(crew.changing { $0.hire("Eve", "Sales") } == ["insert Eve -(1,2)"])
    }

    @Test("FR25, B17: rows changed outside of contexts arrive with mergeChanges(fromRemoteContextSave:)", arguments: bothStores)
    func remote(_ type: String) throws {
        let crew = try Crew.standard(type)
        let other = crew.stack.context()
        let new = try other.performAndWait {
            let people = ["D", "E", "F"].map { other.hire($0, "Sales") }
            other.delete(try other.person("Bob"))
            try other.save()
            return people.map(\.objectID)
        }
        #expect(crew.log.lines.isEmpty)
        let bob = try #require(crew.context.performAndWait { crew.controller.fetchedObjects?[1].objectID })
        try #expect(crew.changing { context in
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSInsertedObjectsKey: new, NSDeletedObjectsKey: [bob]], into: [context])
        } == ["delete Bob (0,1)-", "insert D -(1,1)", "insert E -(1,2)", "insert F -(1,3)"])
    }

    @Test("Undo of an insert takes it out of the results, redo brings it back")
    func undo() throws {
        let crew = try Crew.standard()
        crew.context.performAndWait { crew.context.undoManager = UndoManager() }
        try crew.changing { $0.hire("Dan", "Sales") }
        try #expect(crew.changing { $0.undo() } == ["delete Dan (1,1)-"])
        #expect(crew.contents == "[Engineering: Alice,Bob][Sales: Carol]")
        try crew.changing { $0.redo() }
        #expect(crew.contents == "[Engineering: Alice,Bob][Sales: Carol,Dan]")
    }

    @Test("After random changes and merges the results are what a fetch gives", arguments: bothStores)
    func random(_ type: String) throws {
        var random = SeededGenerator(21)
        let seed = (0..<20).map { ("P\($0)", ["X", "Y", "Z"][$0 % 3] as String?, $0) }
        let crew = try Crew(seed, type: type, predicate: NSPredicate(format: "salary > 5"), sort: ["team", "salary", "name"])
        try crew.fetch()
        for round in 0..<60 {
            func change(_ context: NSManagedObjectContext) throws {
                for step in 0..<Int.random(in: 1...3, using: &random) {
                    let people = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
                        .sorted { ($0.value(forKey: "name") as? String ?? "") < ($1.value(forKey: "name") as? String ?? "") }
                    let person = try #require(people.randomElement(using: &random))
                    switch Int.random(in: 0..<5, using: &random) {
                    case 0: context.hire("N\(round).\(step)", ["X", "Y", "Z", "W"].randomElement(using: &random), Int.random(in: 0..<12, using: &random))
                    case 1 where people.count > 5: context.delete(person)
                    case 2: person.setValue(Bool.random(using: &random) ? "W" : nil, forKey: "team")
                    case 3: person.setValue("note", forKey: "note")
                    default: person.setValue(Int.random(in: 0..<12, using: &random), forKey: "salary")
                    }
                }
            }
            if Bool.random(using: &random) {
                try crew.changing(change)
                if Bool.random(using: &random) { try crew.context.performAndWait { try crew.context.save() } }
            } else {
                try crew.context.performAndWait { if crew.context.hasChanges { try crew.context.save() } }
                try crew.merging(change)
            }
            let tracked = crew.contents
            let fresh = NSFetchedResultsController(
                fetchRequest: crew.controller.fetchRequest, managedObjectContext: crew.context, sectionNameKeyPath: "team", cacheName: nil)
            let expected = try crew.context.performAndWait {
                try fresh.performFetch()
                return (fresh.sections ?? []).map { section in
                    let names = (section.objects ?? []).map { ($0 as? NSManagedObject)?.value(forKey: "name") as? String ?? "nil" }
                    return "[\(section.name): \(names.joined(separator: ","))]"
                }.joined()
            }
            try #require(tracked == expected, "round \(round), after \(crew.log.lines)")
        }
    }
}
