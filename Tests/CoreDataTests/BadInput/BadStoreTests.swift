import CoreData
import Testing

/// Files that cannot be a store: the error says why and what to do; nothing on disk changes.
@Suite struct BadStoreTests {
    private let folder: DiskFolder

    init() throws { folder = try DiskFolder() }

    private func failure(_ url: URL, model: NSManagedObjectModel = CompanyModel.make()) throws -> NSError {
        let before = try folder.contents()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let error = #expect(throws: (any Error).self) {
            try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        }
        #expect(coordinator.persistentStores.isEmpty)
        #expect(try folder.contents() == before, "nothing is made or changed")
        let failure = try #require(error) as NSError
        #expect(failure.domain == NSCocoaErrorDomain && failure.localizedDescription.contains(url.path))
        return failure
    }

    /// A saved store of the company model with one employee, closed.
    private func store() throws -> URL {
        let url = folder.file("Company.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Employee", into: context).setValue("Ann", forKey: "name")
            try context.save()
        }
        try coordinator.remove(store)
        return url
    }

    @Test("SM10: a file that is not SQLite", arguments: [16, 100, 8192])
    func notSQLite(_ size: Int) throws {
        let url = folder.file("notes.sqlite")
        try Data(repeating: 0x41, count: size).write(to: url)
        let error = try failure(url)
        #expect(error.code == CocoaError.Code.fileReadCorruptFile.rawValue && error.localizedDescription.contains("not a SQLite database"))
        #expect(throws: (any Error).self) { try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url) }
    }

    @Test("A SQLite database that is not Core Data's names the table it misses")
    func notCoreData() throws {
        // A store of ours whose system tables were renamed inside the file: still sound SQLite.
        let url = try store()
        var data = try Data(contentsOf: url)
        for name in ["Z_METADATA", "Z_MODELCACHE"] {
            while let range = data.range(of: Data(name.utf8)) { data.replaceSubrange(range, with: Data(("Y" + name.dropFirst()).utf8)) }
        }
        try data.write(to: url)
        let error = try failure(url)
        #expect(error.code == CocoaError.Code.fileReadCorruptFile.rawValue && error.localizedDescription.contains("Z_METADATA"))
    }

    @Test("134100: a store of another model, with both lists of hashes")
    func otherModel() throws {
        let url = try store()
        let other = CompanyModel.make()
        let employee = try #require(other.entitiesByName["Employee"])
        employee.properties.append(CompanyModel.attribute("email", .stringAttributeType))
        let error = try failure(url, model: other)
        #expect(error.code == NSPersistentStoreIncompatibleVersionHashError)
        let metadata = error.userInfo["metadata"] as? [String: Any]
        let stored = metadata?[NSStoreModelVersionHashesKey] as? [String: Data], tried = error.userInfo["modelVersionHashes"] as? [String: Data]
        #expect(stored == CompanyModel.make().entityVersionHashesByName)
        #expect(tried == other.entityVersionHashesByName)
        let text = error.localizedDescription
        #expect(text.contains("Employee") && !text.contains("Department"), "which entity differs: \(text)")
        #expect(text.contains("Open it with that model"), "what to do: \(text)")
    }

    @Test("A container reports each of its stores' failures to the block")
    func container() throws {
        let url = folder.file("notes.sqlite")
        try Data("notes".utf8).write(to: url)
        let container = NSPersistentContainer(name: "Company", managedObjectModel: CompanyModel.make())
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failures: [any Error] = []
        container.loadPersistentStores { _, error in if let error { failures.append(error) } }
        #expect(failures.map { ($0 as NSError).code } == [CocoaError.Code.fileReadCorruptFile.rawValue])
        #expect(try folder.contents() == ["notes.sqlite": Data("notes".utf8)])
    }

    @Test("A folder that is not there, and one in the place of the store")
    func places() throws {
        let text = try failure(folder.file("none/Company.sqlite")).localizedDescription
        #expect(text.contains("Create it first"))
        try FileManager.default.createDirectory(at: folder.file("folder.sqlite"), withIntermediateDirectories: true)
        #expect(try failure(folder.file("folder.sqlite")).localizedDescription.contains("folder of that name"))
    }

    @Test("A folder that cannot be written to says so, and what to do")
    func readOnlyFolder() throws {
        guard folder.forbidWriting() else { return print("Skipped: no folder can be made read-only here.") }
        let error = try failure(folder.file("Company.sqlite"))
        #expect(error.code == CocoaError.Code.fileWriteNoPermission.rawValue)
        #expect(error.localizedDescription.contains(folder.url.path) && error.localizedDescription.contains("permissions"))
    }

    @Test("A place that no one can write to")
    func systemPlace() throws {
        #expect(try failure(URL(fileURLWithPath: "/proc/Company.sqlite")).localizedDescription.contains("no file can be made in the folder “/proc”"))
    }

    @Test("A store in a folder that cannot be written to can be read when it is opened for reading only")
    func readOnlyStore() throws {
        let url = try store()
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
        guard folder.forbidWriting() else { return print("Skipped: no folder can be made read-only here.") }
        let before = try folder.contents()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: [NSReadOnlyPersistentStoreOption: true])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let count = try context.performAndWait { try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Employee")) }
        #expect(count == 1)
        #expect(try folder.contents() == before)
    }

    @Test("A save into a store whose file is gone or replaced is refused, and succeeds once it is back", arguments: [false, true])
    func movedMeanwhile(isReplaced: Bool) throws {
        let url = try store(), aside = folder.file("Aside.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Employee")
            #expect(try context.count(for: request) == 1)
            try FileManager.default.moveItem(at: url, to: aside)
            if isReplaced { try Data("other".utf8).write(to: url) }
            NSEntityDescription.insertNewObject(forEntityName: "Employee", into: context).setValue("Bea", forKey: "name")
            let error = try #require(throws: (any Error).self) { try context.save() } as NSError
            #expect(error.domain == NSCocoaErrorDomain && error.code == CocoaError.Code.fileNoSuchFile.rawValue)
            #expect(error.localizedDescription.contains(url.path) && context.insertedObjects.count == 1)
            if isReplaced { try FileManager.default.removeItem(at: url) }
            try FileManager.default.moveItem(at: aside, to: url)
            try context.save()
            #expect(try context.count(for: request) == 2)
        }
    }
}
