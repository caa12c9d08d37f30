import CoreData
import Testing

/// Several stores on one coordinator, each with its configuration's entities.
@Suite struct ConfigurationTests {
    private static let types = [NSSQLiteStoreType, NSBinaryStoreType, NSXMLStoreType, NSInMemoryStoreType]
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    /// Note in "User", Topic in "Shipped"; a note finds its topics by name, across stores.
    private func notes(crossing: Bool = false) -> NSManagedObjectModel {
        let note = NSEntityDescription("Note", NSAttributeDescription("name", .stringAttributeType), NSAttributeDescription("topic", .stringAttributeType))
        let topic = NSEntityDescription("Topic", NSAttributeDescription("name", .stringAttributeType))
        let found = NSFetchedPropertyDescription()
        found.name = "topics"
        let request = NSFetchRequest<NSFetchRequestResult>()
        request.entity = topic
        request.predicate = NSPredicate(format: "name == $FETCH_SOURCE.topic")
        found.fetchRequest = request
        note.properties += [found]
        if crossing { relate(note, .one("link"), topic, .many("linked")) }
        let model = model(note, topic)
        model.setEntities([note], forConfigurationName: "User")
        model.setEntities([topic], forConfigurationName: "Shipped")
        return model
    }

    private func context(_ coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    @Test("A save that is refused writes no metadata, of the stores beside it neither", arguments: types.filter { $0 != NSInMemoryStoreType })
    func refusedMetadata(_ shippedType: String) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: notes())
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: "User", at: file("User"), options: nil)
        let shipped = try coordinator.addPersistentStore(ofType: shippedType, configurationName: "Shipped", at: file("Shipped"), options: nil)
        func label() throws -> String? {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: shippedType, at: file("Shipped"), options: nil)["label"] as? String
        }
        try context(coordinator).run { context in
            let note = context.make("Note", ["name": "n"])
            try context.save()
            try self.context(coordinator).run { rival in
                try rival.only("Note").setValue("rival", forKey: "name")
                try rival.save()
            }
            var metadata = coordinator.metadata(for: shipped)
            metadata["label"] = "new"
            coordinator.setMetadata(metadata, for: shipped)
            note.setValue("mine", forKey: "name")
            #expect(throws: (any Error).self) { try context.save() }
            let refused = try label()
            #expect(refused == nil)
            context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
            try context.save()
            let saved = try label()
            #expect(saved == "new")
        }
    }

    @Test("Objects go to the store of their configuration; fetched properties look through all stores", arguments: types)
    func placing(_ shippedType: String) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: notes())
        let user = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: "User", at: file("User"), options: nil)
        let shipped = try coordinator.addPersistentStore(ofType: shippedType, configurationName: "Shipped", at: file("Shipped"), options: nil)
        #expect(user.configurationName == "User" && shipped.configurationName == "Shipped")
        #expect((user.metadata[NSStoreModelVersionHashesKey] as? [String: Data])?.keys.sorted() == ["Note"])
        #expect((shipped.metadata[NSStoreModelVersionHashesKey] as? [String: Data])?.keys.sorted() == ["Topic"])
        try context(coordinator).run { context in
            let note = context.make("Note", ["name": "n", "topic": "Swift"])
            let topics = ["Swift", "Linux"].map { context.make("Topic", ["name": $0]) }
            try context.save()
            #expect(note.objectID.persistentStore === user && topics.allSatisfy { $0.objectID.persistentStore === shipped })
            context.refresh(note, mergeChanges: false)
            #expect((note.value(forKey: "topics") as? [NSManagedObject])?.map { $0.text("name") } == ["Swift"])
            let request = context.request("Topic")
            request.affectedStores = [user]
            #expect(try context.count(for: request) == 0)
        }
        guard shippedType != NSInMemoryStoreType else { return }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        let again = NSPersistentStoreCoordinator(managedObjectModel: notes())
        try again.addPersistentStore(ofType: shippedType, configurationName: "Shipped", at: file("Shipped"), options: [NSReadOnlyPersistentStoreOption: true])
        try again.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: "User", at: file("User"), options: nil)
        try context(again).run { context in
            context.make("Note", ["name": "second", "topic": "Linux"])
            try context.save()
            let names = (try context.names("Note"), try context.names("Topic"))
            #expect(names == (["n", "second"], ["Linux", "Swift"]))
        }
        // The whole model is not what either file holds.
        let error = try failure {
            try NSPersistentStoreCoordinator(managedObjectModel: notes()).addPersistentStore(
                ofType: shippedType, configurationName: "User", at: file("Shipped"), options: nil)
        }
        #expect(error.code == NSPersistentStoreIncompatibleVersionHashError)
    }

    @Test("SM13: a relationship into another configuration's store is refused by the save, with the object; without it the save succeeds")
    func crossing() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: notes(crossing: true))
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: "User", at: file("User"), options: nil)
        try coordinator.addPersistentStore(ofType: NSBinaryStoreType, configurationName: "Shipped", at: file("Shipped"), options: nil)
        try context(coordinator).run { context in
            let note = context.make("Note", ["name": "n"]), topic = context.make("Topic", ["name": "t"])
            note.setValue(topic, forKey: "link")
            let error = try failure { try context.save() }
            #expect(error.isCocoa && error.code == NSManagedObjectExternalRelationshipError && error.object == note)
            note.setValue(nil, forKey: "link")
            try context.save()
            #expect(!context.hasChanges)
        }
    }

    @Test("A configuration the model does not have is an error that names those it has; an object no store holds is one at the save")
    func unknown() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: notes())
        let error = try failure {
            try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: "Cloud", at: nil, options: nil)
        }
        #expect(error.isCocoa && error.localizedDescription.contains("Shipped"))
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: "User", at: nil, options: nil)
        try context(coordinator).run { context in
            context.make("Topic", ["name": "t"])
            let error = try failure { try context.save() }
            #expect(error.isCocoa && error.localizedDescription.contains("Topic") && context.hasChanges)
        }
    }

    @Test("SM02: a save of objects of one store keeps the metadata set on another", arguments: types)
    func metadata(_ type: String) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: notes())
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: "User", at: file("User"), options: nil)
        let shipped = try coordinator.addPersistentStore(ofType: type, configurationName: "Shipped", at: file("Shipped"), options: nil)
        coordinator.setMetadata(["mine": "kept"], for: shipped)
        try context(coordinator).run { context in
            context.make("Note", ["name": "n"])
            try context.save()
        }
        guard type != NSInMemoryStoreType else { return }
        try coordinator.remove(shipped)
        let found = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: file("Shipped"))
        #expect(found["mine"] as? String == "kept" && found[NSStoreModelVersionHashesKey] != nil)
    }
}
