import CoreData
import CoreDataTestSupport
import Testing

@Suite("Refreshing ordered relationships")
struct OrderedRefreshTests {
    @Test("Members added from the other side keep their order when the owner is refreshed")
    func addedFromTheOtherSide() throws {
        let context = try GraphStack().context()
        try context.performAndWait {
            let alpha = context.insert(.alpha)
            try context.save()
            let added = (1...12).map { number in
                let beta = context.insert(.beta, number: number)
                beta.setValue(alpha, forKey: "queued")
                return number
            }
            context.refreshAllObjects()
            #expect(alpha.numbers("queue") == added)
        }
    }

    @Test("An order set here survives a merge that brings a member added elsewhere")
    func reorderedHere() throws {
        let stack = try GraphStack(), here = stack.context(merges: true), elsewhere = stack.context()
        let alpha = try here.performAndWait {
            let alpha = here.insert(.alpha, number: 1)
            alpha.setValue(NSOrderedSet(array: (1...3).map { here.insert(.beta, number: $0) }), forKey: "queue")
            try here.save()
            alpha.mutableOrderedSetValue(forKey: "queue").moveObjects(at: [2], to: 0)
            return alpha
        }
        try elsewhere.performAndWait {
            let other = try #require(elsewhere.fetch(NSFetchRequest<NSManagedObject>(entityName: "Alpha")).first)
            elsewhere.insert(.beta, number: 4).setValue(other, forKey: "queued")
            try elsewhere.save()
        }
        here.performAndWait {}
        here.performAndWait { #expect(alpha.numbers("queue") == [3, 1, 2, 4]) }
    }

    @Test("A member taken out and put back from its side is last, whether the order was loaded or not", arguments: [0, 1, 2, 3])
    func takenOutAndPutBack(loading: Int) throws {
        let stack = try GraphStack(), writer = stack.context()
        try writer.performAndWait {
            let alpha = writer.insert(.alpha, number: 1)
            alpha.setValue(NSOrderedSet(array: (1...4).map { writer.insert(.beta, number: $0) }), forKey: "queue")
            try writer.save()
        }
        let reader = stack.context()
        try reader.performAndWait {
            let alpha = try #require(reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Alpha")).first)
            let betas = try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Beta"))
            let second = try #require(betas.first { $0.value(forKey: "number") as? Int == 2 })
            if loading == 1 { _ = alpha.numbers("queue") }
            second.setValue(nil, forKey: "queued")
            if loading == 2 { #expect(alpha.numbers("queue") == [1, 3, 4]) }
            if loading == 3 { reader.refresh(alpha, mergeChanges: true) }
            second.setValue(alpha, forKey: "queued")
            #expect(alpha.numbers("queue") == [1, 3, 4, 2])
            reader.refresh(alpha, mergeChanges: true)
            #expect(alpha.numbers("queue") == [1, 3, 4, 2])
            try reader.save()
            reader.refreshAllObjects()
            #expect(alpha.numbers("queue") == [1, 3, 4, 2])
        }
    }

    @Test("A new member in front of the first saved one is saved in front of it", arguments: ["queue", "left"])
    func newFirstMember(relationship: String) throws {
        let folder = try TemporaryFolder()
        func context() throws -> NSManagedObjectContext {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: RandomModel.make())
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("Order.sqlite"), options: nil)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            return context
        }
        let writer = try context()
        try writer.performAndWait {
            let alpha = writer.insert(.alpha), old = writer.insert(.beta, number: 1)
            alpha.setValue(NSOrderedSet(array: [old]), forKey: relationship)
            try writer.save()
            alpha.setValue(NSOrderedSet(array: [writer.insert(.beta, number: 2), old]), forKey: relationship)
            try writer.save()
        }
        let reader = try context()
        try reader.performAndWait {
            let alpha = try #require(reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Alpha")).first)
            #expect(alpha.numbers(relationship) == [2, 1])
        }
    }
}
