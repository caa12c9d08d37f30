import CoreData
import Testing

/// A list that several threads may append to.
///
/// Unchecked Sendable: the items are used under the lock only.
private final class Log<Item: Sendable>: @unchecked Sendable {
    private let lock = NSLock()
    private var list: [Item] = []

    func add(_ item: Item) { lock.withLock { list.append(item) } }
    var items: [Item] { lock.withLock { list } }
}

private struct Refusal: Error, Equatable { let number: Int }

@Suite("Concurrency")
struct ConcurrencyTests {
    /// Waits until everything the context's queue was given before has run.
    private func drain(_ context: NSManagedObjectContext) async {
        await withCheckedContinuation { continuation in context.perform { continuation.resume() } }
    }

    /// The `perform` that returns at once; an async function would be given the one that waits.
    private func enqueue(_ context: NSManagedObjectContext, _ block: @escaping @Sendable () -> Void) { context.perform(block) }

    @Test("The shorter initialiser names the same queues")
    func shortInitialiser() {
        #expect(NSManagedObjectContext(.privateQueue).concurrencyType == .privateQueueConcurrencyType)
        #expect(NSManagedObjectContext(.mainQueue).concurrencyType == .mainQueueConcurrencyType)
    }

    @Test("CO01: perform runs blocks later, in order, and processes pending changes after each")
    func perform() async throws {
        let context = try Stack(Models.office(), .memory).context
        let changes = Recorder(.NSManagedObjectContextObjectsDidChange, of: context)
        let log = Log<Int>()
        let started = Log<Bool>()
        context.performAndWait {
            for number in 0..<20 {
                context.perform {
                    context.make("Employee")
                    log.add(number)
                }
            }
            started.add(log.items.isEmpty)
        }
        await drain(context)
        #expect(started.items == [true])
        #expect(log.items == Array(0..<20))
        #expect(changes.notes.count == 20)
    }

    @Test("CO02: performAndWait may be nested")
    func reentrance() throws {
        let context = try Stack(Models.office(), .memory).context
        let answer = context.performAndWait { context.performAndWait { context.performAndWait { 42 } } }
        #expect(answer == 42)
    }

    @Test("CO03: performAndWait runs on the calling thread, perform on another")
    func threads() async throws {
        let context = try Stack(Models.office(), .memory).context
        #expect(runsHere(context))
        let onMain = Log<Bool>()
        enqueue(context) { onMain.add(Thread.isMainThread) }
        await drain(context)
        #expect(onMain.items == [false])
    }

    private func runsHere(_ context: NSManagedObjectContext) -> Bool {
        let thread = Thread.current
        return context.performAndWait { Thread.current === thread }
    }

    @Test("CO04: performAndWait does not announce changes at its end")
    func performAndWaitIsQuiet() throws {
        let context = try Stack(Models.office(), .memory).context
        let changes = Recorder(.NSManagedObjectContextObjectsDidChange, of: context)
        context.performAndWait { _ = context.make("Employee") }
        #expect(changes.notes.isEmpty)
        context.performAndWait { context.processPendingChanges() }
        #expect(changes.notes.count == 1)
    }

    @Test("CO05: performAndWait passes errors and values out")
    func throwing() throws {
        let context = try Stack(Models.office(), .memory).context
        #expect(throws: Refusal(number: 7)) { try context.performAndWait { throw Refusal(number: 7) } }
        let value = try context.performAndWait { () throws -> Int in 42 }
        #expect(value == 42)
    }

    @Test("CO05: The async perform passes errors and values out")
    func asyncPerform() async throws {
        let stack = try Stack(Models.office(), .memory)
        let context = stack.context
        let count = try await context.perform {
            context.make("Employee", ["name": "Alice"])
            try context.save()
            return try context.count("Employee")
        }
        #expect(count == 1)
        await #expect(throws: Refusal(number: 8)) { try await context.perform { throw Refusal(number: 8) } }
    }

    @Test("CO06: With the debug flag, touching an object off its queue stops the program; IDs may travel")
    func concurrencyDebug() async {
        let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            UserDefaults.standard.register(defaults: ["com.apple.CoreData.ConcurrencyDebug": 1])
            setenv("com.apple.CoreData.ConcurrencyDebug", "1", 1)
            let stack = try Stack(Models.office(), .memory)
            let object = try stack.run { $0.make("Employee", ["name": "Alice"]) }
            let identifier = try stack.run { _ in object.objectID }
            guard identifier.isTemporaryID, identifier.entity.name == "Employee" else { return }
            FileHandle.standardError.write(Data("ID read".utf8))
            _ = object.value(forKey: "name")
        }
        #expect(exit.raised("ID read"))
        #if os(Linux)
        #expect(exit.raised("Multithreading_Violation"))
        #endif
    }

    @Test("CO07: Eight contexts saving at once lose nothing", arguments: StoreKind.allCases)
    func concurrentSaves(kind: StoreKind) async throws {
        let stack = try Stack(Models.office(), kind)
        let contexts = (0..<8).map { _ in stack.newContext() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, context) in contexts.enumerated() {
                group.addTask {
                    for round in 0..<100 {
                        try await context.perform {
                            context.make("Employee", ["name": "\(number)-\(round)"])
                            try context.save()
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        try stack.reopened().run { try #require(Set(try $0.names("Employee")).count == 800) }
    }

    @Test("CO08: A perform inside a perform waits its turn")
    func nestedPerform() async throws {
        let context = try Stack(Models.office(), .memory).context
        let log = Log<String>()
        await withCheckedContinuation { continuation in
            context.perform {
                context.perform {
                    log.add("B")
                    continuation.resume()
                }
                log.add("A")
            }
        }
        #expect(log.items == ["A", "B"])
    }
}
