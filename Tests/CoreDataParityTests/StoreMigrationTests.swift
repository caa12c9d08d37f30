import CoreData
import Testing

/// `migratePersistentStore`: a store goes on at another place, as the same type or another.
@Suite struct StoreMigrationTests {
    private static let types = [NSSQLiteStoreType, NSBinaryStoreType, NSXMLStoreType, NSInMemoryStoreType]
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    /// Entities of two tables whose keys are alike, with every kind of link.
    private func shelves() -> NSManagedObjectModel {
        let content = NSAttributeDescription("content", .binaryDataAttributeType)
        content.allowsExternalBinaryDataStorage = true
        let book = NSEntityDescription(
            "Book", NSAttributeDescription("name", .stringAttributeType), NSAttributeDescription("price", .decimalAttributeType),
            NSAttributeDescription("tags", .transformableAttributeType), content)
        let shelf = NSEntityDescription("Shelf", NSAttributeDescription("name", .stringAttributeType))
        relate(shelf, .many("books", ordered: true), book, .one("shelf"))
        relate(book, .many("readers"), shelf, .many("reads"))
        return model(book, shelf)
    }

    private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func fill(_ context: NSManagedObjectContext) throws {
        let books = ["a", "b", "c"].map { name in
            context.make("Book", [
                "name": name, "price": NSDecimalNumber(string: "1.5"), "tags": [name, "x"] as NSArray, "content": Data(repeating: 7, count: 200_000),
            ])
        }
        let shelf = context.make("Shelf", ["name": "top"]), other = context.make("Shelf", ["name": "low"])
        shelf.setValue(NSOrderedSet(array: [books[2], books[0], books[1]]), forKey: "books")
        books[0].setValue(NSSet(array: [shelf, other]), forKey: "readers")
        try context.save()
    }

    private func check(_ context: NSManagedObjectContext, _ note: String) throws {
        let top = try context.named("top", "Shelf"), a = try context.named("a", "Book")
        let order = top.ordered("books", "name")
        #expect(order == ["c", "a", "b"] || order == ["c", "a", "b2"], "\(note)")
        #expect(a.texts("readers", "name") == ["low", "top"], "\(note)")
        #expect(a.value(forKey: "tags") as? [String] == ["a", "x"] && a.value(forKey: "price") as? NSDecimalNumber == NSDecimalNumber(string: "1.5"), "\(note)")
        #expect((a.value(forKey: "content") as? Data) == Data(repeating: 7, count: 200_000), "\(note)")
    }

    @Test("Between all types: rows, links, metadata, unsaved changes and IDs go along; the old file stays", arguments: types, types)
    func matrix(_ from: String, _ to: String) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: shelves())
        let old = try coordinator.addPersistentStore(
            ofType: from, configurationName: nil, at: from == NSInMemoryStoreType ? nil : file("Old"), options: nil)
        let context = context(coordinator)
        let uuid = old.identifier
        let (ids, held) = try context.run { context in
            try fill(context)
            coordinator.setMetadata(old.metadata.merging(["mine": "kept"]) { $1 }, for: old)
            try context.save()
            let objects = try context.all("Book") + context.all("Shelf")
            try context.named("b", "Book").setValue("b2", forKey: "name")
            context.make("Book", ["name": "new"])
            return (objects.map(\.objectID), objects)
        }
        let before = try? Data(contentsOf: file("Old"))
        let new = try coordinator.migratePersistentStore(old, to: file("New"), options: nil, withType: to)
        #expect(coordinator.persistentStores == [new] && old.persistentStoreCoordinator == nil && new.type == to)
        #expect(new.identifier != uuid && new.metadata["mine"] as? String == "kept")
        try context.run { context in
            try check(context, "\(from) to \(to), same context")
            #expect(held.allSatisfy { $0.objectID.persistentStore === new } && held.contains { $0.text("name") == "b2" })
            for id in ids { #expect(try context.existingObject(with: id).objectID.uriRepresentation().host == new.identifier) }
            #expect(coordinator.managedObjectID(forURIRepresentation: ids[0].uriRepresentation())?.persistentStore === new)
            try context.named("a", "Book").setValue(NSDecimalNumber(string: "1.5"), forKey: "price")
            try context.save()
            #expect(try context.names("Book") == ["a", "b2", "c", "new"])
        }
        if from != NSInMemoryStoreType, from != NSSQLiteStoreType { #expect((try? Data(contentsOf: file("Old"))) == before) }
        try coordinator.remove(new)
        for (name, type, books) in [("New", to, ["a", "b2", "c", "new"]), ("Old", from, ["a", "b", "c"])] where type != NSInMemoryStoreType {
            let again = NSPersistentStoreCoordinator(managedObjectModel: shelves())
            let store = try again.addPersistentStore(ofType: type, configurationName: nil, at: file(name), options: nil)
            #expect((store.identifier == uuid) == (name == "Old") && store.metadata["mine"] as? String == "kept")
            try self.context(again).run { context in
                try check(context, "\(from) to \(to), \(name) reopened")
                let names = try context.names("Book")
                #expect(names == books)
                context.make("Shelf", ["name": "more"])
                context.make("Book", ["name": "more"])
                try context.save()
            }
            try again.remove(store)
            let third = NSPersistentStoreCoordinator(managedObjectModel: shelves())
            try third.addPersistentStore(ofType: type, configurationName: nil, at: file(name), options: nil)
            try self.context(third).run { context in
                let counts = (try context.count("Shelf"), try context.count("Book"))
                #expect(counts == (3, books.count + 1), "\(type)")
                try check(context, "\(name) a third time")
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).allSatisfy { ["Old", "New", ".Old_SUPPORT", ".New_SUPPORT"].contains($0) || $0.hasSuffix("-wal") || $0.hasSuffix("-shm") })
    }

    @Test("The note names both stores; a second migration goes on from there, and the first IDs still lead to their objects")
    func twice() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: shelves())
        let first = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: file("One"), options: nil)
        let context = context(coordinator)
        let id = try context.run { context in
            try fill(context)
            return try context.named("a", "Book").objectID
        }
        nonisolated(unsafe) var notes: [Notification] = []
        let token = NotificationCenter.default.addObserver(forName: .NSPersistentStoreCoordinatorStoresDidChange, object: coordinator, queue: nil) { notes.append($0) }
        defer { NotificationCenter.default.removeObserver(token) }
        let second = try coordinator.migratePersistentStore(first, to: file("Two"), type: .xml)
        let third = try coordinator.migratePersistentStore(second, to: file("Three"), type: .sqlite)
        #expect(notes.map { $0.userInfo?[NSUUIDChangedPersistentStoresKey] as? [NSPersistentStore] } == [[first, second], [second, third]])
        try context.run { context in
            context.reset()
            let found = try context.existingObject(with: id)
            #expect(found.text("name") == "a" && found.objectID.persistentStore === third)
        }
    }

    @Test("What fails leaves the old store attached and the place as it was")
    func failures() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: shelves())
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: file("Store"), options: nil)
        let context = context(coordinator)
        try context.run { try fill($0) }
        try Data("Dear store".utf8).write(to: file("letter"))
        for (url, type) in [
            (file("none/New"), NSSQLiteStoreType), (file("none/New"), NSXMLStoreType), (file("letter"), NSSQLiteStoreType), (file("letter"), NSBinaryStoreType),
            (file("Store"), NSSQLiteStoreType), (file("Store"), NSXMLStoreType), (file("New"), "Nonsense"), (folder.url, NSXMLStoreType),
        ] {
            let error = try failure { try coordinator.migratePersistentStore(store, to: url, options: nil, withType: type) }
            #expect(error.isCocoa && coordinator.persistentStores == [store], "\(url.lastPathComponent), \(type)")
        }
        #expect(try Data(contentsOf: file("letter")) == Data("Dear store".utf8))
        try context.run { context in
            try check(context, "after failures")
            context.make("Book", ["name": "more"])
            try context.save()
        }
        #expect(Set(try FileManager.default.contentsOfDirectory(atPath: folder.url.path)).isSubset(of: ["Store", "Store-wal", "Store-shm", ".Store_SUPPORT", "letter"]))
    }

    @Test("SM11: killed in the middle of saves of thousands of objects, a store holds all of a save or none", arguments: [NSSQLiteStoreType, NSBinaryStoreType])
    func killed(_ type: String) async throws {
        await #expect(processExitsWith: .failure) { [type = type as String, path = file("Killed").path as String] in
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Models.office())
            try coordinator.addPersistentStore(
                ofType: type, configurationName: nil, at: URL(fileURLWithPath: path), options: nil)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: 1.5)
                kill(getpid(), SIGKILL)
            }
            for _ in 0..<1000 {
                try context.run { context in
                    for index in 0..<500 { context.make("Employee", ["name": "\(index)"]) }
                    try context.save()
                    context.reset()
                }
            }
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Models.office())
        try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: file("Killed"), options: nil)
        let count = try context(coordinator).run { try $0.count("Employee") }
        #expect(count % 500 == 0 && count > 0)
    }
}
