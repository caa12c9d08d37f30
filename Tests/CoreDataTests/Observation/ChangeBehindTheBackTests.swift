import CoreData
import Foundation
import Testing

@Suite("Key-value observing: changes behind an object's back")
struct ChangeBehindTheBackTests {
    private let taker = NoteTaker()

    private func office(_ body: (NSManagedObjectContext, NSManagedObject) throws -> Void) throws {
        let office = try ObservedOffice()
        try office.run { context in
            let person = context.insert("Employee", "a")
            try context.save()
            try body(context, person)
        }
    }

    @Test("Turning into a fault is told, and firing it again too, though the values are what they were")
    func faults() throws {
        try office { context, person in
            person.addObserver(taker, forKeyPath: "name", context: nil)
            context.refresh(person, mergeChanges: false)
            #expect(taker.notes.map(\.kind) == [.setting] && person.isFault)
            #expect(person.value(forKey: "name") as? String == "a")
            #expect(taker.notes.count == 2)
            #expect(person.value(forKey: "name") as? String == "a")
            #expect(taker.notes.count == 2)
        }
    }

    @Test("A fault observed before it ever fired is told of its sets only")
    func freshFaults() throws {
        let office = try ObservedOffice()
        try office.run { context in
            context.insert("Employee", "a")
            try context.save()
        }
        try office.run { context in
            context.reset()
            let person = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Employee")).first)
            #expect(person.isFault)
            person.addObserver(taker, forKeyPath: "name", options: .old, context: nil)
            person.setValue("b", forKey: "name")
            #expect(taker.notes.map { $0.old as? String } == ["a"])
        }
    }

    @Test("Rollback and refreshing tell the values that are there afterwards")
    func rollback() throws {
        try office { context, person in
            person.addObserver(taker, forKeyPath: "name", options: [.old, .new], context: nil)
            person.setValue("b", forKey: "name")
            context.rollback()
            #expect(taker.notes.last?.old as? String == "b" && taker.notes.last?.new as? String == "a" && taker.notes.count == 2)
        }
    }

    @Test("Refreshing with changes kept tells what differs, and only that")
    func merging() throws {
        try office { context, person in
            person.addObserver(taker, forKeyPath: "name", options: [.old, .new], context: nil)
            person.addObserver(taker, forKeyPath: "salary", options: [.old, .new], context: nil)
            let elsewhere = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            elsewhere.persistentStoreCoordinator = context.persistentStoreCoordinator
            let identifier = person.objectID
            try elsewhere.performAndWait {
                elsewhere.object(with: identifier).setValue("elsewhere", forKey: "name")
                try elsewhere.save()
            }
            context.refresh(person, mergeChanges: true)
            #expect(taker.notes.map(\.keyPath) == ["name"])
            #expect(taker.notes[0].old as? String == "a" && taker.notes[0].new as? String == "elsewhere")
            context.refresh(person, mergeChanges: true)
            #expect(taker.notes.count == 1)
        }
    }

    @Test("Undo and redo tell attributes and relationships; a custom setter's change is undone to what was before it")
    func undo() throws {
        try office { context, person in
            let department = context.insert("Department", "d")
            try context.save()
            context.undoManager = UndoManager()
            person.addObserver(taker, forKeyPath: "name", options: [.old, .new], context: nil)
            department.addObserver(taker, forKeyPath: "employees", options: [.old, .new], context: nil)
            person.willChangeValue(forKey: "name")
            person.setPrimitiveValue("b", forKey: "name")
            person.didChangeValue(forKey: "name")
            person.setValue(department, forKey: "dept")
            taker.clear()
            context.undo()
            #expect(person.value(forKey: "name") as? String == "a")
            #expect(taker.notes.first { $0.keyPath == "name" }?.new as? String == "a")
            #expect(taker.notes.first { $0.keyPath == "employees" }.map { $0.left == ["b"] || $0.left == ["a"] } == true)
            taker.clear()
            context.redo()
            #expect(taker.notes.first { $0.keyPath == "name" }?.new as? String == "b")
            #expect(taker.notes.first { $0.keyPath == "employees" }?.joined == ["b"])
        }
    }

    @Test("A child's save tells the observers of the parent's object")
    func childSaves() throws {
        try office { context, person in
            person.addObserver(taker, forKeyPath: "name", options: [.old, .new], context: nil)
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = context
            let identifier = person.objectID
            try child.performAndWait {
                child.object(with: identifier).setValue("child", forKey: "name")
                try child.save()
            }
            #expect(taker.notes.map { $0.old as? String } == ["a"] && taker.notes.map { $0.new as? String } == ["child"])
        }
    }

    @Test("A merge policy that takes the store's values tells them")
    func mergePolicy() throws {
        try office { context, person in
            context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
            let elsewhere = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            elsewhere.persistentStoreCoordinator = context.persistentStoreCoordinator
            let identifier = person.objectID
            try elsewhere.performAndWait {
                elsewhere.object(with: identifier).setValue("store", forKey: "name")
                try elsewhere.save()
            }
            person.setValue("memory", forKey: "name")
            person.addObserver(taker, forKeyPath: "name", options: [.old, .new], context: nil)
            try context.save()
            #expect(taker.notes.last?.new as? String == "store" && person.value(forKey: "name") as? String == "store")
        }
    }
}
