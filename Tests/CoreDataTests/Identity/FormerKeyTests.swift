import Foundation
import Testing

@testable import CoreData
@testable import CoreDataSchema

@Suite("The keys of saved objects that somebody may know by temporary ones")
struct FormerKeyTests {
    private static func key(_ number: Int64) -> RowKey { RowKey(primaryKey: number, entity: 0, store: 1) }

    @Test("The last are known, older ones only while somebody needs them")
    func sweep() {
        var keys = FormerKeys(recent: 10)
        for number in 1...100 {
            keys.note(Int64(-number), Self.key(Int64(number)))
            if keys.isSweepDue { keys.sweep { temporary, _, serial in temporary == -3 && serial == 3 } }
        }
        #expect(keys.count <= 41 && keys[-3] == Self.key(3) && keys[-4] == nil)
        for number in 91...100 { #expect(keys[Int64(-number)] == Self.key(Int64(number))) }
        #expect(keys.entries(since: 98).mapValues(\.key) == [-99: Self.key(99), -100: Self.key(100)])
        #expect(keys.entries(since: 0).count == keys.count && keys.serial == 100)
    }

    /// Makes and saves objects that nobody keeps, until the table was swept more than once.
    private static func work(in context: NSManagedObjectContext, _ rounds: Int = 40) throws {
        for _ in 0..<rounds {
            for _ in 0..<20 { _ = context.insertNewItem().objectID.uriRepresentation() }
            try context.save()
        }
    }

    @Test("A context that works for long keeps no more of them than are held, with and without an idle child", arguments: [false, true])
    func bounded(hasChild: Bool) throws {
        let stack = try FormerKeyStack()
        let child = hasChild ? stack.child() : nil
        try stack.context.performAndWait {
            stack.context.formerKeys = FormerKeys(recent: 16)
            let object = stack.context.insertNewItem(), identifier = object.objectID, uri = identifier.uriRepresentation()
            let forgotten = stack.context.insertNewItem().objectID
            try stack.context.save()
            try Self.work(in: stack.context)
            #expect(stack.context.formerKeys.count <= 80)
            #expect(stack.context.object(with: identifier) === object)
            let again = try #require(stack.context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri))
            #expect(stack.context.registeredObject(for: again) === object)
            // Its object is let go; whoever holds the ID finds it again.
            #expect(!stack.context.object(with: forgotten).objectID.isTemporaryID)
        }
        #expect(child?.formerKeys.count ?? 0 == 0)
    }

    @Test("A child that slept meanwhile still follows those it knows")
    func sleepingChild() throws {
        let stack = try FormerKeyStack(), child = stack.child(), grandchild = stack.child(of: child)
        stack.context.formerKeys = FormerKeys(recent: 16)
        child.formerKeys = FormerKeys(recent: 16)
        let (known, below) = try child.performAndWait {
            let known = child.insertNewItem()
            try child.save()
            let below = try grandchild.performAndWait { try #require(grandchild.fetch(NSFetchRequest<NSManagedObject>(entityName: "Item")).first) }
            return (known, below)
        }
        try stack.context.performAndWait {
            try stack.context.save()
            try Self.work(in: stack.context)
            #expect(stack.context.formerKeys.count <= 81)
        }
        try grandchild.performAndWait {
            below.setValue("changed", forKey: "name")
            try grandchild.save()
            #expect(!below.objectID.isTemporaryID)
        }
        try child.performAndWait {
            try child.save()
            #expect(!known.objectID.isTemporaryID && known.value(forKey: "name") as? String == "changed")
        }
        try stack.context.performAndWait {
            try stack.context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.predicate = NSPredicate(format: "name == 'changed'")
            let found = try stack.context.count(for: request)
            #expect(found == 1)
            try Self.work(in: stack.context)
            #expect(stack.context.formerKeys.count <= 80)
        }
    }
}

private struct FormerKeyStack {
    let context: NSManagedObjectContext

    init() throws {
        let name = NSAttributeDescription(), item = NSEntityDescription(), model = NSManagedObjectModel()
        name.name = "name"
        name.attributeType = .stringAttributeType
        name.isOptional = true
        item.name = "Item"
        item.properties = [name]
        model.entities = [item]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    func child(of parent: NSManagedObjectContext? = nil) -> NSManagedObjectContext {
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent ?? context
        return child
    }
}

extension NSManagedObjectContext {
    fileprivate func insertNewItem() -> NSManagedObject { NSEntityDescription.insertNewObject(forEntityName: "Item", into: self) }
}
