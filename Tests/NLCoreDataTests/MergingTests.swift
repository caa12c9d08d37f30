import NLCoreData
import Testing

@Suite struct MergingTests {
    /// One saved person, held by both main contexts.
    private func share(_ stack: NLCoreData) throws -> (thread: Person, main: Person) {
        try onMain(stack) {
            let person = try Person.insert()
            person.name = "Ada"
            try current().save()
            let other = try #require(try Person.fetchSingle(in: stack.mainContext))
            #expect(other.name == "Ada")
            return (person, other)
        }
    }

    @Test("A thread's save reaches both main contexts", arguments: StoreKind.allCases)
    func threadToMain(_ kind: StoreKind) throws {
        try withOffice(kind) { stack in
            let shared = try share(stack)
            try onThread(stack) {
                try #require(try Person.fetchSingle()).name = "Bea"
                try Person.insert().name = "New"
                try current().save()
            }
            try onMain(stack) {
                _ = (current(), stack.mainContext)
                #expect(shared.thread.name == "Bea")
                #expect(shared.main.name == "Bea")
                let count = try Person.count(in: stack.mainContext)
                #expect(count == 2)
            }
        }
    }

    @Test("A save of the nested family reaches the main thread's context, and the other way round", arguments: StoreKind.allCases)
    func families(_ kind: StoreKind) throws {
        try withOffice(kind) { stack in
            let shared = try share(stack)
            try onMain(stack) {
                shared.main.name = "Nested"
                try stack.mainContext.saveNested(timeout: 60)
                #expect(shared.thread.name == "Nested")
                shared.thread.name = "Thread"
                try current().save()
                #expect(shared.main.name == "Thread")
            }
        }
    }

    @Test("A background task's save reaches both main contexts")
    func backgroundTask() async throws {
        try await withOffice { stack in
            let shared = Crossing(try share(stack))
            try await stack.performBackgroundTask { context in try #require(try Person.fetchSingle(in: context)).name = "Task" }
            try onMain(stack) {
                _ = (current(), stack.mainContext)
                #expect(shared.value.thread.name == "Task" && shared.value.main.name == "Task")
            }
        }
    }

    @Test("What was fetched and let go is fetched anew after a merge; what was deleted is gone", arguments: StoreKind.allCases)
    func letGo(_ kind: StoreKind) throws {
        try withOffice(kind) { stack in
            try onMain(stack) {
                try insertPeople()
                #expect(names(try Person.fetch("age > 40")) == ["Cleo"])
            }
            try onThread(stack) {
                try #require(try Person.fetchSingle("name == 'Cleo'")).name = "Clea"
                try Person.delete("name == 'Ada'", in: current())
                try current().save()
            }
            try onMain(stack) {
                let people = try Person.fetch("age > 30")
                #expect(names(people) == ["Clea"])
                let nested = try Person.fetch("age > 30", in: stack.mainContext)
                #expect(names(nested) == ["Clea"])
            }
        }
    }

    @Test("Six hundred saves while main is away are taken in when it comes back")
    func manySaves() throws {
        try withOffice { stack in
            let shared = try share(stack)
            try onMain(stack) {
                try onThread(stack) {
                    let person = try #require(try Person.fetchSingle())
                    for age in 1...600 {
                        person.age = Int64(age)
                        try current().save()
                    }
                }
                _ = current()
                #expect(shared.thread.age == 600)
                #expect(shared.main.age == 600)
            }
        }
    }

    @Test("Unsaved edits of a main context outlive a merge")
    func edits() throws {
        try withOffice { stack in
            let shared = try share(stack)
            try onMain(stack) { shared.thread.age = 5 }
            try onThread(stack) {
                try #require(try Person.fetchSingle()).name = "Bea"
                try current().save()
            }
            try onMain(stack) {
                _ = current()
                #expect(shared.thread.name == "Bea" && shared.thread.age == 5)
            }
        }
    }

    @Test("merge(withContextOn: .main) saves, merges on main and calls back there, with objects of main's context")
    func mergeWithMain() throws {
        try withOffice { stack in
            let shared = try share(stack)
            let calls = Calls<[String]>()
            try onThread(stack) {
                let context = current()
                try #require(try Person.fetchSingle()).name = "Bea"
                try Person.insert().name = "New"
                try context.merge(withContextOn: .main, timeout: 60) { note in
                    let inserted = note.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
                    let isOurs = inserted.allSatisfy { $0.managedObjectContext === stack.contextForThread(.main) }
                    let isMain = NLCoreData.withStack(stack) { current() === stack.contextForThread(.main) }
                    calls.note(inserted.compactMap { ($0 as? Person)?.name } + ["\(isOurs)", "\(isMain)", shared.thread.name ?? ""])
                }
                #expect(!context.hasChanges)
            }
            #expect(calls.wait())
            #expect(calls.all == [["New", "true", "true", "Bea"]])
        }
    }

    @Test("merge(withContextOn:) with a thread that runs its run loop")
    func mergeWithThread() throws {
        try withOffice { stack in
            let worker = try Worker(stack)
            defer { worker.stop() }
            let calls = Calls<String>()
            try onThread(stack) {
                try Person.insert().name = "Ada"
                try current().merge(withContextOn: worker.thread, timeout: 60) { note in
                    let inserted = note.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
                    calls.note("\(inserted.first.map { ($0 as? Person)?.name ?? "" } ?? "none") \(Thread.current === worker.thread)")
                }
            }
            #expect(calls.wait())
            #expect(calls.all == ["Ada true"])
        }
    }

    @Test("merge(withContextOn:) with a thread that runs no run loop is an error soon, and nothing is saved")
    func noRunLoop() throws {
        try withOffice { stack in
            let release = DispatchSemaphore(value: 0), ready = DispatchSemaphore(value: 0)
            let thread = Thread {
                NLCoreData.withStack(stack) { _ = current() }
                ready.signal()
                release.wait()
            }
            thread.start()
            ready.wait()
            try Person.insert()
            let context = current()
            let error = NLCoreDataError.threadDoesNotAnswer(name: "thread", seconds: 0.2)
            #expect(throws: error) { try context.merge(withContextOn: thread, timeout: 0.2) { _ in Issue.record("must not come") } }
            #expect(context.hasChanges)
            release.signal()
            while !thread.isFinished { Thread.sleep(forTimeInterval: 0.01) }
            #expect(throws: (any Error).self) { try context.merge(withContextOn: thread) }
            #expect(try elsewhere(stack) { try Person.count(in: $0) } == 0)
        }
    }

    @Test("merge(withContextOn: .main) while main waits for the caller is an error, not a hang")
    func waitingMain() throws {
        try withOffice { stack in
            let outcome = Calls<NLCoreDataError?>()
            try onMain(stack) {
                _ = current()
                try Self.startThread(stack) {
                    do {
                        try Person.insert()
                        try current().merge(withContextOn: .main, timeout: 0.2)
                        outcome.note(nil)
                    } catch { outcome.note(error as? NLCoreDataError) }
                }
                #expect(outcome.wait())
            }
            #expect(outcome.all == [.threadDoesNotAnswer(name: "main thread", seconds: 0.2)])
            #expect(try Person.count() == 0)
        }
    }

    private static func startThread(_ stack: NLCoreData, _ body: @escaping () -> Void) throws {
        let work = Crossing(body)
        Thread { NLCoreData.withStack(stack) { work.value() } }.start()
    }

    @Test("§1.3: merging a context with itself is an error; on the target's thread the merge and the callback come at once")
    func sameThread() throws {
        try withOffice { stack in
            try onMain(stack) {
                #expect(throws: NLCoreDataError.sameContext) { try current().merge(withContextOn: .main) }
                let other = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
                other.persistentStoreCoordinator = stack.storeCoordinator
                try Person.insert(in: other).name = "Ada"
                var seen = 0
                try other.merge(withContextOn: .main, timeout: 60) { note in
                    seen = (note.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>)?.count ?? -1
                }
                #expect(seen == 1)
            }
        }
    }

    @Test("The async form merges on main and returns after that; a save that fails is thrown")
    func asyncMerge() async throws {
        try await withOffice { stack in
            let shared = Crossing(try share(stack))
            let context = stack.newContext()
            try await context.perform { try #require(try Person.fetchSingle(in: context)).name = "Bea" }
            try await context.merge(withContextOn: .main, timeout: 60)
            try onMain(stack) { #expect(shared.value.thread.name == "Bea") }
            try await context.perform { _ = try Department.insert(in: context) }
            await #expect(throws: (any Error).self) { try await context.merge(withContextOn: .main) }
        }
    }

    @Test("§1.3: the main thread is told of a context's saves on main, until it is stopped; then its saves stay away")
    func notes() throws {
        try withOffice { stack in
            let shared = try share(stack)
            let context = stack.newContext(), calls = Calls<Bool>()
            context.notifyMainThreadContextOnSave { note in calls.note((note.object as? NSManagedObjectContext) === context) }
            try context.performAndWait {
                try #require(try Person.fetchSingle(in: context)).name = "Told"
                try context.save()
            }
            #expect(calls.wait())
            try onMain(stack) { #expect(shared.thread.name == "Told") }
            context.stopNotifyingMainThreadContextOnSave()
            try context.performAndWait {
                try #require(try Person.fetchSingle(in: context)).name = "Untold"
                try context.save()
            }
            try onMain(stack) { #expect(shared.thread.name == "Told") }
            #expect(calls.all == [true])
        }
    }

    @Test("A block reaches a thread that runs its run loop, and waits for it")
    func blocks() throws {
        try withOffice { stack in
            let worker = try Worker(stack)
            defer { worker.stop() }
            let calls = Calls<Bool>()
            try worker.thread.performBlockAndWait { calls.note(Thread.current === worker.thread) }
            #expect(calls.all == [true])
            try worker.thread.performBlock { calls.note(Thread.current === worker.thread) }
            #expect(calls.wait() && calls.wait())
            #expect(calls.all == [true, true])
        }
    }
}

/// A thread that runs its run loop until stopped.
///
/// Unchecked Sendable: everything is set before the thread starts, but `isStopped`, which is touched on the thread only.
private final class Worker: @unchecked Sendable {
    private(set) var thread: Thread!
    private var isStopped = false

    init(_ stack: NLCoreData) throws {
        let ready = DispatchSemaphore(value: 0)
        thread = Thread { [unowned self] in
            NLCoreData.withStack(stack) { _ = current() }
            ready.signal()
            while !isStopped { _ = RunLoop.current.run(mode: .default, before: Date().addingTimeInterval(0.05)) }
        }
        thread.start()
        ready.wait()
    }

    func stop() {
        try? thread.performBlockAndWait { self.isStopped = true }
        while !thread.isFinished { Thread.sleep(forTimeInterval: 0.005) }
    }
}
