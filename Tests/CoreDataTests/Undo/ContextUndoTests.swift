import CoreData
import Foundation
import Testing

@Suite("Undo")
struct UndoTests {
    private func names(_ context: NSManagedObjectContext) throws -> [String] {
        try context.performAndWait {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Department"))
                .compactMap { $0.value(forKey: "name") as? String }.sorted()
        }
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

    private func department(_ name: String, in context: NSManagedObjectContext) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: "Department", into: context)
        object.setValue(name, forKey: "name")
        return object
    }

    @Test("A manager asked directly takes back what the context has not processed yet")
    func managerAskedDirectly() throws {
        let context = try RuntimeStack().context()
        try context.performAndWait {
            let manager = UndoManager()
            context.undoManager = manager
            _ = department("A", in: context)
            #expect(manager.canUndo)
            manager.undo()
            try #expect(names(context) == [])
            #expect(manager.canRedo)
            manager.redo()
            try #expect(names(context) == ["A"])
        }
    }

    @Test("Changes made inside a group belong to it without processPendingChanges", arguments: [true, false])
    func explicitGroups(byEvent: Bool) throws {
        let context = try RuntimeStack().context()
        try context.performAndWait {
            let manager = UndoManager()
            manager.groupsByEvent = byEvent
            context.undoManager = manager
            for name in ["A", "B"] {
                manager.beginUndoGrouping()
                let object = department(name, in: context)
                context.processPendingChanges()
                object.setValue(name + "!", forKey: "name")
                manager.endUndoGrouping()
            }
            #expect(manager.undoCount == 2)
            manager.undo()
            try #expect(names(context) == ["A!"])
            manager.undo()
            try #expect(names(context) == [])
            manager.redo()
            manager.redo()
            try #expect(names(context) == ["A!", "B!"])
        }
    }

    @Test("An action's name stays with the change made before it was set")
    func actionNames() throws {
        let context = try RuntimeStack().context()
        context.performAndWait {
            let manager = UndoManager()
            context.undoManager = manager
            let object = department("A", in: context)
            manager.setActionName("Insert")
            object.setValue("B", forKey: "name")
            manager.setActionName("Rename")
            #expect(manager.undoActionName == "Rename")
            context.undo()
            #expect(manager.undoActionName == "Insert")
            #expect(manager.redoActionName == "Rename")
        }
    }

    @Test("An action of the app's own that edits objects is undone and redone with what it did")
    func actionsOfTheApp() throws {
        final class Model {
            let object: NSManagedObject
            init(_ object: NSManagedObject) { self.object = object }
        }
        let context = try RuntimeStack().context()
        context.performAndWait {
            let object = department("A", in: context)
            context.processPendingChanges()
            let manager = UndoManager()
            context.undoManager = manager
            let model = Model(object)
            manager.beginUndoGrouping()
            manager.registerUndo(withTarget: model) { $0.object.setValue("undone", forKey: "name") }
            manager.endUndoGrouping()
            manager.undo()
            #expect(object.value(forKey: "name") as? String == "undone")
            manager.redo()
            #expect(object.value(forKey: "name") as? String == "A")
        }
    }

    @Test("An insertion that was saved is undone as a deletion, and redone", arguments: [NSInMemoryStoreType, NSSQLiteStoreType])
    func savedInsertion(type: String) throws {
        let stack = try RuntimeStack(type: type)
        let context = stack.context()
        try context.performAndWait {
            context.undoManager = UndoManager()
            let object = department("A", in: context)
            try context.save()
            context.undo()
            #expect(object.isDeleted || object.managedObjectContext == nil)
            try #expect(names(context) == [])
            try context.save()
            try #expect(names(stack.context()) == [])
            context.redo()
            try #expect(names(context) == ["A"])
            try context.save()
            try #expect(names(stack.context()) == ["A"])
        }
    }

    @Test("A deletion that was saved is undone as an insertion with its relationships", arguments: [NSInMemoryStoreType, NSSQLiteStoreType])
    func savedDeletion(type: String) throws {
        let stack = try RuntimeStack(type: type)
        let context = stack.context()
        try context.performAndWait {
            let object = department("A", in: context)
            let employee = NSEntityDescription.insertNewObject(forEntityName: "Employee", into: context)
            employee.setValue(object, forKey: "dept")
            try context.save()
            context.undoManager = UndoManager()
            context.delete(object)
            try context.save()
            #expect(employee.value(forKey: "dept") == nil)
            context.undo()
            try #expect(names(context) == ["A"])
            let back = try #require(employee.value(forKey: "dept") as? NSManagedObject)
            #expect(back.value(forKey: "name") as? String == "A")
            #expect((back.value(forKey: "employees") as? NSSet)?.contains(employee) == true)
            try context.save()
            let other = stack.context()
            try other.performAndWait {
                let found = try other.fetch(NSFetchRequest<NSManagedObject>(entityName: "Employee"))
                #expect((found.first?.value(forKey: "dept") as? NSManagedObject)?.value(forKey: "name") as? String == "A")
            }
            context.redo()
            try context.save()
            try #expect(names(stack.context()) == [])
        }
    }

    @Test("reset forgets the context's actions, and no other's")
    func reset() throws {
        let stack = try RuntimeStack()
        let (first, second) = (stack.context(), stack.context())
        let manager = UndoManager()
        first.performAndWait {
            first.undoManager = manager
            _ = department("A", in: first)
            first.processPendingChanges()
        }
        second.performAndWait {
            second.undoManager = manager
            _ = department("B", in: second)
            second.processPendingChanges()
        }
        #expect(manager.undoCount == 2)
        first.performAndWait { first.reset() }
        #expect(manager.undoCount == 1)
        try second.performAndWait {
            second.undo()
            try #expect(names(second) == [])
        }
    }
}
