import CoreData
import Foundation
import Testing

@Suite("Results: sections through a to-one, batch sizes, ends of objects")
struct RelatedSectionTests {
    private struct Office {
        let stack: RuntimeStack
        let context: NSManagedObjectContext
        let controller: NSFetchedResultsController<NSManagedObject>
        let log = DelegateLog()

        init(_ type: String = NSInMemoryStoreType) throws {
            stack = try RuntimeStack(type: type)
            let seed = stack.context()
            try seed.performAndWait {
                for (name, department) in [("Ada", "R"), ("Bob", "R"), ("Cy", "S")] {
                    let employee = NSEntityDescription.insertNewObject(forEntityName: "Employee", into: seed)
                    employee.setValue(name, forKey: "name")
                    employee.setValue(try Self.department(department, seed), forKey: "dept")
                }
                try seed.save()
            }
            context = stack.context()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
            request.sortDescriptors = ["dept.name", "name"].map { NSSortDescriptor(key: $0, ascending: true) }
            controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "dept.name", cacheName: nil)
            controller.delegate = log
            try context.performAndWait { try controller.performFetch() }
        }

        static func department(_ name: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Department")
            request.predicate = NSPredicate(format: "name == %@", name)
            if let found = try context.fetch(request).first { return found }
            let made = NSEntityDescription.insertNewObject(forEntityName: "Department", into: context)
            made.setValue(name, forKey: "name")
            return made
        }

        func changing(_ body: (NSManagedObjectContext) throws -> Void) throws -> [String] {
            try context.performAndWait {
                log.clear()
                try body(context)
                context.processPendingChanges()
            }
            return log.lines.isEmpty ? [] : log.batch
        }

        func employee(_ name: String) throws -> NSManagedObject {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
            request.predicate = NSPredicate(format: "name == %@", name)
            return try #require(try context.fetch(request).first)
        }

        var sections: [String] {
            context.performAndWait { (controller.sections ?? []).map { section in
                "\(section.name): " + (section.objects ?? []).map { ($0 as? NSManagedObject)?.value(forKey: "name") as? String ?? "nil" }.joined(separator: ",")
            } }
        }
    }

    @Test("An object that changes its to-one changes its section", arguments: bothStores)
    func changesSection(_ type: String) throws {
        let office = try Office(type)
        #expect(office.sections == ["R: Ada,Bob", "S: Cy"])
        try #expect(office.changing { try office.employee("Bob").setValue(try Office.department("S", $0), forKey: "dept") } == ["move Bob (0,1)(1,0)"])
        try #expect(office.changing { try office.employee("Cy").setValue(try Office.department("A", $0), forKey: "dept") }
            == ["section insert A 0", "move Cy (1,1)(0,0)"])
        try #expect(office.changing { _ in try office.employee("Bob").setValue(nil, forKey: "dept") }
            == ["section delete S 2", "section insert  0", "move Bob (2,0)(0,0)"])
        #expect(office.sections == [": Bob", "A: Cy", "R: Ada"])
    }

    @Test("A change of the related object alone is not followed, as at Apple's; the next change of an object takes it along", arguments: bothStores)
    func relatedChange(_ type: String) throws {
        let office = try Office(type)
        try #expect(office.changing { try Office.department("R", $0).setValue("Z", forKey: "name") } == [])
        #expect(office.sections == ["R: Ada,Bob", "S: Cy"])
        try #expect(office.changing { _ in try office.employee("Ada").setValue("Abe", forKey: "name") } == ["section insert Z 2", "move Abe (0,0)(2,0)"])
        try #expect(office.changing { _ in try office.employee("Bob").setValue("Bo", forKey: "name") } == ["section delete R 0", "move Bo (0,0)(1,1)"])
        #expect(office.sections == ["S: Cy", "Z: Abe,Bo"])
    }

    @Test("Deleting, refreshing and leaving the context: an object is gone once, and never comes back by itself")
    func ends() throws {
        let office = try Office(NSSQLiteStoreType)
        let bob = try office.context.performAndWait { try office.employee("Bob") }
        try #expect(office.changing { $0.refresh(bob, mergeChanges: false) } == ["update Bob (0,1)(0,1)"])
        try #expect(office.changing { $0.delete(bob) } == ["delete Bob (0,1)-"])
        try #expect(office.changing { try $0.save() } == [])
        try #expect(office.changing { $0.refreshAllObjects() } == ["update Ada (0,0)(0,0)", "update Cy (1,0)(1,0)"])
        #expect(office.context.performAndWait { office.controller.indexPath(forObject: bob) } == nil)
    }

    @Test("A controller does not retain its delegate, nor its context the controller")
    func ownership() throws {
        weak var delegate: DelegateLog?
        weak var controller: NSFetchedResultsController<NSManagedObject>?
        let crew = try Crew([("A", "T", 1)])
        do {
            let log = DelegateLog()
            delegate = log
            let made = NSFetchedResultsController(
                fetchRequest: crew.controller.fetchRequest, managedObjectContext: crew.context, sectionNameKeyPath: "team", cacheName: nil)
            controller = made
            made.delegate = log
            try crew.context.performAndWait {
                try made.performFetch()
                _ = (made.sections, made.fetchedObjects)
                crew.context.hire("B", "U")
                crew.context.processPendingChanges()
            }
            #expect(log.batch == ["section insert U 1", "insert B -(1,0)"])
        }
        #expect(delegate == nil && controller == nil)
        try crew.changing { $0.hire("C", "T") }
    }

    @Test("A delegate that fetches anew while it is told of changes is not told them on top")
    func fetchesAnew() throws {
        let crew = try Crew([("A", "T", 1), ("B", "T", 1)])
        try crew.fetch()
        try crew.changing { $0.hire("C", "T") }
        crew.log.onLine = { line in
            guard line == "will" else { return }
            crew.log.onLine = { _ in }
            do { try crew.controller.performFetch() } catch { Issue.record(error) }
        }
        try #expect(crew.changing { $0.hire("D", "T") } == [])
        #expect(crew.contents == "[T: A,B,C,D]")
        try #expect(crew.changing { $0.delete(try $0.person("B")) } == ["delete B (0,1)-"])
    }

    @Test("Thousands of changes in one save, in a child's controller on its own queue")
    func many() throws {
        let crew = try Crew((0..<3000).map { ("P\(10_000 + $0)", "\($0 % 7)", $0) })
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = crew.context
        let controller = NSFetchedResultsController(
            fetchRequest: crew.controller.fetchRequest, managedObjectContext: child, sectionNameKeyPath: "team", cacheName: nil)
        let log = DelegateLog()
        controller.delegate = log
        try child.performAndWait {
            try controller.performFetch()
            for (number, person) in (controller.fetchedObjects ?? []).enumerated() where number % 2 == 0 {
                person.setValue("\((number * 31) % 9)", forKey: "team")
            }
            child.processPendingChanges()
            let told = log.batch
            #expect(told.count(where: { $0.hasPrefix("move") || $0.hasPrefix("update") }) == 1500)
            let tracked = controller.fetchedObjects ?? []
            try controller.performFetch()
            #expect(controller.fetchedObjects == tracked && controller.sections?.map(\.name) == (0..<9).map { "\($0)" })
        }
    }
}
