import CoreData
import Testing

/// The SM rows of metadata.
@Suite struct MetadataTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    private func open(_ name: String = "Store.sqlite") throws -> (NSPersistentStoreCoordinator, NSPersistentStore, NSManagedObjectContext) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Models.office())
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: file(name), options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return (coordinator, store, context)
    }

    private func onDisk(_ name: String = "Store.sqlite") throws -> [String: Any] {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: file(name), options: nil)
    }

    @Test("SM02: metadata set on a loaded store is lost without a save, and kept by a save of some context")
    func setOnStore() throws {
        for isSaved in [false, true] {
            let (coordinator, store, context) = try open()
            var metadata = coordinator.metadata(for: store)
            metadata["mine"] = "here"
            coordinator.setMetadata(metadata, for: store)
            #expect(coordinator.metadata(for: store)["mine"] as? String == "here" && store.metadata["mine"] as? String == "here")
            #expect(try onDisk()["mine"] == nil)
            if isSaved { try context.run { try $0.save() } }
            try coordinator.remove(store)
            let (again, reopened, _) = try open()
            #expect((again.metadata(for: reopened)["mine"] as? String == "here") == isSaved)
            try again.remove(reopened)
        }
    }

    @Test("SM02: values of every property-list type come back as they were")
    func values() throws {
        let (coordinator, store, context) = try open()
        let mine: [String: Any] = [
            "text": "naïve\n\u{1F600}", "whole": 42, "large": Int64.min, "real": 2.5, "flag": true, "data": Data([0, 1, 255]),
            "date": Date(timeIntervalSinceReferenceDate: 1.25), "array": [1, "two", [3.0]], "dictionary": ["a": ["b": Data()]], "empty": "",
        ]
        coordinator.setMetadata(store.metadata.merging(mine) { $1 }, for: store)
        try context.run { try $0.save() }
        try coordinator.remove(store)
        let found = try onDisk()
        for (key, value) in mine {
            #expect((found[key] as? NSObject) == (value as? NSObject) || "\(found[key] ?? "nil")" == "\(value)", "\(key): \(found[key] ?? "nil")")
        }
        #expect(found["date"] as? Date == mine["date"] as? Date && found["data"] as? Data == mine["data"] as? Data)
        #expect(found["large"] as? Int64 == Int64.min && found["flag"] as? Bool == true && found["real"] as? Double == 2.5)
        #expect((found["dictionary"] as? [String: [String: Data]])?["a"]?["b"] == Data())
    }

    @Test("SM02: a value that is no property list fails the save with an error that names it; nothing is lost")
    func strangers() throws {
        let strangers: [(String, Any)] = [
            ("url", URL(fileURLWithPath: "/tmp")), ("null", NSNull()), ("object", NSObject()), ("deep", ["a": [1, UUID()] as [Any]]),
            ("keys", [1: "one"]), ("set", NSSet(array: [1])),
        ]
        for (key, value) in strangers {
            let (coordinator, store, context) = try open()
            coordinator.setMetadata([key: value], for: store)
            try context.run { context in
                context.make("Employee", ["name": key])
                let error = try failure { try context.save() }
                #expect(error.isCocoa && error.code == NSCoreDataError && error.localizedDescription.contains("“\(key)"), "\(error)")
                #expect(context.insertedObjects.count == 1)
                coordinator.setMetadata([:], for: store)
                try context.save()
            }
            try coordinator.remove(store)
            let error = try failure {
                try NSPersistentStoreCoordinator.setMetadata([key: value], forPersistentStoreOfType: NSSQLiteStoreType, at: file("Store.sqlite"))
            }
            #expect(error.isCocoa && error.code == NSCoreDataError)
        }
        let (_, _, context) = try open()
        #expect(try context.run { try $0.count("Employee") } == strangers.count)
    }

    @Test("SM03: the class method writes at once; a loaded coordinator sees it after the store is added again")
    func setOnFile() throws {
        let (coordinator, store, _) = try open()
        var metadata = try onDisk()
        metadata["mine"] = "there"
        try NSPersistentStoreCoordinator.setMetadata(metadata, forPersistentStoreOfType: NSSQLiteStoreType, at: file("Store.sqlite"), options: nil)
        #expect(try onDisk()["mine"] as? String == "there")
        #expect(coordinator.metadata(for: store)["mine"] == nil)
        try coordinator.remove(store)
        let added = try coordinator.addPersistentStore(type: .sqlite, at: file("Store.sqlite"))
        #expect(coordinator.metadata(for: added)["mine"] as? String == "there")
    }

    @Test("SM03: writing only keys of one's own leaves a store that opens")
    func ownKeys() throws {
        let (coordinator, store, _) = try open()
        try coordinator.remove(store)
        for metadata in [["mine": 1], [:], nil] as [[String: Any]?] {
            try NSPersistentStoreCoordinator.setMetadata(metadata, type: .sqlite, at: file("Store.sqlite"))
            #expect(try onDisk()["mine"] as? Int == metadata?["mine"] as? Int)
            let (again, reopened, _) = try open()
            #expect(again.managedObjectModel.isConfiguration(withName: nil, compatibleWithStoreMetadata: reopened.metadata))
            try again.remove(reopened)
        }
    }

    @Test("SM03: metadata of a file that is missing, or no store, is an error, and makes no file")
    func missing() throws {
        try Data("letter".utf8).write(to: file("letter"))
        for name in ["missing", "letter", "none/missing"] {
            let error = try failure { _ = try onDisk(name) }
            #expect(error.isCocoa && error.localizedDescription.contains(name))
            #expect(throws: (any Error).self) { try NSPersistentStoreCoordinator.setMetadata([:], type: .sqlite, at: file(name)) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["letter"])
    }

    @Test("SM04: the UUID stays over closing, opening and copying the file; URIs stay valid")
    func identifier() throws {
        let (coordinator, store, context) = try open()
        let uri = try context.run { context in
            let employee = context.make("Employee", ["name": "Ann"])
            try context.save()
            return employee.objectID.uriRepresentation()
        }
        let uuid = store.identifier
        try coordinator.remove(store)
        try FileManager.default.copyItem(at: file("Store.sqlite"), to: file("Copy.sqlite"))
        for name in ["Store.sqlite", "Copy.sqlite"] {
            let (coordinator, store, context) = try open(name)
            #expect(store.identifier == uuid)
            let id = try #require(coordinator.managedObjectID(forURIRepresentation: uri))
            #expect(try context.run { try $0.existingObject(with: id).text("name") } == "Ann")
            try coordinator.remove(store)
        }
    }

    @Test("SM04: an identifier that is set is the store's after a save, and IDs name it")
    func settingIdentifier() throws {
        let (coordinator, store, context) = try open()
        let uuid = UUID().uuidString
        store.identifier = uuid
        #expect(store.identifier == uuid && store.metadata[NSStoreUUIDKey] as? String == uuid)
        let uri = try context.run { context in
            let employee = context.make("Employee", ["name": "Ann"])
            try context.save()
            return employee.objectID.uriRepresentation()
        }
        #expect(uri.host == uuid)
        try coordinator.remove(store)
        #expect(try onDisk()[NSStoreUUIDKey] as? String == uuid)
        let (again, _, _) = try open()
        #expect(again.managedObjectID(forURIRepresentation: uri) != nil)
    }

    @Test("setURL: a SQLite store goes on with a copy; where there is none it stays")
    func settingURL() throws {
        let (coordinator, store, context) = try open()
        try context.run { context in
            context.make("Employee", ["name": "Ann"])
            try context.save()
        }
        #expect(!coordinator.setURL(file("Missing.sqlite"), for: store) && store.url == file("Store.sqlite"))
        let other = NSPersistentStoreCoordinator(managedObjectModel: coordinator.managedObjectModel)
        try other.replacePersistentStore(at: file("Copy.sqlite"), withPersistentStoreFrom: file("Store.sqlite"), ofType: NSSQLiteStoreType)
        #expect(coordinator.setURL(file("Copy.sqlite"), for: store) && coordinator.url(for: store) == file("Copy.sqlite"))
        try context.run { context in
            context.make("Employee", ["name": "Bea"])
            try context.save()
            #expect(try context.names("Employee") == ["Ann", "Bea"])
        }
        try coordinator.remove(store)
        let (_, _, first) = try open(), (_, _, second) = try open("Copy.sqlite")
        #expect(try first.run { try $0.names("Employee") } == ["Ann"])
        #expect(try second.run { try $0.names("Employee") } == ["Ann", "Bea"])
    }

    @Test("The store class itself has no file to ask")
    func storeClass() throws {
        let error = try failure { _ = try NSPersistentStore.metadataForPersistentStore(with: file("Store.sqlite")) }
        #expect(error.isCocoa && error.localizedDescription.contains("metadataForPersistentStore(with:)"))
        #expect(throws: (any Error).self) { try NSPersistentStore.setMetadata([:], forPersistentStoreAt: file("Store.sqlite")) }
    }
}
