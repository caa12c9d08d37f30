import NLCoreData
import Testing

@Suite struct StackTests {
    @Test("NL18: automatic and inferred migration are on; the default store is <modelName>.sqlite; storeExists follows the file")
    func defaults() throws {
        let stack = NLCoreData()
        #expect(stack.persistentStoreOptions[NSMigratePersistentStoresAutomaticallyOption] as? Bool == true)
        #expect(stack.persistentStoreOptions[NSInferMappingModelAutomaticallyOption] as? Bool == true)
        #expect(stack.persistentStoreType == NSSQLiteStoreType)
        #expect(!stack.modelName.isEmpty)
        stack.modelName = "Shop"
        #expect(stack.storeURL.lastPathComponent == "Shop.sqlite")
        #expect(stack.storePath == stack.storeURL.path)
        try withOffice { stack in
            #expect(!stack.storeExists)
            try stack.loadStoreCoordinator()
            #expect(stack.storeExists)
        }
        try withOffice(.memory) { stack in
            try stack.loadStoreCoordinator()
            #expect(!stack.storeExists)
        }
    }

    @Test("The model is found by name in the resource bundle beside the tests, and in a bundle that is named")
    func model() throws {
        let stack = NLCoreData(modelName: "Office")
        #expect(try stack.loadManagedObjectModel().entitiesByName["Person"] != nil)
        #expect(stack.managedObjectModel === stack.managedObjectModel)
        let named = NLCoreData(modelName: "Office")
        named.modelBundle = Bundle.module
        #expect(named.managedObjectModel.entitiesByName.keys.contains("Department"))
    }

    @Test("A model that is not there: an error that names it and the places; every one-liner throws it; nothing is made on disk")
    func missingModel() throws {
        let folder = try TemporaryFolder()
        let stack = NLCoreData(modelName: "Nowhere", storeURL: folder.file("Nowhere.sqlite"))
        let reported = Reported(of: stack)
        func isMissing(_ error: any Error) -> Bool {
            guard case NLCoreDataError.modelNotFound("Nowhere", let searched) = error else { return false }
            return !searched.isEmpty && error.localizedDescription.contains("modelName")
        }
        #expect { try stack.loadStoreCoordinator() } throws: { isMissing($0) }
        NLCoreData.withStack(stack) {
            #expect { try Person.fetch() } throws: { isMissing($0) }
            #expect { try Person.count(in: stack.mainContext) } throws: { isMissing($0) }
            #expect { try Person.insert() } throws: { isMissing($0) }
            #expect { try current().saveNested(timeout: 60) } throws: { isMissing($0) }
            #expect(!current().saveChanges())
        }
        #expect(stack.storeCoordinator == nil)
        #expect(reported.errors.count >= 2 && reported.errors.allSatisfy(isMissing))
        #expect(folder.contents.isEmpty)
    }

    @Test("A store that cannot be opened is an error each time, and no coordinator without stores is kept")
    func brokenStore() throws {
        try withOffice { stack in
            try Data("this is not a database, though it is long enough to be looked at".utf8).write(to: stack.storeURL)
            _ = Reported(of: stack)
            #expect(throws: (any Error).self) { try stack.loadStoreCoordinator() }
            #expect(throws: (any Error).self) { try Person.fetch() }
            try FileManager.default.removeItem(at: stack.storeURL)
            #expect(try Person.fetch().isEmpty, "the next use tries again")
            #expect(stack.storeCoordinator.persistentStores.count == 1)
        }
    }

    @Test("A setting that comes too late is reported and counts after a reset")
    func late() throws {
        try withOffice { stack in
            let reported = Reported(of: stack)
            try stack.loadStoreCoordinator()
            stack.persistentStoreType = NSInMemoryStoreType
            #expect(reported.errors as? [NLCoreDataError] == [.configuredTooLate(setting: "persistentStoreType")])
            #expect(stack.storeCoordinator.persistentStores.map(\.type) == [NSSQLiteStoreType])
            try stack.resetDatabase()
            #expect(stack.storeCoordinator.persistentStores.map(\.type) == [NSInMemoryStoreType])
        }
    }

    @Test("A model and a coordinator of one's own are used")
    func own() throws {
        let entity = NSEntityDescription()
        entity.name = "Note"
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let stack = NLCoreData()
        stack.persistentStoreType = NSInMemoryStoreType
        stack.managedObjectModel = model
        #expect(stack.storeCoordinator.managedObjectModel === model)
        try stack.resetDatabase()
        #expect(stack.storeCoordinator.managedObjectModel === model)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        stack.storeCoordinator = coordinator
        #expect(stack.mainContext.persistentStoreCoordinator === coordinator)
    }

    @Test("withStack is in force in the scope and its tasks only, and nests")
    func scopes() async throws {
        let outer = NLCoreData(modelName: "Office"), inner = NLCoreData(modelName: "Office")
        await NLCoreData.withStack(outer) {
            #expect(NLCoreData.current === outer)
            NLCoreData.withStack(inner) { #expect(NLCoreData.current === inner) }
            #expect(await Task { NLCoreData.current === outer }.value)
        }
        #expect(NLCoreData.current === NLCoreData.shared)
    }

    @Test("Eight threads that ask at once get one coordinator", arguments: StoreKind.allCases)
    func lazyOnce(_ kind: StoreKind) throws {
        try withOffice(kind) { stack in
            let found = Calls<ObjectIdentifier>()
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                if let coordinator = stack.storeCoordinator { found.note(ObjectIdentifier(coordinator)) }
                _ = stack.storeContext
            }
            #expect(found.all.count == 8 && Set(found.all).count == 1)
        }
    }

    @Test("A thread's context goes when the thread ends")
    func threadEnd() throws {
        try withOffice { stack in
            weak var context: NSManagedObjectContext?
            try onThread(stack) { context = current() }
            for _ in 0..<100 where context != nil { Thread.sleep(forTimeInterval: 0.02) }
            #expect(context == nil)
        }
    }
}
