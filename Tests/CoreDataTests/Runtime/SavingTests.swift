import CoreData
import Foundation
import Testing

@Suite("Saving and fetching")
struct SavingTests {
    @Test("A saved object is found by another context, with its values and relationships", arguments: [NSInMemoryStoreType, NSSQLiteStoreType])
    func roundTrip(type: String) throws {
        let stack = try RuntimeStack(type: type)
        let writer = stack.context()
        try writer.performAndWait {
            let sales = NSEntityDescription.insertNewObject(forEntityName: "Department", into: writer)
            sales.setValue("Sales", forKey: "name")
            for (name, salary) in [("Alice", 22), ("Bob", 25)] {
                let employee = NSEntityDescription.insertNewObject(forEntityName: "Employee", into: writer)
                employee.setValue(name, forKey: "name")
                employee.setValue(salary, forKey: "salary")
                employee.setValue(sales, forKey: "dept")
            }
            #expect((sales.value(forKey: "employees") as? NSSet)?.count == 2)
            try writer.save()
            #expect(!writer.hasChanges)
            #expect(!sales.objectID.isTemporaryID)
        }
        let reader = stack.context()
        try reader.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
            request.predicate = NSPredicate(format: "salary > %d AND dept.name == %@", 22, "Sales")
            let found = try reader.fetch(request)
            #expect(found.map { $0.value(forKey: "name") as? String } == ["Bob"])
            let department = try #require(found.first?.value(forKey: "dept") as? NSManagedObject)
            #expect((department.value(forKey: "employees") as? NSSet)?.count == 2)
            try #expect(reader.count(for: NSFetchRequest<NSManagedObject>(entityName: "Department")) == 1)
        }
    }

    @Test("A child's save reaches its parent, and the file only with the parent's", arguments: [NSInMemoryStoreType, NSSQLiteStoreType])
    func nested(type: String) throws {
        let stack = try RuntimeStack(type: type)
        let parent = stack.context()
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        let other = stack.context()
        let all = NSFetchRequest<NSManagedObject>(entityName: "Department")
        try child.performAndWait {
            let department = NSEntityDescription.insertNewObject(forEntityName: "Department", into: child)
            department.setValue("Research", forKey: "name")
            try child.save()
            #expect(department.objectID.isTemporaryID)
        }
        try #expect(other.performAndWait { try other.count(for: all) } == 0)
        try parent.performAndWait {
            #expect(parent.hasChanges)
            try #expect(parent.fetch(all).first?.value(forKey: "name") as? String == "Research")
            try parent.save()
        }
        try #expect(other.performAndWait { try other.count(for: all) } == 1)
        try child.performAndWait {
            let found = try child.fetch(all)
            #expect(found.count == 1)
            #expect(found.first?.objectID.isTemporaryID == false)
            found.first?.setValue("Labs", forKey: "name")
            try child.save()
        }
        try parent.performAndWait { try parent.save() }
        try other.performAndWait { try #expect(other.fetch(all).first?.value(forKey: "name") as? String == "Labs") }
    }
}
