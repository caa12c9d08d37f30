import CoreData
import Foundation
import Testing

/// How often the graph asks a store, and with how many statements. What Apple's asks once must not be asked N times here.
@Suite("Round trips")
struct RoundTripTests {
    private typealias Counts = CoreDataDiagnostics.Counts

    /// 3 departments of 20 employees, nothing cached; counts what the body does.
    private func count(
        departments: Int = 3, employees: Int = 20, rule: NSDeleteRule = .cascadeDeleteRule,
        _ body: (NSManagedObjectContext) throws -> Void
    ) throws -> Counts {
        let context = try FirmStore.filled(departments: departments, employees: employees, deleteRule: rule).context()
        return try CoreDataDiagnostics.counting { try body(context) }
    }

    private func trips(_ body: () -> Void) -> Int { CoreDataDiagnostics.counting(body).roundTrips }

    // MARK: Reading

    @Test("Fetching and reading every attribute is one trip with one statement, loaded or as faults", arguments: [true, false])
    func fetching(asFaults: Bool) throws {
        let counts = try count { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
            request.returnsObjectsAsFaults = asFaults
            for employee in try context.fetch(request) { _ = (employee.name, employee.value(forKey: "salary")) }
        }
        #expect(counts.roundTrips == 1 && counts.statements == 1)
        #expect(counts.rowsRead == 60)
        #expect(counts.faultsFired == (asFaults ? 60 : 0))
    }

    @Test("Another context's objects find their rows in the row cache")
    func rowCache() throws {
        let store = try FirmStore.filled()
        let first = store.context(), second = store.context()
        let held = try first.all("Employee")
        let counts = CoreDataDiagnostics.counting {
            for employee in held { _ = second.object(with: employee.objectID).value(forKey: "name") }
        }
        #expect(counts.roundTrips == 0 && counts.faultsFired == held.count)
    }

    @Test("Counting objects is one statement that reads one row")
    func counting() throws {
        let counts = try count { _ = try $0.count(for: NSFetchRequest<NSManagedObject>(entityName: "Employee")) }
        #expect(counts.roundTrips == 1 && counts.statements == 1 && counts.rowsRead == 1)
    }

    @Test("object(with:) asks nothing, its first value one trip; existingObject one trip, then none")
    func single() throws {
        let store = try FirmStore.filled()
        let ids = try store.context().all("Employee").map(\.objectID)
        let other = try FirmStore(reopening: store), context = other.context()
        let local = ids.prefix(2).compactMap { other.coordinator.managedObjectID(forURIRepresentation: $0.uriRepresentation()) }
        var object: NSManagedObject?
        #expect(trips { object = context.object(with: local[0]) } == 0)
        #expect(trips { _ = object?.name } == 1)
        let first = try CoreDataDiagnostics.counting { object = try context.existingObject(with: local[1]) }
        let second = try CoreDataDiagnostics.counting { _ = try context.existingObject(with: local[1]).value(forKey: "name") }
        #expect(first.roundTrips == 1 && second.roundTrips == 0)
        #expect(object != nil)
    }

    @Test("FA11: a to-many read twice is one trip, then none")
    func toMany() throws {
        let store = try FirmStore.filled()
        let context = store.context()
        let department = try context.all("Department")[0]
        #expect(trips { _ = department.name } == 0)
        #expect(trips { _ = department.related("employees") } == 1)
        #expect(trips { _ = department.related("employees") } == 0)
    }

    @Test("A to-one shared by many costs a trip each object, not each reader")
    func sharedToOne() throws {
        let counts = try count { for employee in try $0.all("Employee") { _ = employee.target("dept")?.name } }
        #expect(counts.roundTrips == 1 + 3)
    }

    // MARK: Prefetching (FE26)

    @Test("FE26: a prefetched relationship is read without another trip", arguments: [
        ("Employee", "badge", 2), ("Employee", "skills", 3), ("Department", "employees", 3), ("Department", "company", 2),
    ])
    func prefetching(entity: String, path: String, statements: Int) throws {
        func walk(_ objects: [NSManagedObject]) -> [String] {
            objects.map { object in
                let related = object.entity.relationshipsByName[path]?.isToMany == true
                    ? Array(object.related(path)) : [object.target(path)].compactMap { $0 }
                return related.compactMap(\.name).sorted().joined(separator: ",")
            }
        }
        var plain: [String] = [], prefetched: [String] = []
        let without = try count { plain = walk(try $0.all(entity)) }
        let with = try count { prefetched = walk(try $0.all(entity, prefetching: [path])) }
        #expect(plain == prefetched && !plain.isEmpty)
        #expect(with.roundTrips == 1 && with.statements == statements)
        #expect(without.roundTrips > 1)
    }

    @Test("FE26: a nested key path is prefetched with each relationship on the way, and paths with the same start share it")
    func nestedPrefetching() throws {
        let counts = try count { context in
            let companies = try context.all("Company", prefetching: ["departments.employees.badge", "departments.employees.skills"])
            for department in companies[0].related("departments") {
                for employee in department.related("employees") {
                    _ = employee.target("badge")?.name
                    for skill in employee.related("skills") { _ = skill.name }
                }
            }
        }
        #expect(counts.roundTrips == 1)
        #expect(counts.statements <= 11)
    }

    @Test("FE26: prefetching for a child context asks the store at most once a to-many, and shows the parent's changes")
    func prefetchingForChildren() throws {
        let store = try FirmStore.filled(departments: 3, employees: 20)
        let parent = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        parent.persistentStoreCoordinator = store.coordinator
        let child = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        child.parent = parent
        let moved = try parent.performAndWait {
            let employee = try parent.all("Employee")[0]
            employee.setValue(try parent.all("Department")[2], forKey: "dept")
            return employee.objectID
        }
        let counts = try CoreDataDiagnostics.counting {
            let departments = try child.all("Department", prefetching: ["employees"])
            #expect(departments.map { $0.related("employees").count } == [19, 20, 21])
            #expect(departments[2].related("employees").contains { $0.objectID == moved })
            for department in departments { for employee in department.related("employees") { _ = employee.name } }
        }
        #expect(counts.roundTrips <= 2)
    }

    @Test("What was prefetched and never read is forgotten by a refresh and by a merge")
    func prefetchedIsNotKept() throws {
        let store = try FirmStore.filled(employees: 3)
        let mine = store.context(), theirs = store.context()
        let department = try mine.all("Department", prefetching: ["employees"])[0]
        #expect(department.isFault)
        let leaving = try theirs.all("Employee")[0]
        leaving.setValue(nil, forKey: "dept")
        try theirs.save()
        mine.refresh(department, mergeChanges: false)
        #expect(department.related("employees").count == 2)
    }

    // MARK: Refreshing and merging

    @Test("Refreshed objects find their rows in the row cache; edited ones are refreshed in one read")
    func refreshing() throws {
        let store = try FirmStore.filled()
        let context = store.context()
        let all = try context.all("Employee")
        for employee in all.prefix(10) { employee.setValue("edited", forKey: "name") }
        #expect(trips {
            context.refreshAllObjects()
            for employee in all { _ = employee.name }
        } == 0)
        context.stalenessInterval = 0
        #expect(trips { context.refreshAllObjects() } == 1)
        context.stalenessInterval = -1
        for employee in all { _ = employee.name }
        #expect(trips { context.refresh(all[0], mergeChanges: false) } == 0)
    }

    @Test("Merging a save of N objects is no trip; N objects changed by another process are one")
    func merging() throws {
        let store = try FirmStore.filled()
        let mine = store.context(), theirs = store.context()
        let all = try mine.all("Employee")
        for employee in all { _ = employee.name }
        for employee in try theirs.all("Employee") { employee.setValue(99, forKey: "salary") }
        nonisolated(unsafe) var note: Notification?
        let token = NotificationCenter.default.addObserver(forName: .NSManagedObjectContextDidSave, object: theirs, queue: nil) { note = $0 }
        try theirs.save()
        NotificationCenter.default.removeObserver(token)
        let saved = try #require(note)
        #expect(trips { mine.mergeChanges(fromContextDidSave: saved) } == 0)
        #expect(all.allSatisfy { $0.value(forKey: "salary") as? Int == 99 })
        let remote = CoreDataDiagnostics.counting {
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: all.map(\.objectID)], into: [mine])
        }
        #expect(remote.roundTrips == 1)
        #expect(all.allSatisfy { $0.value(forKey: "salary") as? Int == 99 })
    }

    // MARK: Deleting

    @Test("A cascade over many levels costs trips by levels and not by objects", arguments: [10, 60])
    func cascading(employees: Int) throws {
        let counts = try count(employees: employees) { context in
            context.delete(try context.all("Company")[0])
            try context.save()
        }
        // Company; its departments, their rows; employees, their rows; badges, skills, their rows; the commit.
        #expect(counts.roundTrips <= 12)
        #expect(counts.rowsWritten >= 1 + 3 + 3 * employees * 2)
    }

    @Test("Nullifying the many of a deleted one costs trips by relationship, not by object", arguments: [10, 60])
    func nullifying(employees: Int) throws {
        let counts = try count(employees: employees, rule: .nullifyDeleteRule) { context in
            context.delete(try context.all("Department")[0])
            try context.save()
        }
        #expect(counts.roundTrips <= 5)
        // The department, its employees, and its company, which lost it.
        #expect(counts.rowsWritten == employees + 2)
    }

    @Test("Deleting every object of a fetch costs trips by relationship, not by object")
    func deletingAll() throws {
        let counts = try count { context in
            for employee in try context.all("Employee") { context.delete(employee) }
            try context.save()
        }
        #expect(counts.roundTrips <= 8)
    }

    // MARK: Saving

    @Test("Saving N new, changed or deleted objects is one transaction with a statement an object", arguments: [1, 50])
    func saving(objects: Int) throws {
        let store = try FirmStore(deleteRule: .nullifyDeleteRule), context = store.context()
        var made: [NSManagedObject] = []
        let inserting = try CoreDataDiagnostics.counting {
            made = (0..<objects).map { _ in NSEntityDescription.insertNewObject(forEntityName: "Badge", into: context) }
            try context.save()
        }
        #expect(inserting.roundTrips == 1 && inserting.transactions == 1 && inserting.rowsWritten == objects)
        // BEGIN, the keys (2), COMMIT.
        #expect(inserting.statements == objects + 4)
        let updating = try CoreDataDiagnostics.counting {
            for badge in made { badge.setValue("new", forKey: "name") }
            try context.save()
        }
        #expect(updating.roundTrips == 1 && updating.rowsWritten == objects && updating.statements == objects + 2)
        let again = try CoreDataDiagnostics.counting { try context.save() }
        #expect(again.roundTrips == 0)
    }

    @Test("A statement is prepared once, however many objects are saved")
    func preparing() throws {
        let store = try FirmStore(deleteRule: .nullifyDeleteRule), context = store.context(), log = EventLog()
        let observation = CoreDataDiagnostics.observe(.statements, of: store.coordinator) { log.add($0) }
        for number in 0..<20 {
            NSEntityDescription.insertNewObject(forEntityName: "Badge", into: context).setValue("badge \(number)", forKey: "name")
        }
        try context.save()
        observation.cancel()
        #expect(Set(log.statements.map(\.sql)).count == 5)
    }

    @Test("Permanent IDs of N objects are one trip an entity")
    func permanentIDs() throws {
        let store = try FirmStore(), context = store.context()
        let made = (0..<30).map { NSEntityDescription.insertNewObject(forEntityName: $0 % 2 == 0 ? "Badge" : "Skill", into: context) }
        let counts = try CoreDataDiagnostics.counting { try context.obtainPermanentIDs(for: made) }
        #expect(counts.roundTrips == 2)
        #expect(Set(made.map(\.objectID)).count == 30 && made.allSatisfy { !$0.objectID.isTemporaryID })
        try context.save()
        let badges = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Badge"))
        #expect(badges == 15)
    }

    @Test("A predicate that left SQL loads what it follows in bulk")
    func evaluatedPredicate() throws {
        let counts = try count { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
            request.predicate = NSPredicate(format: "median:(dept.employees.salary) > 1")
            let found = try context.fetch(request)
            #expect(found.count == 60)
        }
        #expect(counts.evaluationsOutsideSQL == 1)
        #expect(counts.roundTrips == 1)
        #expect(counts.statements <= 10)
    }
}
