import CoreData
import Testing

/// Faults that cannot be fulfilled any more: their row, their store or their context’s hold on them is gone.
@Suite("Inaccessible faults")
struct InaccessibleFaultTests {
    enum Loss: String, CaseIterable, Sendable { case row, store, reset }

    /// A scalar, a required text, both kinds of relationship.
    private func stack(_ kind: StoreKind) throws -> Stack {
        let stack = try Stack(Models.rules(), kind)
        try stack.seed { context in
            let worker = context.make("Worker", ["name": "Alice", "salary": 5])
            context.make("Contract", ["name": "c", "signer": worker])
        }
        return stack
    }

    private func lose(_ object: NSManagedObject, by loss: Loss, _ stack: Stack) throws {
        switch loss {
        case .row:
            try stack.seed { other in
                other.delete(try other.only("Contract"))
                other.delete(try other.only("Worker"))
            }
        case .store: try stack.coordinator.remove(stack.store)
        case .reset: stack.context.reset()
        }
    }

    @Test("FA19 FA12: A fault whose row, store or context's hold is gone reads nil", arguments: StoreKind.allCases, Loss.allCases)
    func readsNil(kind: StoreKind, loss: Loss) throws {
        let stack = try stack(kind)
        try stack.run { context in
            let (worker, contract) = (try context.only("Worker"), try context.only("Contract"))
            #expect(worker.isFault && contract.isFault)
            try lose(worker, by: loss, stack)
            #expect(worker.value(forKey: "name") == nil)
            #expect(worker.number("salary") ?? 0 == 0)
            #expect(worker.many("contracts").isEmpty)
            #expect(contract.one("signer") == nil)
            #expect(!worker.isFault)
        }
    }

    @Test("FA19 FA13: … and stops the program without shouldDeleteInaccessibleFaults")
    func raises() async {
        let store = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try Stack(Models.office())
            try stack.seed { $0.make("Employee", ["name": "Alice"]) }
            try stack.run { context in
                context.shouldDeleteInaccessibleFaults = false
                let object = try context.only("Employee")
                try stack.coordinator.remove(stack.store)
                _ = object.value(forKey: "name")
            }
        }
        #expect(store.raised("NSObjectInaccessibleException"))
        let reset = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let stack = try Stack(Models.office())
            try stack.seed { $0.make("Employee", ["name": "Alice"]) }
            try stack.run { context in
                context.shouldDeleteInaccessibleFaults = false
                let object = try context.only("Employee")
                context.reset()
                _ = object.value(forKey: "name")
            }
        }
        #expect(reset.raised("NSObjectInaccessibleException"))
    }

    @Test("FA19: An old fault never shows another row, though a new one has its key", arguments: StoreKind.allCases)
    func neverAnotherRow(kind: StoreKind) throws {
        let stack = try Stack(Models.office(), kind)
        try stack.seed { $0.make("Employee", ["name": "Alice"]) }
        try stack.run { context in
            let object = try context.only("Employee")
            try stack.coordinator.remove(stack.store)
            // Another store on the coordinator, whose first row has the same primary key.
            try stack.coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
            context.make("Employee", ["name": "Mallory"])
            try context.save()
            #expect(object.value(forKey: "name") == nil)
            #expect(try context.names("Employee") == ["Mallory"])
        }
    }

    @Test("FA12: Setting such an object is no crash, and saving it writes nothing", arguments: StoreKind.allCases)
    func editing(kind: StoreKind) throws {
        let stack = try stack(kind)
        try stack.run { context in
            let worker = try context.only("Worker")
            try lose(worker, by: .row, stack)
            #expect(worker.value(forKey: "name") == nil)
            worker.setValue("ghost", forKey: "name")
            try context.save()
        }
        try stack.reopened().run { try #require(try $0.count("Worker") == 0) }
    }

    @Test("FA12: An object that was realised before keeps its values; saving an edit of it is a conflict", arguments: StoreKind.allCases)
    func realisedBefore(kind: StoreKind) throws {
        let stack = try stack(kind)
        try stack.run { context in
            let worker = try context.only("Worker")
            #expect(worker.text("name") == "Alice")
            try lose(worker, by: .row, stack)
            #expect(worker.text("name") == "Alice")
            worker.setValue("ghost", forKey: "name")
            #expect(try failure { try context.save() }.code == NSManagedObjectMergeError)
        }
    }

    @Test("FA12: A to-one whose row is gone leads to a fault that reads nil", arguments: StoreKind.allCases)
    func throughARelationship(kind: StoreKind) throws {
        let stack = try Stack(Models.office(employees: .noActionDeleteRule), kind)
        try stack.seed { context in
            context.make("Employee", ["name": "Alice", "dept": context.make("Department", ["name": "Sales"])])
        }
        try stack.run { context in
            let employee = try context.only("Employee")
            try stack.seed { $0.delete(try $0.only("Department")) }
            let department = try #require(employee.one("dept"))
            #expect(department.isFault)
            #expect(department.value(forKey: "name") == nil)
            #expect(department.many("employees").isEmpty)
            #expect(employee.value(forKeyPath: "dept.name") == nil)
        }
    }

    @Test("FA13: shouldHandleInaccessibleFault decides for itself", arguments: StoreKind.allCases)
    func handling(kind: StoreKind) throws {
        let stack = try stack(kind)
        let context = Handling(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = stack.coordinator
        context.shouldDeleteInaccessibleFaults = false
        try context.run { _ in
            let worker = try context.only("Worker")
            try lose(worker, by: .row, stack)
            #expect(worker.value(forKey: "name") == nil)
            #expect(context.asked == [worker.objectID])
        }
    }
}

/// Lets every inaccessible fault read nil, and remembers which.
private final class Handling: NSManagedObjectContext, @unchecked Sendable {
    var asked: [NSManagedObjectID] = []

    override func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for objectID: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
    ) -> Bool {
        asked.append(objectID)
        return true
    }
}
