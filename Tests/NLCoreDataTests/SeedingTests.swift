import NLCoreData
import Testing

@Suite struct SeedingTests {
    /// A store with four people, still open so that the rows are in its write-ahead log.
    private func seed(_ folder: TemporaryFolder) throws -> NLCoreData {
        let stack = NLCoreData(modelName: "Office", storeURL: folder.file("Seed.sqlite"))
        try NLCoreData.withStack(stack) { try insertPeople() }
        return stack
    }

    @Test("§1.3: a seed is copied with its write-ahead log; the source stays as it is")
    func seeds() throws {
        let folder = try TemporaryFolder()
        let source = try seed(folder)
        try withOffice { stack in
            #expect(FileManager.default.fileExists(atPath: source.storePath + "-wal"))
            #expect(!stack.storeExists)
            try stack.usePreSeededFile(source.storePath)
            #expect(stack.storeExists)
            #expect(try Person.count() == 4)
            try Person.delete(in: current())
            try current().save()
        }
        #expect(try elsewhere(source) { try Person.count(in: $0) } == 4)
    }

    @Test("NL18: a seed never overwrites, must exist, must be a store, and comes before first use")
    func refusals() throws {
        let folder = try TemporaryFolder()
        let source = try seed(folder)
        try withOffice { stack in
            #expect(throws: NLCoreDataError.seedMissing(path: "/nowhere/seed.sqlite")) { try stack.usePreSeededFile("/nowhere/seed.sqlite") }
            let text = folder.file("text.sqlite")
            try Data(repeating: 65, count: 4096).write(to: text)
            #expect(throws: (any Error).self) { try stack.usePreSeededFile(text.path) }
            #expect(!stack.storeExists)
            try Data("mine".utf8).write(to: URL(fileURLWithPath: stack.storePath + "-wal"))
            #expect(throws: NLCoreDataError.storeExists(path: stack.storePath + "-wal")) { try stack.useDatabaseFile(source.storePath) }
            try FileManager.default.removeItem(atPath: stack.storePath + "-wal")
            try insertPeople()
            #expect(throws: NLCoreDataError.storeInUse(path: stack.storePath)) { try stack.usePreSeededFile(source.storePath) }
            #expect(try Person.count() == 4)
        }
        _ = try withOffice(.memory) { stack in
            #expect(throws: NLCoreDataError.storeWithoutFile(type: NSInMemoryStoreType)) { try stack.usePreSeededFile(source.storePath) }
        }
        try withOffice { stack in
            try Data("mine".utf8).write(to: stack.storeURL)
            #expect(throws: NLCoreDataError.storeExists(path: stack.storePath)) { try stack.usePreSeededFile(source.storePath) }
            #expect(try Data(contentsOf: stack.storeURL) == Data("mine".utf8))
        }
    }

    @Test("NL13: five, reset, none, three; contexts and coordinator are new, the old ones do not write", arguments: StoreKind.allCases)
    func reset(_ kind: StoreKind) throws {
        try withOffice(kind) { stack in
            let old = stack.mainContext, oldCoordinator = stack.storeCoordinator
            try onMain(stack) {
                for _ in 0..<5 { try Person.insert(in: stack.mainContext) }
                try stack.mainContext.saveNested(timeout: 60)
                #expect(try Person.count(in: stack.mainContext) == 5)
            }
            try stack.resetDatabase()
            #expect(!stack.storeExists)
            #expect(stack.mainContext !== old && stack.storeCoordinator !== oldCoordinator)
            try onMain(stack) {
                #expect(try Person.count(in: stack.mainContext) == 0)
                for _ in 0..<3 { try Person.insert(in: stack.mainContext) }
                try stack.mainContext.saveNested(timeout: 60)
                #expect(try Person.count(in: stack.mainContext) == 3)
                #expect(throws: (any Error).self) { try old.fetch(NSFetchRequest<Person>(entityName: "Person")) }
            }
            #expect(try Person.count() == 3)
        }
    }

    @Test("§1.3, issue 22: after a reset of a store that is gone, saving works", arguments: [true, false])
    func resetWithoutFile(_ isOpen: Bool) throws {
        try withOffice { stack in
            if isOpen { try insertPeople() }
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: stack.storePath + suffix) }
            try stack.resetDatabase()
            try insertPeople()
            #expect(try elsewhere(stack) { try Person.count(in: $0) } == 4)
            #expect(stack.storeCoordinator.persistentStores.count == 1)
        }
    }

    @Test("§1.3: a reset takes the siblings of the store file with it")
    func resetSiblings() throws {
        let folder = try TemporaryFolder()
        let stack = office(.sqlite, folder)
        try NLCoreData.withStack(stack) {
            try insertPeople()
            #expect(folder.contents.contains("Office.sqlite-wal"))
            try stack.resetDatabase()
            #expect(folder.contents.isEmpty)
        }
    }

    @Test("Resetting leaves a file alone that is no store")
    func resetOfForeignFile() throws {
        let folder = try TemporaryFolder()
        let letter = folder.file("letter.txt")
        let text = Data("Not a store at all.".utf8)
        try text.write(to: letter)
        let stack = NLCoreData(modelName: "Office", storeURL: letter)
        #expect(throws: (any Error).self) { try stack.resetDatabase() }
        #expect(try Data(contentsOf: letter) == text)
    }
}
