import CoreData
import Testing

@Suite("Queues")
struct QueueTests {
    @MainActor
    @Test("immediate runs at once for a caller that is on the queue already, enqueued never")
    func schedules() async throws {
        let main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        main.persistentStoreCoordinator = try RuntimeStack().coordinator
        let order = Order()
        enqueue(on: main) { order.add("queued") }
        await main.perform(schedule: .immediate) { order.add("immediate") }
        #expect(order.all == ["immediate"])
        await main.perform(schedule: .enqueued) { order.add("enqueued") }
        #expect(order.all == ["immediate", "queued", "enqueued"])
    }

    @Test("From elsewhere immediate waits its turn, and both process pending changes", arguments: [
        NSManagedObjectContext.ScheduledTaskType.immediate, .enqueued,
    ])
    func fromElsewhere(schedule: NSManagedObjectContext.ScheduledTaskType) async throws {
        let context = try RuntimeStack().context()
        let order = Order()
        enqueue(on: context) { order.add("first") }
        await context.perform(schedule: schedule) {
            _ = context.hire("Ada")
            order.add("second")
        }
        #expect(order.all == ["first", "second"])
        let identifier = await context.perform { context.registeredObjects.first?.objectID }
        #expect(identifier != nil)
    }

    @Test("Typed errors stay typed")
    func typedErrors() async throws {
        struct Refusal: Error { let number: Int }
        let context = try RuntimeStack().context()
        do throws(Refusal) {
            try await context.perform { () throws(Refusal) in throw Refusal(number: 3) }
            Issue.record("nothing was thrown")
        } catch { #expect(error.number == 3) }
    }

    @Test("A cancelled task's block runs all the same")
    func cancellation() async throws {
        let context = try RuntimeStack().context()
        let task = Task { await context.perform { Task.isCancelled ? 1 : 2 } }
        task.cancel()
        #expect(await task.value > 0)
    }

    @Test("A context released while blocks are queued lives until they have run")
    func releasedMeanwhile() async throws {
        let stack = try RuntimeStack()
        let order = Order()
        weak var gone: NSManagedObjectContext?
        await withCheckedContinuation { continuation in
            let context = stack.context()
            gone = context
            for number in 0..<50 { enqueue(on: context) { order.add("\(number)") } }
            enqueue(on: context) { continuation.resume() }
        }
        #expect(order.all == (0..<50).map(String.init))
        for _ in 0..<200 where gone != nil { try await Task.sleep(for: .milliseconds(5)) }
        #expect(gone == nil)
    }

    @Test("From one context into another and back: the first is still entered")
    func thereAndBack() throws {
        let stack = try RuntimeStack()
        let (first, second) = (stack.context(), stack.context())
        let answer = first.performAndWait { second.performAndWait { first.performAndWait { second.performAndWait { 42 } } } }
        #expect(answer == 42)
    }

    @Test("A background task has a context of its own, in both forms, and passes values and errors out")
    func backgroundTasks() async throws {
        let container = NSPersistentContainer(name: "Company", managedObjectModel: CompanyModel.make())
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { #expect($1 == nil) }
        let identifier = try await container.performBackgroundTask { context in
            #expect(context !== container.viewContext && context.parent == nil && context.concurrencyType == .privateQueueConcurrencyType)
            let employee = context.hire("Ada")
            try context.save()
            return employee.objectID
        }
        let name: String? = await withCheckedContinuation { continuation in
            background(container) { continuation.resume(returning: $0.object(with: identifier).value(forKey: "name") as? String) }
        }
        #expect(name == "Ada")
        await #expect(throws: CancellationError.self) { try await container.performBackgroundTask { _ in throw CancellationError() } }
    }

    @Test("A coordinator runs one block at a time, whichever way it came")
    func coordinator() async throws {
        let coordinator = try RuntimeStack().coordinator
        let inside = Order(), count = 40
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                group.addTask {
                    if number.isMultiple(of: 2) {
                        await coordinator.perform { inside.enterAndLeave() }
                    } else {
                        coordinator.performAndWait { inside.enterAndLeave() }
                    }
                }
            }
        }
        #expect(inside.all == Array(repeating: "alone", count: count))
    }

    @Test("PC11, B26: A child's save needs its parent's queue: with the parent waiting for the child neither goes on, and nothing is half saved")
    func waitingForEachOther() async throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("waiting-\(UUID().uuidString).sqlite")
        defer { try? NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make()).destroyPersistentStore(at: url, ofType: NSSQLiteStoreType) }
        let exit = await #expect(processExitsWith: .exitCode(7), observing: [\.standardErrorContent]) { [path = url.path as String] in
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path), options: nil)
            let parent = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            parent.persistentStoreCoordinator = coordinator
            try parent.performAndWait {
                _ = parent.hire("Saved before")
                try parent.save()
            }
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = parent
            // Whoever waits longer than this waits for ever.
            DispatchQueue.global().asyncAfter(deadline: .now() + 1) {
                FileHandle.standardError.write(Data("waiting".utf8))
                _exit(7)
            }
            let parentIsIn = DispatchSemaphore(value: 0), childIsIn = DispatchSemaphore(value: 0)
            enqueue(on: child) {
                _ = child.hire("Saved by the child")
                childIsIn.signal()
                parentIsIn.wait()
                try? child.save()
            }
            childIsIn.wait()
            parent.performAndWait {
                parentIsIn.signal()
                child.performAndWait {}
            }
            // Not reached at Apple's and not here; a version that gets here may as well say so.
            FileHandle.standardError.write(Data("through".utf8))
            _exit(7)
        }
        #expect(exit.standardError.contains("waiting"))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let names = try context.performAndWait {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Employee")).compactMap { $0.value(forKey: "name") as? String }
        }
        #expect(names == ["Saved before"])
    }

    @MainActor
    @Test("PC11: With main free to run blocks, a child's save through a main-queue parent ends")
    func throughFreeMain() async throws {
        let main = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        main.persistentStoreCoordinator = try RuntimeStack().coordinator
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = main
        try await child.perform {
            _ = child.hire("Ada")
            try child.save()
        }
        #expect(main.insertedObjects.count == 1)
        // On main itself there is nobody to wait for.
        try child.performAndWait {
            _ = child.hire("Eve")
            try child.save()
        }
        #expect(main.insertedObjects.count == 2)
    }
}

/// The `perform` that returns at once; an async function would be given the one that waits.
func enqueue(on context: NSManagedObjectContext, _ block: @escaping @Sendable () -> Void) { context.perform(block) }

private func background(_ container: NSPersistentContainer, _ block: @escaping @Sendable (NSManagedObjectContext) -> Void) {
    container.performBackgroundTask(block)
}

/// What happened, in order.
///
/// Unchecked Sendable: used under the lock only.
final class Order: @unchecked Sendable {
    private let lock = NSLock()
    private var entries: [String] = []
    private var isInside = false

    var all: [String] { lock.withLock { entries } }
    func add(_ entry: String) { lock.withLock { entries.append(entry) } }

    func enterAndLeave() {
        let wasInside = lock.withLock {
            defer { isInside = true }
            return isInside
        }
        Thread.sleep(forTimeInterval: 0.0002)
        lock.withLock {
            entries.append(wasInside ? "together" : "alone")
            isInside = false
        }
    }
}
