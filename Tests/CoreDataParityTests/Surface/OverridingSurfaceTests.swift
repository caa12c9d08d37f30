import CoreData
import Foundation
import Testing

/// What apps and their tests override in subclasses of the framework's own classes.
@Suite("API surface: overriding")
struct OverridingSurfaceTests {
    private func context<Context: NSManagedObjectContext>(_ context: Context) throws -> (Context, NSPersistentContainer) {
        let container = try SurfaceModel.container()
        context.persistentStoreCoordinator = container.persistentStoreCoordinator
        return (context, container)
    }

    @Test("An overridden save is what callers get; super does the work")
    func save() throws {
        let (context, container) = try context(CountingContext(concurrencyType: .privateQueueConcurrencyType))
        defer { try? SurfaceModel.remove(container) }
        try context.performAndWait {
            let person = SurfacePerson(context: context)
            person.name = "Ada"
            try context.save()
            #expect(context.saves == 1 && !context.hasChanges)
            context.failure = CocoaError(.persistentStoreSave)
            person.name = "Bob"
            let plain: NSManagedObjectContext = context
            #expect(throws: CocoaError.self) { try plain.save() }
            #expect(person.hasChanges)
            plain.delete(person)
            #expect(context.deletions == [person.objectID])
        }
        #expect(context.waits == 1)
    }

    @Test("Fetches and counts of any type pass through the overridden methods")
    func fetch() throws {
        let (context, container) = try context(CountingContext(concurrencyType: .privateQueueConcurrencyType))
        defer { try? SurfaceModel.remove(container) }
        try context.performAndWait { () throws in
            let ada = SurfacePerson(context: context)
            ada.name = "Ada"
            let request = NSFetchRequest<SurfacePerson>(entityName: "SurfacePerson")
            let found = try context.fetch(request)
            #expect(found == [ada] && context.fetches == ["SurfacePerson"])
            let count = try context.count(for: request)
            #expect(count == 1 && context.fetches.count == 2)
            let any = try context.fetch(NSFetchRequest<NSFetchRequestResult>(entityName: "SurfacePerson"))
            #expect(any.first as? SurfacePerson === ada)
            let rows = NSFetchRequest<NSDictionary>(entityName: "SurfacePerson")
            rows.resultType = .dictionaryResultType
            let dictionaries = try context.fetch(rows)
            #expect(dictionaries.isEmpty && context.fetches.count == 4)
        }
        let (canned, other) = try self.context(CannedContext(concurrencyType: .privateQueueConcurrencyType))
        defer { try? SurfaceModel.remove(other) }
        let rows = NSFetchRequest<NSDictionary>(entityName: "SurfacePerson")
        rows.resultType = .dictionaryResultType
        #expect(try canned.fetch(rows).map { $0["name"] as? String } == ["canned"])
        #expect(try canned.count(for: rows) == 7)
        #expect(throws: (any Error).self) { try canned.fetch(NSFetchRequest<SurfacePerson>(entityName: "SurfacePerson")) }
    }

    @Test("A block that returns or throws is waited for through the overridden method, which may be handed on as a value")
    func waiting() throws {
        let (context, container) = try context(CountingContext(concurrencyType: .privateQueueConcurrencyType))
        defer { try? SurfaceModel.remove(container) }
        #expect(context.performAndWait { 5 } == 5)
        #expect(throws: CocoaError.self) { try context.performAndWait { throw CocoaError(.coreData) } }
        #expect(context.waits == 2)
        let wait: (() -> Void) -> Void = context.performAndWait
        var ran = false
        wait { ran = true }
        #expect(ran && context.waits == 3)
        let alone: (() -> Void) -> Void = container.persistentStoreCoordinator.performAndWait
        alone { ran = false }
        #expect(!ran)
    }

    @Test("What a context asks its parent, and its merging of saves, does not pass through waits and blocks that others overrode")
    func familyWork() throws {
        let (parent, container) = try context(StillContext(concurrencyType: .privateQueueConcurrencyType))
        defer { try? SurfaceModel.remove(container) }
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = parent
        parent.automaticallyMergesChangesFromParent = true
        parent.isStill = true
        try child.performAndWait {
            let person = NSEntityDescription.insertNewObject(forEntityName: "SurfacePerson", into: child)
            try child.save()
            child.refresh(person, mergeChanges: false)
            #expect(person.value(forKey: "name") == nil)
            try child.obtainPermanentIDs(for: [person])
            let people = try child.fetch(NSFetchRequest<NSManagedObject>(entityName: "SurfacePerson"))
            #expect(people == [person] && !person.objectID.isTemporaryID)
        }
        parent.isStill = false
        try parent.performAndWait { try parent.save() }
        parent.isStill = true
        let other = container.newBackgroundContext()
        try other.performAndWait {
            let person = try #require(other.fetch(NSFetchRequest<NSManagedObject>(entityName: "SurfacePerson")).first)
            person.setValue("changed", forKey: "name")
            try other.save()
        }
        // Behind the merge on the parent's queue.
        let reads = child.performAndWait { child.registeredObjects.map { object in
            child.refresh(object, mergeChanges: false)
            return object.value(forKey: "name") as? String
        }  }
        #expect(reads == ["changed"])
    }

    @Test("A container gives the contexts its subclass chooses")
    func container() throws {
        let model = SurfaceModel.make()
        let container = FixedContainer(name: "Fixed", managedObjectModel: model)
        #expect(container.viewContext.name == "fixed" && container.newBackgroundContext() is CountingContext)
        #expect(container.managedObjectModel === model && container.name == "Fixed")
    }
}

private class CountingContext: NSManagedObjectContext, @unchecked Sendable {
    var saves = 0, waits = 0
    var fetches: [String] = []
    var deletions: [NSManagedObjectID] = []
    var failure: (any Error)?

    override func save() throws {
        if let failure { throw failure }
        saves += 1
        try super.save()
    }

    override func performAndWait(_ block: () -> Void) {
        waits += 1
        super.performAndWait(block)
    }

    override func fetch(_ request: NSFetchRequest<NSFetchRequestResult>) throws -> [Any] {
        fetches.append(request.entityName ?? "")
        return try super.fetch(request)
    }

    override func count(for request: NSFetchRequest<NSFetchRequestResult>) throws -> Int {
        fetches.append(request.entityName ?? "")
        return try super.count(for: request)
    }

    override func delete(_ object: NSManagedObject) {
        deletions.append(object.objectID)
        super.delete(object)
    }
}

/// A stand-in whose blocks a test wants not to run.
private class StillContext: NSManagedObjectContext, @unchecked Sendable {
    var isStill = false

    override func performAndWait(_ block: () -> Void) { if !isStill { super.performAndWait(block) } }
    override func perform(_ block: @escaping @Sendable () -> Void) { if !isStill { super.perform(block) } }
}

private class CannedContext: NSManagedObjectContext, @unchecked Sendable {
    override func fetch(_ request: NSFetchRequest<NSFetchRequestResult>) throws -> [Any] { [["name": "canned"]] }
    override func count(for request: NSFetchRequest<NSFetchRequestResult>) throws -> Int { 7 }
}

private final class FixedContainer: NSPersistentContainer, @unchecked Sendable {
    private let fixed = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)

    override var viewContext: NSManagedObjectContext {
        fixed.name = "fixed"
        return fixed
    }

    override func newBackgroundContext() -> NSManagedObjectContext { CountingContext(concurrencyType: .privateQueueConcurrencyType) }
}
