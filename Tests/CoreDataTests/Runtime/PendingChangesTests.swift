import CoreData
import Foundation
import Testing

/// An object comes and goes among the unsaved ones; one save must still write it once.
@Suite("Pending changes")
struct PendingChangesTests {
    private func department(_ name: String, in context: NSManagedObjectContext) -> NSManagedObject {
        let department = NSEntityDescription.insertNewObject(forEntityName: "Department", into: context)
        department.setValue(name, forKey: "name")
        return department
    }

    private func names(_ stack: RuntimeStack) throws -> [String] {
        let context = stack.context()
        return try context.performAndWait {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Department"))
                .compactMap { $0.value(forKey: "name") as? String }.sorted()
        }
    }

    @Test("Edited, refreshed without merging and edited again, an object is saved once", arguments: [NSInMemoryStoreType, NSSQLiteStoreType])
    func refreshed(type: String) throws {
        let stack = try RuntimeStack(type: type)
        let context = stack.context()
        try context.performAndWait {
            let sales = department("One", in: context)
            try context.save()
            for name in ["Two", "Three", "Four"] {
                sales.setValue("dropped", forKey: "name")
                context.refresh(sales, mergeChanges: false)
                sales.setValue(name, forKey: "name")
            }
            #expect(context.updatedObjects.count == 1)
            try context.save()
            #expect(!context.hasChanges)
            sales.setValue("Five", forKey: "name")
            try context.save()
        }
        try #expect(names(stack) == ["Five"])
    }

    @Test("A conflict is settled by refreshing, doing the work again and saving", arguments: [NSInMemoryStoreType, NSSQLiteStoreType])
    func retry(type: String) throws {
        let stack = try RuntimeStack(type: type)
        let (mine, other) = (stack.context(), stack.context())
        try mine.performAndWait {
            let sales = department("One", in: mine)
            try mine.save()
            let identifier = sales.objectID
            try other.performAndWait {
                try other.existingObject(with: identifier).setValue("Theirs", forKey: "name")
                try other.save()
            }
            sales.setValue("Mine", forKey: "name")
            #expect(throws: (any Error).self) { try mine.save() }
            mine.refresh(sales, mergeChanges: false)
            #expect(sales.value(forKey: "name") as? String == "Theirs")
            sales.setValue("Again", forKey: "name")
            try mine.save()
        }
        try #expect(names(stack) == ["Again"])
    }

    @Test("Deleted, brought back and deleted again, an object is deleted once", arguments: [NSInMemoryStoreType, NSSQLiteStoreType])
    func deletedTwice(type: String) throws {
        let stack = try RuntimeStack(type: type)
        let context = stack.context()
        try context.performAndWait {
            let sales = department("Gone", in: context)
            try context.save()
            context.delete(sales)
            context.insert(sales)
            context.delete(sales)
            #expect(context.deletedObjects.count == 1)
            try context.save()
        }
        try #expect(names(stack) == [])
    }

    @Test("Inserted, undone and redone, an object is inserted once", arguments: [NSInMemoryStoreType, NSSQLiteStoreType])
    func redone(type: String) throws {
        let stack = try RuntimeStack(type: type)
        let context = stack.context()
        try context.performAndWait {
            context.undoManager = UndoManager()
            _ = department("Once", in: context)
            for _ in 0..<2 {
                context.undo()
                context.redo()
            }
            #expect(context.insertedObjects.count == 1)
            try context.save()
        }
        try #expect(names(stack) == ["Once"])
    }
}
