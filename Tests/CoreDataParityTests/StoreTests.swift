import CoreData
import Testing

/// The SM rows of stores as files: what is in them, removing them, replacing them.
@Suite struct StoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    private func coordinator() -> NSPersistentStoreCoordinator { NSPersistentStoreCoordinator(managedObjectModel: Models.office()) }

    private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// A closed store with one employee.
    @discardableResult
    private func store(_ name: String, employee: String) throws -> URL {
        let coordinator = coordinator()
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: file(name), options: nil)
        try context(coordinator).run { context in
            context.make("Employee", ["name": employee])
            try context.save()
        }
        try coordinator.remove(store)
        return file(name)
    }

    private func employees(_ url: URL, options: [AnyHashable: Any]? = nil) throws -> [String] {
        let coordinator = coordinator()
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        defer { try? coordinator.remove(store) }
        return try context(coordinator).run { try $0.names("Employee") }
    }

    @Test("SM01: a new SQLite store is a file at once, of that type, with the model's hashes and a UUID")
    func newStore() throws {
        let coordinator = coordinator()
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: file("New.sqlite"), options: nil)
        #expect(FileManager.default.fileExists(atPath: file("New.sqlite").path))
        #expect(store.type == NSSQLiteStoreType && store.url == file("New.sqlite") && coordinator.url(for: store) == file("New.sqlite"))
        #expect(store.configurationName == "PF_DEFAULT_CONFIGURATION_NAME" && !store.isReadOnly && store.persistentStoreCoordinator === coordinator)
        let metadata = try #require(store.metadata)
        #expect(metadata[NSStoreTypeKey] as? String == NSSQLiteStoreType)
        #expect(metadata[NSStoreUUIDKey] as? String == store.identifier && UUID(uuidString: store.identifier) != nil)
        #expect(metadata[NSStoreModelVersionHashesKey] as? [String: Data] == coordinator.managedObjectModel.entityVersionHashesByName)
        #expect(coordinator.persistentStore(for: file("New.sqlite")) === store && coordinator.persistentStore(for: file("Other")) == nil)
    }

    @Test("Saving changes of a store that was removed says which store is gone, with and without another one attached; others are saved")
    func removedStore() throws {
        let coordinator = coordinator(), context = context(coordinator)
        let gone = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: file("Gone.sqlite"), options: nil)
        let (ann, bob) = try context.run { context in
            let employees = (context.make("Employee", ["name": "Ann"]), context.make("Employee", ["name": "Bob"]))
            try context.save()
            return employees
        }
        try coordinator.remove(gone)
        try context.run { context in
            ann.setValue("Anna", forKey: "name")
            let alone = try failure { try context.save() }
            #expect(alone.isCocoa && alone.code == NSPersistentStoreSaveError && alone.localizedDescription.contains("Gone.sqlite"))
            #expect(alone.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject] == [ann])
            let stays = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: self.file("Stays.sqlite"), options: nil)
            context.delete(bob)
            let cid = context.make("Employee", ["name": "Cid"])
            let beside = try failure { try context.save() }
            #expect(beside.code == NSPersistentStoreSaveError && beside.localizedDescription.contains("Gone.sqlite"))
            context.refresh(ann, mergeChanges: false)
            context.refresh(bob, mergeChanges: false)
            context.rollback()
            context.insert(cid)
            try context.save()
            #expect(cid.objectID.persistentStore === stays)
        }
    }

    @Test("SM05: destroying and replacing where the folder does not exist throws; a missing file in a good folder need not")
    func missingFolder() throws {
        let coordinator = coordinator(), source = try store("Source.sqlite", employee: "Ann")
        let nowhere = folder.url.appendingPathComponent("none/Store.sqlite")
        let error = try failure { try coordinator.destroyPersistentStore(at: nowhere, ofType: NSSQLiteStoreType, options: nil) }
        #expect(error.isCocoa && error.localizedDescription.contains("none"))
        #expect(throws: (any Error).self) {
            try coordinator.replacePersistentStore(at: nowhere, withPersistentStoreFrom: source, ofType: NSSQLiteStoreType)
        }
        try coordinator.destroyPersistentStore(at: file("Missing.sqlite"), ofType: NSSQLiteStoreType, options: nil)
        try coordinator.destroyPersistentStore(at: source, type: .sqlite)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test("SM05: replacing takes over rows and UUID; a source that is missing or no store changes nothing")
    func replacing() throws {
        let old = try store("Old.sqlite", employee: "Old"), new = try store("New.sqlite", employee: "New")
        try Data("letter".utf8).write(to: file("letter.txt"))
        let coordinator = coordinator()
        for source in [file("Missing.sqlite"), file("letter.txt"), folder.url] {
            #expect(throws: (any Error).self) { try coordinator.replacePersistentStore(at: old, withPersistentStoreFrom: source, ofType: NSSQLiteStoreType) }
        }
        #expect(try employees(old) == ["Old"])
        // Loaded here: it is closed and taken off.
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: old, options: nil)
        try coordinator.replacePersistentStore(at: old, withPersistentStoreFrom: new, type: .sqlite)
        #expect(coordinator.persistentStores.isEmpty)
        #expect(try employees(old) == ["New"] && employees(new) == ["New"])
        let uuids = try [old, new].map { try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: $0)[NSStoreUUIDKey] as? String }
        #expect(uuids[0] == uuids[1] && uuids[0] != nil)
    }

    @Test("SM05: a type nobody knows is 134000 for every file operation")
    func unknownType() throws {
        let url = try store("Store.sqlite", employee: "Ann"), coordinator = coordinator()
        let attempts: [() throws -> Void] = [
            { try coordinator.destroyPersistentStore(at: url, ofType: "Nonsense", options: nil) },
            { try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: url, ofType: "Nonsense") },
            { _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: "Nonsense", at: url) },
            { try NSPersistentStoreCoordinator.setMetadata([:], forPersistentStoreOfType: "Nonsense", at: url) },
            { try coordinator.addPersistentStore(ofType: "Nonsense", configurationName: nil, at: url, options: nil) },
        ]
        for attempt in attempts { #expect(try failure(of: attempt).code == NSPersistentStoreInvalidTypeError) }
        #expect(try employees(url) == ["Ann"])
    }

    @Test("SM06: a read-only store fetches, a save is refused, and the file's bytes do not change")
    func readOnly() throws {
        let url = try store("Store.sqlite", employee: "Ann")
        let before = try Data(contentsOf: url)
        let coordinator = coordinator()
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: [NSReadOnlyPersistentStoreOption: true])
        #expect(store.isReadOnly && store.options?[NSReadOnlyPersistentStoreOption] as? Bool == true)
        try context(coordinator).run { context in
            #expect(try context.names("Employee") == ["Ann"])
            context.make("Employee", ["name": "Bea"])
            let error = try failure { try context.save() }
            #expect(error.isCocoa && context.insertedObjects.count == 1)
        }
        try coordinator.remove(store)
        #expect(try Data(contentsOf: url) == before)
    }

    @Test("SM07: a save without any store fails")
    func noStore() throws {
        try context(coordinator()).run { context in
            context.make("Employee", ["name": "Ann"])
            let error = try failure { try context.save() }
            #expect(error.isCocoa && context.hasChanges)
        }
    }

    @Test("SM08: rows of a removed store are gone from results, its objects invalid, its file intact", arguments: StoreKind.allCases)
    func removed(_ kind: StoreKind) throws {
        let coordinator = coordinator()
        let url = file("Store.sqlite")
        let store = try coordinator.addPersistentStore(
            ofType: kind.type, configurationName: nil, at: kind == .sqlite ? url : nil, options: nil)
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        try context(coordinator).run { context in
            let employee = context.make("Employee", ["name": "Ann"])
            context.assign(employee, to: store)
            try context.save()
            #expect(try context.names("Employee") == ["Ann"])
            try coordinator.remove(store)
            #expect(try context.names("Employee").isEmpty)
            #expect(employee.objectID.persistentStore == nil && store.persistentStoreCoordinator == nil)
            #expect(throws: (any Error).self) { try context.existingObject(with: employee.objectID) }
        }
        if kind == .sqlite { #expect(try employees(url) == ["Ann"]) }
    }

    @Test("SM09: a store in memory is its coordinator's alone, whatever URL it has", arguments: [nil, "Memory"])
    func memory(_ name: String?) throws {
        let first = coordinator(), second = coordinator()
        for coordinator in [first, second] {
            try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: name.map(file), options: nil)
        }
        try context(first).run { context in
            context.make("Employee", ["name": "Ann"])
            try context.save()
            #expect(try context.names("Employee") == ["Ann"])
        }
        #expect(try context(second).run { try $0.names("Employee") }.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test("SM09: a SQLite store at /dev/null is one, and leaves no file")
    func nullDevice() throws {
        let first = coordinator(), null = URL(fileURLWithPath: "/dev/null")
        let store = try first.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: null, options: nil)
        #expect(store.type == NSSQLiteStoreType && store.url == null)
        try context(first).run { context in
            context.make("Employee", ["name": "Ann"])
            try context.save()
            context.reset()
            #expect(try context.names("Employee") == ["Ann"])
        }
        let second = coordinator()
        try second.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: null, options: nil)
        #expect(try context(second).run { try $0.names("Employee") }.isEmpty)
    }

    @Test("SM10: what is no store is refused, and left as it is", arguments: ["text", "folder", "half"])
    func noStoreFile(_ what: String) throws {
        let url = file("Store.sqlite")
        switch what {
        case "text": try Data(repeating: 65, count: 5000).write(to: url)
        case "folder": try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        default:
            try store("Store.sqlite", employee: "Ann")
            try Data(contentsOf: url).prefix(3000).write(to: url)
        }
        let before = try? Data(contentsOf: url)
        let error = try failure {
            try coordinator().addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        }
        #expect(error.isCocoa && [256, 259, 134_080].contains(error.code))
        #expect((try? Data(contentsOf: url)) == before)
    }

    @Test("SM12: an object is saved to the store it is assigned to")
    func assigned() throws {
        let coordinator = coordinator()
        let stores = try ["One", "Two"].map {
            try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: file($0), options: nil)
        }
        try context(coordinator).run { context in
            for store in stores {
                let employee = context.make("Employee", ["name": store.url?.lastPathComponent ?? ""])
                context.assign(employee, to: store)
                try context.save()
                #expect(employee.objectID.persistentStore === store)
            }
        }
        #expect(try employees(file("One")) == ["One"] && employees(file("Two")) == ["Two"])
    }

    @Test("SM12: a saved object cannot be assigned to another store")
    func assignedAgain() async {
        await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Models.office())
            let stores = try (0..<2).map { _ in
                try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
            }
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try context.run { context in
                let employee = context.make("Employee", ["name": "Ann"])
                context.assign(employee, to: stores[0])
                try context.save()
                context.assign(employee, to: stores[1])
            }
        }
    }

    @Test("SM13: a relationship that would cross stores is refused by the save, and nothing is written")
    func acrossStores() throws {
        let coordinator = coordinator()
        let stores = try ["One", "Two"].map {
            try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: file($0), options: nil)
        }
        try context(coordinator).run { context in
            let department = context.make("Department", ["name": "Sales"]), employee = context.make("Employee", ["name": "Ann"])
            context.assign(department, to: stores[0])
            context.assign(employee, to: stores[1])
            employee.setValue(department, forKey: "dept")
            let error = try failure { try context.save() }
            #expect(error.isCocoa && error.details.contains { [NSManagedObjectExternalRelationshipError, NSManagedObjectValidationError].contains($0.code) })
            #expect(context.insertedObjects.count == 2)
        }
        #expect(try employees(file("Two")).isEmpty)
    }

    @Test("Options do what they say: statistics, a smaller file, and a wrong value is an error")
    func options() throws {
        let url = try store("Store.sqlite", employee: "Ann")
        let coordinator = coordinator()
        var store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        try context(coordinator).run { context in
            for index in 0..<2000 { context.make("Employee", ["name": String(repeating: "long ", count: 20) + "\(index)"]) }
            try context.save()
            for object in try context.all("Employee") where object.text("name") != "Ann" { context.delete(object) }
            try context.save()
        }
        try coordinator.remove(store)
        let before = try Data(contentsOf: url).count
        store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: [NSSQLiteManualVacuumOption: true, NSSQLiteAnalyzeOption: true])
        try coordinator.remove(store)
        let bytes = try Data(contentsOf: url)
        #expect(bytes.count < before && bytes.range(of: Data("sqlite_stat1".utf8)) != nil)
        #expect(try employees(url) == ["Ann"])
        for (key, value) in [
            NSSQLitePragmasOption: "WAL", NSPersistentStoreTimeoutOption: "soon", NSReadOnlyPersistentStoreOption: "",
        ] as [String: Any] where key != NSReadOnlyPersistentStoreOption {
            let error = try failure { try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: [key: value]) }
            #expect(error.isCocoa && error.code == NSCoreDataError && error.localizedDescription.contains(key))
        }
        let error = try failure {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: [NSReadOnlyPersistentStoreOption: true, NSSQLiteManualVacuumOption: true])
        }
        #expect(error.isCocoa)
    }
}
