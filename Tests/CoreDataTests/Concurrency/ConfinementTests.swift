import CoreData
import Testing

@Suite("Confinement")
struct ConfinementTests {
    @Test("The check is on in every process of our tests")
    func setting() { #expect(NSManagedObjectContext.checksConfinement) }

    @Test("A program that turns the check off may touch what it likes, in contexts made after that")
    func off() async {
        await #expect(processExitsWith: .success) {
            NSManagedObjectContext.checksConfinement = false
            let context = try RuntimeStack().context()
            let employee = context.performAndWait { context.hire("Ada") }
            #expect(employee.value(forKey: "name") as? String == "Ada")
            #expect(context.hasChanges)
        }
    }

    @Test("The message names the entity, the object, the context, its queue, where the caller was, and what to do")
    func message() async {
        let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try RuntimeStack()
            let context = stack.context(), other = stack.context()
            context.name = "importer"
            other.name = "exporter"
            let employee = try context.performAndWait {
                let employee = context.hire("Ada")
                try context.save()
                return employee
            }
            FileHandle.standardError.write(Data("<<\(employee.objectID.uriRepresentation().absoluteString)>>".utf8))
            other.performAndWait { _ = employee.value(forKey: "name") }
        }
        let text = exit.standardError
        let identifier = text.split(separator: "<<").last?.split(separator: ">>").first.map(String.init) ?? "none"
        for part in [
            "__Multithreading_Violation_AllThatIsLeftToUsIsHonor__", "The Employee \(identifier) ", "the context “importer”", "its private queue",
            "in a block of the context “exporter”", "Use it in perform or performAndWait.", "objectID",
        ] { #expect(text.contains(part), "\(part) is missing in: \(text)") }
    }

    @Test("A context without a name is named by its kind; the main queue’s is named too")
    func kinds() async {
        let unnamed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try RuntimeStack().context()
            try context.save()
        }
        #expect(unnamed.standardError.contains("The context was used outside of its queue"))
        #expect(unnamed.standardError.contains("a private queue context (0x"))
        let main = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = NSPersistentContainer(name: "Company", managedObjectModel: CompanyModel.make())
            await Task.detached { _ = container.viewContext.hasChanges }.value
        }
        #expect(main.standardError.contains("the context “viewContext”, to be used on the main queue; the caller is on the thread"))
        #expect(main.standardError.contains("in no context’s block. Use it on the main thread or"))
    }

    @Test("Every member of an object that is for the queue alone stops the process off it")
    func members() async {
        let exit = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let fixture = try OffQueueFixture()
            for member in OffQueueMember.allCases { inCopy(member.rawValue) { fixture.touch(member) } }
        }
        for member in OffQueueMember.allCases {
            #expect(exit.section(member.rawValue).contains("AllThatIsLeftToUsIsHonor__: The Employee x-coredata://"), "\(member)")
        }
    }

    @Test("Every member of a context that is for its queue alone stops the process off it")
    func contextMembers() async {
        let exit = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let fixture = try OffQueueFixture()
            for member in OffQueueContextMember.allCases { inCopy(member.rawValue) { try? fixture.touch(member) } }
        }
        for member in OffQueueContextMember.allCases {
            #expect(exit.section(member.rawValue).contains("AllThatIsLeftToUsIsHonor__: The "), "\(member)")
        }
    }

    @Test("ID, context, entity, whether it is a fault, description, equality and hash may be asked for on any thread")
    func allowed() throws {
        let fixture = try OffQueueFixture()
        let employee = fixture.employee
        #expect(!employee.objectID.isTemporaryID && employee.managedObjectContext === fixture.context)
        #expect(employee.entity.name == "Employee" && !employee.isFault && employee.faultingState == 0)
        #expect(employee.description.contains("Ada") && Set([employee, employee]).count == 1 && employee == employee)
    }

    @Test("What a context is set up with may be set on any thread before its use")
    func setUp() throws {
        let context = try RuntimeStack().context()
        context.name = "set up"
        context.transactionAuthor = "test"
        context.mergePolicy = NSMergePolicy.overwrite
        context.undoManager = UndoManager()
        context.stalenessInterval = 0
        context.automaticallyMergesChangesFromParent = true
        context.shouldDeleteInaccessibleFaults = false
        context.propagatesDeletesAtEndOfEvent = false
        context.retainsRegisteredObjects = true
        context.userInfo["key"] = "value"
        #expect(context.undoManager != nil && context.automaticallyMergesChangesFromParent)
    }
}

@Suite("Confinement to a thread")
struct ThreadConfinementTests {
    private static func confined() throws -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = try RuntimeStack().coordinator
        return context
    }

    @Test("A confined context works on the thread that made it")
    func atHome() throws {
        let done = onThread {
            let context = try Self.confined()
            let employee = context.hire("Ada")
            employee.setValue("Eve", forKey: "name")
            try context.save()
            return employee.value(forKey: "name") as? String == "Eve"
        }
        #expect(try done.get())
    }

    @Test("On another thread, it and its objects stop the process with both threads’ names")
    func elsewhere() async {
        let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let made = try onThread(named: "maker") {
                let context = try Self.confined()
                return UncheckedBox((context, context.hire("Ada")))
            }.get().value
            inCopy("object") { _ = onThread(named: "taker") { made.1.value(forKey: "name") as? String } }
            _ = onThread(named: "taker") { made.0.hasChanges }
        }
        #expect(exit.section("object").contains("The Employee x-coredata:"))
        let text = exit.standardError
        #expect(text.contains("outside of its thread. It belongs to a confined context (0x"))
        #expect(text.contains("to be used on the thread “maker”; the caller is on the thread “taker”"))
        #expect(text.contains("Use it on its own thread only, or make a context with a queue."))
    }

    @Test("It has no queue: all forms of perform stop the process, check or no check, on its thread too")
    func carrying() async {
        let waiting = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            NSManagedObjectContext.checksConfinement = false
            try Self.confined().performAndWait {}
        }
        #expect(waiting.standardError.contains("NSInvalidArgumentException"))
        #expect(waiting.standardError.contains("Can only use performAndWait(_:) on an NSManagedObjectContext that was created with a queue"))
        let later = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { try Self.confined().perform {} }
        #expect(later.standardError.contains("Can only use perform(_:) on an NSManagedObjectContext that was created with a queue"))
        let awaited = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            await (try Self.confined()).perform {}
        }
        #expect(awaited.standardError.contains("Can only use perform"))
    }

    @Test("A confined context cannot merge by itself, and cannot be a parent: it has no queue for either")
    func noQueue() async {
        let merging = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.confined().automaticallyMergesChangesFromParent = true
        }
        #expect(merging.standardError.contains("Automatic merging is not supported by contexts using NSConfinementConcurrencyType"))
        let parent = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = try Self.confined()
        }
        #expect(parent.standardError.contains("must use either NSPrivateQueueConcurrencyType or NSMainQueueConcurrencyType"))
    }

    @Test("One made for another thread belongs to the first that uses it")
    func leftToOther() async {
        let exit = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try Self.confined()
            context._leaveToFirstThread()
            _ = onThread(named: "user") { context.hasChanges }
            FileHandle.standardError.write(Data("used".utf8))
            _ = context.hasChanges
        }
        #expect(exit.standardError.contains("used") && exit.standardError.contains("to be used on the thread “user”"))
    }
}
