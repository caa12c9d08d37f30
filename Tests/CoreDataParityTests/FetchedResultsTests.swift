import CoreData
import Testing

/// FR: results controllers, their sections and what their delegates are told.
@Suite("Fetched results controllers")
struct FetchedResultsTests {
    @Test("FR01: A request without sort descriptors raises")
    func sortDescriptors() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try Stack(Team.model())
            _ = NSFetchedResultsController(
                fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Employee"), managedObjectContext: stack.context,
                sectionNameKeyPath: nil, cacheName: nil)
        }
        #expect(result.raised("sort descriptors"))
    }

    @Test("FR02: Before performFetch there are no objects, and asking for one raises")
    func unfetched() async throws {
        let team = try Team(fetched: false)
        #expect(team.controller.fetchedObjects == nil)
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try Team(fetched: false).controller.object(at: IndexPath(indexes: [0, 0]))
        }
        #expect(result.raised("before -performFetch:"))
    }

    @Test("FR03: Two teams are two sections", arguments: StoreKind.allCases)
    func sections(kind: StoreKind) throws {
        let team = try Team(kind: kind)
        #expect(team.contents == "[Engineering: Alice,Bob][Sales: Carol]")
        #expect(team.context.performAndWait { team.controller.sections?.map(\.numberOfObjects) } == [2, 1])
    }

    @Test("FR04: Without a section key there is exactly one section, whatever is in it")
    func oneSection() throws {
        #expect(try Team(by: ["name"], sections: nil).contents == "[: Alice,Bob,Carol]")
        #expect(try Team([], sections: nil).contents == "[: ]")
    }

    @Test("FR05: Index paths lead to objects and back; nil for an object that is not among the results")
    func indexPaths() throws {
        let team = try Team()
        try team.context.run { context in
            let carol = try context.employee("Carol")
            #expect(team.controller.indexPath(forObject: carol) == IndexPath(indexes: [1, 0]))
            #expect(team.controller.object(at: IndexPath(indexes: [1, 0])) === carol)
            #expect(team.controller.indexPath(forObject: context.make("Thing")) == nil)
        }
    }

    @Test("FR06: An insert between others", arguments: StoreKind.allCases)
    func insert(kind: StoreKind) throws {
        let team = try Team([("Alice", "Engineering", 1), ("Carol", "Sales", 1)], kind: kind)
        #expect(try team.changing { $0.hire("Bob", "Engineering") } == ["insert Bob -(0,1)"])
        #expect(try team.changing { try $0.save() } == [])
    }

    @Test("FR07: A new team's section is reported before its first object")
    func newSection() throws {
        let team = try Team()
        #expect(try team.changing { $0.hire("Dan", "Legal") } == ["section insert Legal 1", "insert Dan -(1,0)"])
    }

    @Test("FR08: A delete", arguments: StoreKind.allCases)
    func delete(kind: StoreKind) throws {
        let team = try Team([("Alice", "Engineering", 1), ("Bob", "Engineering", 1)], kind: kind)
        #expect(try team.changing { $0.delete(try $0.employee("Bob")) } == ["delete Bob (0,1)-"])
        #expect(team.contents == "[Engineering: Alice]")
    }

    @Test("FR09: A change that decides neither order nor section is one update", arguments: StoreKind.allCases)
    func update(kind: StoreKind) throws {
        let team = try Team(kind: kind)
        #expect(try team.changing { try $0.employee("Alice").setValue(99, forKey: "salary") } == ["update Alice (0,0)"])
    }

    @Test("FR10: A change of team is exactly one move, into a section that comes", arguments: StoreKind.allCases)
    func moveToNewSection(kind: StoreKind) throws {
        let team = try Team([("Alice", "Engineering", 1), ("Bob", "Engineering", 1)], kind: kind)
        #expect(try team.changing { try $0.employee("Bob").setValue("Sales", forKey: "team") }
            == ["section insert Sales 1", "move Bob (0,1)(1,0)"])
        #expect(team.contents == "[Engineering: Alice][Sales: Bob]")
    }

    @Test("FR11: The last object of a section takes the section along")
    func lastOfSection() throws {
        let team = try Team()
        #expect(try team.changing { $0.delete(try $0.employee("Carol")) } == ["section delete Sales 1", "delete Carol (1,0)-"])
    }

    @Test("FR12 B05: A changed sort key that leaves the row where it is is an update, never a move to the same place")
    func sameRow() throws {
        let team = try Team()
        #expect(try team.changing { try $0.employee("Alice").setValue("Aaron", forKey: "name") } == ["update Aaron (0,0)"])
        #expect(try team.changing {
            try $0.employee("Carol").setValue(7, forKey: "salary")
            try $0.employee("Carol").setValue("Cleo", forKey: "name")
        } == ["update Cleo (1,0)"])
    }

    @Test("FR13: A changed sort key that moves the row is one move, and no update beside it")
    func move() throws {
        let team = try Team([("A", "T", 1), ("B", "T", 1), ("C", "T", 1)])
        #expect(try team.changing {
            try $0.employee("A").setValue(7, forKey: "salary")
            try $0.employee("A").setValue("D", forKey: "name")
        } == ["move D (0,0)(0,2)"])
    }

    @Test("FR14: What the predicate no longer matches is deleted", arguments: StoreKind.allCases)
    func leaves(kind: StoreKind) throws {
        let team = try Team([("A", "T", 10), ("B", "T", 10)], kind: kind, predicate: NSPredicate(format: "salary > 5"))
        let gone = try team.context.run { try $0.employee("B") }
        #expect(try team.changing { _ in gone.setValue(1, forKey: "salary") } == ["delete B (0,1)-"])
        #expect(team.context.performAndWait { team.controller.indexPath(forObject: gone) } == nil)
    }

    @Test("FR15: What the predicate matches now is inserted", arguments: StoreKind.allCases)
    func joins(kind: StoreKind) throws {
        let team = try Team([("A", "T", 10), ("B", "T", 1)], kind: kind, predicate: NSPredicate(format: "salary > 5"))
        #expect(try team.changing { try $0.employee("B").setValue(30, forKey: "salary") } == ["insert B -(0,1)"])
    }

    @Test("FR16: What is of no interest is not announced at all")
    func noInterest() throws {
        let team = try Team(predicate: NSPredicate(format: "salary > 5"))
        try team.changing { $0.make("Thing", ["name": "T"]) }
        try #require(team.log.lines.isEmpty)
        try team.changing { $0.hire("Low", "Sales", 2) }
        try #require(team.log.lines.isEmpty)
        try team.changing { try $0.employee("Low").setValue(3, forKey: "salary") }
        #expect(team.log.lines.isEmpty)
    }

    @Test("FR17: In one batch deletes and move sources are places before it, inserts and move targets places after it")
    func batch() throws {
        let team = try Team([("A", "T", 1), ("B", "T", 1), ("C", "T", 1), ("D", "U", 1), ("E", "V", 1)])
        let told = try team.changing {
            $0.delete(try $0.employee("A"))
            $0.delete(try $0.employee("D"))
            $0.hire("Aa", "S")
            $0.hire("Bb", "T")
            try $0.employee("C").setValue("V", forKey: "team")
        }
        #expect(Set(told) == [
            "section delete U 1", "section insert S 0", "delete A (0,0)-", "delete D (1,0)-", "insert Aa -(0,0)", "insert Bb -(1,1)",
            "move C (0,2)(2,0)",
        ] && told.count == 7)
        #expect(team.contents == "[S: Aa][T: B,Bb][V: C,E]")
    }

    @Test("FR18: Objects not sorted by section fail, with the section's name", arguments: StoreKind.allCases)
    func outOfOrder(kind: StoreKind) throws {
        let team = try Team([("A", "X", 1), ("B", "Y", 1), ("C", "X", 1)], kind: kind, by: ["name"], fetched: false)
        let error = try failure { try team.fetch() }
        #expect(error.isCocoa && error.localizedDescription.contains("out of order section name"))
    }

    @Test("FR19: Sections by a transient property that orders as the sort key does", arguments: StoreKind.allCases)
    func transientSections(kind: StoreKind) throws {
        let team = try Team([("Bo", "x", 1), ("Al", "x", 1), ("Abe", "x", 1)], kind: kind, by: ["name"], sections: "initial")
        #expect(team.contents == "[A: Abe,Al][B: Bo]")
        #expect(try team.changing { $0.hire("Cy", nil) } == ["section insert C 2", "insert Cy -(2,0)"])
    }

    @Test("FR20: Index titles are capitalised first letters, each once, and lead back to sections")
    func indexTitles() throws {
        let team = try Team([("A", "engineering", 1), ("B", "sales", 1), ("C", "support", 1)])
        #expect(team.controller.sectionIndexTitles == ["E", "S"])
        #expect(team.controller.sectionIndexTitle(forSectionName: "sales") == "S")
        #expect(team.controller.section(forSectionIndexTitle: "S", at: 1) == 1)
    }

    @Test("FR21: Objects without a section value are in a section with an empty name", arguments: StoreKind.allCases)
    func nilSection(kind: StoreKind) throws {
        #expect(try Team([("A", nil, 7), ("B", "X", 30), ("C", nil, 7)], kind: kind).contents == "[: A,C][X: B]")
    }

    @Test("FR22: Inserts, updates, moves and deletes of another context arrive with a merge; other entities do not", arguments: StoreKind.allCases)
    func merge(kind: StoreKind) throws {
        let team = try Team(kind: kind)
        _ = team.contents
        #expect(try team.merging { $0.hire("Dan", "Sales") } == ["insert Dan -(1,1)"])
        #expect(try team.merging { try $0.employee("Alice").setValue(77, forKey: "salary") } == ["update Alice (0,0)"])
        #expect(try team.merging { try $0.employee("Bob").setValue("Sales", forKey: "team") } == ["move Bob (0,1)(1,0)"])
        #expect(try team.merging { $0.delete(try $0.employee("Carol")) } == ["delete Carol (1,1)-"])
        #expect(try team.merging { $0.make("Thing", ["name": "T"]) } == [])
    }

    @Test("FR23: What is only a fault here and matches after a merge is inserted", arguments: StoreKind.allCases)
    func faults(kind: StoreKind) throws {
        let team = try Team(kind: kind, predicate: NSPredicate(format: "salary > 5"))
        let bob = try team.context.run { context in
            let bob = try context.employee("Bob")
            context.refresh(bob, mergeChanges: false)
            return bob
        }
        #expect(bob.isFault)
        #expect(try team.merging { try $0.employee("Bob").setValue(30, forKey: "salary") } == ["insert Bob -(0,1)"])
    }

    @Test("FR24: A reset tells of no object; performFetch starts over", arguments: StoreKind.allCases)
    func reset(kind: StoreKind) throws {
        let team = try Team(kind: kind)
        try team.changing { $0.reset() }
        #expect(!team.log.lines.contains { $0.hasPrefix("delete") })
        try team.fetch()
        #expect(team.contents == "[Engineering: Alice,Bob][Sales: Carol]")
        #expect(try team.changing { $0.hire("Eve", "Sales") } == ["insert Eve -(1,1)"])
    }

    @Test("FR25: A batch insert is news with the merge only")
    func batchInsert() throws {
        let team = try Team([("A", "T", 1)])
        let new = try team.context.run { context in
            let request = NSBatchInsertRequest(entityName: "Employee", objects: ["B", "C", "D"].map { ["name": $0, "team": "T"] })
            request.resultType = .objectIDs
            return (try context.execute(request) as? NSBatchInsertResult)?.result as? [NSManagedObjectID]
        }
        #expect(team.log.lines.isEmpty)
        let inserted = try #require(new)
        #expect(try team.changing {
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSInsertedObjectsKey: inserted], into: [$0])
        } == ["insert B -(0,1)", "insert C -(0,2)", "insert D -(0,3)"])
    }

    @Test("B17: A batch delete tells nothing before the merge, and exactly its deletions with it")
    func batchDelete() throws {
        let team = try Team((0..<5).map { ("T\($0)", "T", $0) }, by: ["name"], sections: nil)
        let gone = try team.context.run { context in
            let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Employee")
            request.predicate = NSPredicate(format: "salary < 3")
            let deletion = NSBatchDeleteRequest(fetchRequest: request)
            deletion.resultType = .resultTypeObjectIDs
            return (try context.execute(deletion) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID]
        }
        #expect(team.log.lines.isEmpty)
        let deleted = try #require(gone)
        let told = try team.changing {
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: deleted], into: [$0])
        }
        #expect(told.map { String($0.suffix(6)) } == ["(0,0)-", "(0,1)-", "(0,2)-"] && told.allSatisfy { $0.hasPrefix("delete") })
        #expect(team.context.performAndWait { team.controller.fetchedObjects?.count } == 2)
    }

    @Test("FR26: Without a delegate the results stay as they were fetched")
    func noDelegate() throws {
        let team = try Team()
        team.controller.delegate = nil
        try team.changing { $0.hire("Dan", "Legal") }
        #expect(team.contents == "[Engineering: Alice,Bob][Sales: Carol]")
    }

    @Test("FR27: A cache never brings stale sections back: not after a save, not for another request", arguments: StoreKind.allCases)
    func caches(kind: StoreKind) throws {
        let name = "parity-\(UUID().uuidString)"
        defer { NSFetchedResultsController<NSManagedObject>.deleteCache(withName: name) }
        let team = try Team(kind: kind, cache: name)
        #expect(team.controller.cacheName == name)
        try team.stack.seed { try $0.employee("Bob").setValue("Sales", forKey: "team") }
        func again(_ predicate: NSPredicate? = nil, by sort: [String] = ["team", "name"], sections: String = "team") throws -> String {
            let context = team.stack.newContext(), request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
            request.predicate = predicate
            request.sortDescriptors = sort.map { NSSortDescriptor(key: $0, ascending: true) }
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: sections, cacheName: name)
            return try context.run { _ in
                try controller.performFetch()
                return (controller.sections ?? []).map { "\($0.name):\($0.numberOfObjects)" }.joined(separator: " ")
            }
        }
        #expect(try again() == "Engineering:1 Sales:2")
        #expect(try again(NSPredicate(format: "salary > 5")) == "Engineering:1 Sales:1")
        #expect(try again(by: ["salary"], sections: "salary") == "1:1 10:2")
        #expect(try again(by: ["name"], sections: "initial") == "A:1 B:1 C:1")
        try team.context.run { context in
            context.refreshAllObjects()
            team.controller.fetchRequest.predicate = NSPredicate(format: "team == 'Sales'")
            NSFetchedResultsController<NSManagedObject>.deleteCache(withName: name)
            try team.controller.performFetch()
        }
        #expect(team.contents == "[Sales: Bob,Carol]")
    }

    @Test("B15: A child's controller with a batch size gives what the root gives, no row twice and none left out", arguments: StoreKind.allCases)
    func batchSize(kind: StoreKind) throws {
        let team = try Team((0..<1000).map { (String(format: "%04d", ($0 * 7919) % 1000), "T", $0) }, kind: kind, by: ["name"], sections: nil)
        let root = team.context.performAndWait { team.controller.fetchedObjects?.map(\.objectID) }
        let child = team.stack.newChild(of: team.context)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        request.fetchBatchSize = 20
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: child, sectionNameKeyPath: nil, cacheName: nil)
        try child.run { _ in
            try controller.performFetch()
            #expect(controller.fetchedObjects?.map(\.objectID) == root)
            let names = (0..<1000).map { controller.object(at: IndexPath(indexes: [0, $0])).text("name") }
            #expect(names == (0..<1000).map { String(format: "%04d", $0) })
        }
    }
}
