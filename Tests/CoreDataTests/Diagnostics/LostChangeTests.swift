import CoreData
import Foundation
import Synchronization
import Testing

@Suite("Diagnostics: changes of objects without a context")
struct LostChangeTests {
    private final class Log: Sendable {
        private let changed = Mutex<[NSManagedObjectID]>([])
        func add(_ event: CoreDataDiagnostics.Event) {
            if case .lostChange(let change) = event { changed.withLock { $0.append(change.objectID) } }
        }
        func count(_ object: NSManagedObject) -> Int {
            let identifier = object.objectID
            return changed.withLock { $0.count { $0 == identifier } }
        }
    }

    enum Ending: CaseIterable { case reset, rollback, deletion, end }

    @Test("A property set after the context let the object go, or is gone, is shown and told; nothing stops", arguments: Ending.allCases)
    func told(ending: Ending) throws {
        let stack = try RuntimeStack(type: NSInMemoryStoreType, model: CompanyModel.make()), log = Log()
        let observation = CoreDataDiagnostics.observe(.lostChanges) { log.add($0) }
        defer { observation.cancel() }
        var context: NSManagedObjectContext? = stack.context()
        let (person, team) = try #require(context).performAndWait { () -> (NSManagedObject, NSManagedObject) in
            let context = try #require(context)
            let person = context.insert("Employee", "Ada"), team = context.insert("Department", "d")
            if ending != .rollback { try context.save() }
            return (person, team)
        }
        try context?.performAndWait {
            switch ending {
            case .reset: context?.reset()
            case .rollback: context?.rollback()
            case .deletion:
                for object in [person, team] { context?.delete(object) }
                try context?.save()
            case .end: break
            }
        }
        context = nil
        #expect(person.managedObjectContext == nil)
        person.setValue("Eve", forKey: "name")
        #expect(person.value(forKey: "name") as? String == "Eve" && !person.hasChanges)
        #expect(log.count(person) == 1)
        team.setValue(Set<NSManagedObject>(), forKey: "employees")
        #expect(log.count(team) == 1)
        // Made without a context, an object waits for one.
        let outsider = NSManagedObject(entity: person.entity, insertInto: nil)
        outsider.setValue("later", forKey: "name")
        #expect(log.count(outsider) == 0)
    }

    @Test("A context that takes the object again saves what is set from then on")
    func again() throws {
        let stack = try RuntimeStack(type: NSInMemoryStoreType, model: CompanyModel.make()), log = Log(), context = stack.context()
        let observation = CoreDataDiagnostics.observe(.lostChanges) { log.add($0) }
        defer { observation.cancel() }
        try context.performAndWait {
            let person = context.insert("Employee", "Ada")
            context.rollback()
            context.insert(person)
            person.setValue("Eve", forKey: "name")
            try context.save()
            let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Employee"))
            #expect(count == 1 && log.count(person) == 0)
        }
    }
}
