import CoreData
import Testing

/// What apps do all day, at once. `Scripts/sanitize.sh` runs it under the thread and the address sanitizer.
@Suite("Importers")
struct ImporterTests {
    @MainActor
    @Test("Two importers add children to shared parents while main merges, reads and lists: nothing is lost", arguments: 1...3)
    func siblings(round: Int) async throws {
        let office = try ImportOffice()
        defer { office.remove() }
        let main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        main.persistentStoreCoordinator = office.coordinator
        main.automaticallyMergesChangesFromParent = true
        let log = ListLog()
        let list = try office.list(in: main, log)
        let first = Task { try await office.importing("A", batches: 12, into: { office.background() }) }
        let second = Task { try await office.importing("B", batches: 12, into: { office.background() }) }
        let readings = try await read(main, list, until: { try await (first.value, second.value) })
        #expect(readings.reads > 0)
        try await office.settle(main)
        #expect(list.fetchedObjects?.count == 240 && log.inserted == 240 && log.deleted == 0)
        #expect(Set((list.fetchedObjects ?? []).compactMap { $0.value(forKey: "name") as? String }).count == 240)
        for object in list.fetchedObjects ?? [] { #expect(object.value(forKey: "dept") is NSManagedObject) }
        check(survivors: readings.survivors)
        try office.expect(employees: 240)
    }

    @MainActor
    @Test("The same in a family: children of main, main a child of the store's context")
    func family() async throws {
        let office = try ImportOffice()
        defer { office.remove() }
        let root = office.background(), main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        main.parent = root
        let log = ListLog()
        let list = try office.list(in: main, log)
        let child: @Sendable () -> NSManagedObjectContext = {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            context.parent = main
            return context
        }
        let first = Task { try await office.importing("A", batches: 8, into: child) }
        let second = Task { try await office.importing("B", batches: 8, into: child) }
        let readings = try await read(main, list, until: { try await (first.value, second.value) })
        try main.save()
        try await root.perform { try root.save() }
        #expect(list.fetchedObjects?.count == 160 && log.inserted == 160)
        check(survivors: readings.survivors)
        try office.expect(employees: 160)
    }

    /// Reads on main as long as the imports last: faults fire, objects go and come back.
    @MainActor
    private func read(
        _ main: NSManagedObjectContext, _ list: NSFetchedResultsController<NSManagedObject>,
        until imports: () async throws -> ([Survivor], [Survivor])
    ) async throws -> (survivors: [Survivor], reads: Int) {
        let reader = Task { @MainActor in
            var reads = 0
            while !Task.isCancelled {
                for object in (list.fetchedObjects ?? []).suffix(20) {
                    _ = (object.value(forKey: "dept") as? NSManagedObject)?.value(forKey: "name")
                    _ = object.objectID
                    reads += 1
                }
                let departments = try main.fetch(NSFetchRequest<NSManagedObject>(entityName: "Department"))
                for department in departments {
                    reads += (department.value(forKey: "employees") as? NSSet)?.count ?? 0
                    main.refresh(department, mergeChanges: false)
                }
                await Task.yield()
            }
            return reads
        }
        do {
            let (first, second) = try await imports()
            reader.cancel()
            return (first + second, try await reader.value)
        } catch {
            reader.cancel()
            throw error
        }
    }

    /// Objects whose contexts ended while others saved: values they had are there, their IDs name their rows.
    private func check(survivors: [Survivor]) {
        #expect(!survivors.isEmpty)
        for survivor in survivors {
            #expect(survivor.object.managedObjectContext == nil)
            #expect(!survivor.object.objectID.isTemporaryID && survivor.object.objectID == survivor.identifier || survivor.isOfChild)
            #expect(survivor.object.value(forKey: "name") as? String == survivor.name)
            #expect(survivor.object.value(forKey: "dept") == nil, "its destination’s context is gone")
            #expect(survivor.object.description.contains(survivor.name))
        }
    }
}

/// An object that outlives its context.
///
/// Unchecked Sendable: its context is gone, and one thread at a time has it.
struct Survivor: @unchecked Sendable {
    let object: NSManagedObject
    let identifier: NSManagedObjectID
    let name: String
    let isOfChild: Bool
}

/// A file with five departments, and imports into it.
final class ImportOffice: Sendable {
    let coordinator: NSPersistentStoreCoordinator
    private let url: URL
    private let departments: [NSManagedObjectID]

    init() throws {
        let stack = try RuntimeStack(type: NSSQLiteStoreType)
        coordinator = stack.coordinator
        url = try #require(stack.url)
        let context = stack.context()
        departments = try context.performAndWait {
            let made = (0..<5).map { number in
                let department = NSEntityDescription.insertNewObject(forEntityName: "Department", into: context)
                department.setValue("D\(number)", forKey: "name")
                return department
            }
            try context.save()
            return made.map(\.objectID)
        }
    }

    func remove() { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }

    @Sendable func background() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Batches of ten, a context each: it ends with the batch, one of its objects does not.
    func importing(
        _ prefix: String, batches: Int, into context: @escaping @Sendable () -> NSManagedObjectContext
    ) async throws -> [Survivor] {
        var survivors: [Survivor] = []
        for batch in 0..<batches {
            let context = context()
            survivors.append(try await context.perform { [departments] in
                let made = try (0..<10).map { number in
                    let employee = context.hire("\(prefix)\(batch).\(number)")
                    let department = try context.existingObject(with: departments[(batch + number) % departments.count])
                    if number % 2 == 0 {
                        employee.setValue(department, forKey: "dept")
                    } else {
                        department.mutableSetValue(forKey: "employees").add(employee)
                    }
                    department.setValue("\(prefix)\(batch)", forKey: "name")
                    return employee
                }
                try context.save()
                let kept = made[batch % 10]
                return Survivor(
                    object: kept, identifier: kept.objectID, name: "\(prefix)\(batch).\(batch % 10)", isOfChild: context.parent != nil)
            })
            await Task.yield()
        }
        return survivors
    }

    @MainActor
    func list(in context: NSManagedObjectContext, _ log: ListLog) throws -> NSFetchedResultsController<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let list = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        list.delegate = log
        try list.performFetch()
        return list
    }

    /// Until everything queued on main before has run.
    @MainActor
    func settle(_ main: NSManagedObjectContext) async throws { await main.perform(schedule: .enqueued) {} }

    /// What a stack of its own reads from the file.
    func expect(employees count: Int, _ location: SourceLocation = #_sourceLocation) throws {
        let model = try #require(coordinator.managedObjectModel.copy() as? NSManagedObjectModel)
        let fresh = NSPersistentStoreCoordinator(managedObjectModel: model)
        try fresh.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = fresh
        try context.performAndWait {
            let employees = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Employee"))
            #expect(Set(employees.compactMap { $0.value(forKey: "name") as? String }).count == count, sourceLocation: location)
            let departments = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Department"))
            let members = departments.map { ($0.value(forKey: "employees") as? NSSet)?.count ?? 0 }
            #expect(members.reduce(0, +) == count && members.count == 5, sourceLocation: location)
        }
    }
}

/// Counts what a list is told.
@MainActor
final class ListLog: NSObject, @preconcurrency NSFetchedResultsControllerDelegate {
    private(set) var inserted = 0
    private(set) var deleted = 0

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        if type == .insert { inserted += 1 }
        if type == .delete { deleted += 1 }
    }
}
