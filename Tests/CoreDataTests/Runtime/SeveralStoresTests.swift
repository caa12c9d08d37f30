import CoreData
import Foundation
import SQLiteDriver
import Testing

@Suite("Several stores")
struct SeveralStoresTests {
    private func names(_ context: NSManagedObjectContext, in store: NSPersistentStore) throws -> [String] {
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Department")
            request.affectedStores = [store]
            return try context.fetch(request).compactMap { $0.value(forKey: "name") as? String }
        }
    }

    private func insert(_ name: String, into store: NSPersistentStore, _ context: NSManagedObjectContext) -> NSManagedObject {
        let department = NSEntityDescription.insertNewObject(forEntityName: "Department", into: context)
        department.setValue(name, forKey: "name")
        context.assign(department, to: store)
        return department
    }

    @Test("A request for one store finds no unsaved objects of others: edited, new, or told of to a results controller")
    func affectedStores() throws {
        let stack = try RuntimeStack(type: NSSQLiteStoreType)
        let first = try #require(stack.coordinator.persistentStores.first)
        let url = try #require(stack.url).deletingLastPathComponent().appendingPathComponent("Second.sqlite")
        let second = try stack.coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let context = stack.context()
        try context.performAndWait {
            let other = insert("Other", into: second, context)
            _ = insert("Mine", into: first, context)
            try context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Department")
            request.affectedStores = [first]
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            let log = DelegateLog()
            controller.delegate = log
            try controller.performFetch()
            other.setValue("Edited", forKey: "name")
            _ = insert("New there", into: second, context)
            _ = insert("New here", into: first, context)
            // Goes where the save will put it.
            NSEntityDescription.insertNewObject(forEntityName: "Department", into: context).setValue("Open", forKey: "name")
            #expect(try context.fetch(request).compactMap { $0.value(forKey: "name") as? String } == ["Mine", "New here", "Open"])
            #expect(try context.count(for: request) == 3)
            context.processPendingChanges()
            #expect(log.batch == ["insert New here -(0,1)", "insert Open -(0,2)"])
            try context.save()
            #expect(try context.fetch(request).compactMap { $0.value(forKey: "name") as? String } == ["Mine", "New here", "Open"])
            request.affectedStores = [second]
            #expect(try names(context, in: second).sorted() == ["Edited", "New there"])
        }
    }

    @Test("When a later store refuses its part, the earlier one's is saved and is not saved again")
    func partialCommit() throws {
        let stack = try RuntimeStack(type: NSSQLiteStoreType)
        let first = try #require(stack.coordinator.persistentStores.first)
        let url = try #require(stack.url).deletingLastPathComponent().appendingPathComponent("Second.sqlite")
        let second = try stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: [NSPersistentStoreTimeoutOption: NSNumber(value: 0.1)])
        let locker = try SQLiteConnection(path: url.path, access: .readWrite)
        defer { locker.close() }
        let context = stack.context()
        try context.performAndWait {
            let saved = insert("One", into: first, context)
            let refused = insert("Two", into: second, context)
            try locker.execute("BEGIN IMMEDIATE")
            #expect(throws: (any Error).self) { try context.save() }
            #expect(!saved.hasChanges && !saved.objectID.isTemporaryID)
            #expect(refused.isInserted && refused.objectID.isTemporaryID)
            try locker.execute("ROLLBACK")
            try context.save()
            #expect(!context.hasChanges)
        }
        let reader = stack.context()
        try #expect(names(reader, in: first) == ["One"])
        try #expect(names(reader, in: second) == ["Two"])
    }

    @Test("A store that is read-only refuses before any other is written")
    func readOnlyFirst() throws {
        let stack = try RuntimeStack(type: NSSQLiteStoreType)
        let first = try #require(stack.coordinator.persistentStores.first)
        let url = try #require(stack.url).deletingLastPathComponent().appendingPathComponent("Second.sqlite")
        let made = try stack.coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        try stack.coordinator.remove(made)
        let second = try stack.coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
        let context = stack.context()
        context.performAndWait {
            let one = insert("One", into: first, context)
            _ = insert("Two", into: second, context)
            #expect(throws: (any Error).self) { try context.save() }
            #expect(one.isInserted)
        }
        try #expect(names(stack.context(), in: first) == [])
    }
}
