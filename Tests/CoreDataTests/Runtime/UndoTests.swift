import CoreData
import Foundation
import Testing

@Suite("Undo")
struct UndoTests {
    private func names(_ context: NSManagedObjectContext) throws -> [String] {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Department"))
            .compactMap { $0.value(forKey: "name") as? String }.sorted()
    }

    @Test("LC16: Undo empties, redo restores, and rollback clears both stacks")
    func insertions() throws {
        let context = try RuntimeStack().context()
        try context.performAndWait {
            context.undoManager = UndoManager()
            for name in ["A", "B", "C"] {
                NSEntityDescription.insertNewObject(forEntityName: "Department", into: context).setValue(name, forKey: "name")
            }
            context.undo()
            try #expect(names(context) == [])
            context.redo()
            try #expect(names(context) == ["A", "B", "C"])
            context.rollback()
            try #expect(names(context) == [])
            context.redo()
            try #expect(names(context) == [])
        }
    }

    @Test("Edits and deletions are undone, across a save too")
    func editsAcrossSave() throws {
        let stack = try RuntimeStack()
        let context = stack.context()
        try context.performAndWait {
            context.undoManager = UndoManager()
            let department = NSEntityDescription.insertNewObject(forEntityName: "Department", into: context)
            department.setValue("Old", forKey: "name")
            try context.save()
            department.setValue("New", forKey: "name")
            try context.save()
            context.undo()
            #expect(department.value(forKey: "name") as? String == "Old")
            #expect(context.hasChanges)
            try context.save()
            try #expect(names(stack.context()) == ["Old"])
            context.delete(department)
            context.processPendingChanges()
            context.undo()
            #expect(!department.isDeleted)
            try #expect(names(context) == ["Old"])
        }
    }

    @Test("A relationship change is undone on both sides")
    func relationships() throws {
        let context = try RuntimeStack().context()
        try context.performAndWait {
            let sales = NSEntityDescription.insertNewObject(forEntityName: "Department", into: context)
            let alice = NSEntityDescription.insertNewObject(forEntityName: "Employee", into: context)
            try context.save()
            context.undoManager = UndoManager()
            alice.setValue(sales, forKey: "dept")
            context.processPendingChanges()
            #expect((sales.value(forKey: "employees") as? NSSet)?.count == 1)
            context.undo()
            #expect(alice.value(forKey: "dept") == nil)
            #expect((sales.value(forKey: "employees") as? NSSet)?.count == 0)
            context.redo()
            #expect(alice.value(forKey: "dept") as? NSManagedObject === sales)
            #expect((sales.value(forKey: "employees") as? NSSet)?.count == 1)
        }
    }

    @Test("LC17: What happens while registration is off stays")
    func disabled() throws {
        let context = try RuntimeStack().context()
        try context.performAndWait {
            let manager = UndoManager()
            context.undoManager = manager
            context.processPendingChanges()
            manager.disableUndoRegistration()
            NSEntityDescription.insertNewObject(forEntityName: "Department", into: context).setValue("Kept", forKey: "name")
            context.processPendingChanges()
            manager.enableUndoRegistration()
            context.undo()
            try #expect(names(context) == ["Kept"])
        }
    }
}
