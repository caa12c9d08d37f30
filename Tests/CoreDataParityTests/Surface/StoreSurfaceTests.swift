import CoreData
import Foundation
import Testing

@Suite("API surface: stores, coordinators, containers")
struct StoreSurfaceTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("surface-\(UUID().uuidString)")

    @Test("A coordinator adds, moves, replaces and destroys stores, and reads their metadata")
    func coordinators() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let model = SurfaceModel.make(), coordinator = NSPersistentStoreCoordinator(managedObjectModel: model), url = folder.appendingPathComponent("a.sqlite")
        let options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true, NSSQLitePragmasOption: ["journal_mode": "WAL"],
            NSReadOnlyPersistentStoreOption: false,
        ]
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        #expect(store.type == NSSQLiteStoreType && store.url == url && store.identifier.isEmpty == false && store.configurationName == "PF_DEFAULT_CONFIGURATION_NAME")
        #expect(coordinator.managedObjectModel === model && coordinator.persistentStores == [store] && coordinator.url(for: store) == url)
        #expect(coordinator.persistentStore(for: url) === store)
        var metadata = coordinator.metadata(for: store)
        metadata["note"] = "n"
        coordinator.setMetadata(metadata, for: store)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let person = SurfacePerson(context: context)
            context.assign(person, to: store)
            try context.save()
        }
        let moved = try coordinator.migratePersistentStore(store, to: folder.appendingPathComponent("b.sqlite"), options: nil, withType: NSSQLiteStoreType)
        try coordinator.remove(moved)
        let read = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: folder.appendingPathComponent("b.sqlite"), options: nil)
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: read) && NSManagedObjectModel.mergedModel(from: [], forStoreMetadata: read) == nil)
        try coordinator.replacePersistentStore(
            at: url, destinationOptions: nil, withPersistentStoreFrom: folder.appendingPathComponent("b.sqlite"), sourceOptions: nil, ofType: NSSQLiteStoreType)
        try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType, options: nil)
        try coordinator.destroyPersistentStore(at: folder.appendingPathComponent("b.sqlite"), type: .sqlite)
        let memory = try coordinator.addPersistentStore(type: .inMemory, configuration: nil, at: folder.appendingPathComponent("m"), options: nil)
        #expect(memory.type == NSInMemoryStoreType && NSPersistentStore.StoreType.binary != .xml)
    }

    @Test("A container of a subclass, with every setting of its descriptions")
    func containers() throws {
        final class Container: NSPersistentContainer, @unchecked Sendable {
            override class func defaultDirectoryURL() -> URL { FileManager.default.temporaryDirectory }
        }
        let container = Container(name: "Surface", managedObjectModel: SurfaceModel.make())
        let description = NSPersistentStoreDescription(url: Container.defaultDirectoryURL().appendingPathComponent("x.sqlite"))
        description.type = NSInMemoryStoreType
        description.configuration = nil
        description.isReadOnly = false
        description.shouldAddStoreAsynchronously = false
        description.shouldMigrateStoreAutomatically = true
        description.shouldInferMappingModelAutomatically = true
        description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        description.setOption(false as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        description.setValue("WAL" as NSString, forPragmaNamed: "journal_mode")
        container.persistentStoreDescriptions = [description]
        var names: [String?] = []
        container.loadPersistentStores { description, error in
            names.append(error == nil ? description.url?.lastPathComponent : nil)
        }
        #expect(names == ["x.sqlite"] && container.name == "Surface" && container.viewContext.persistentStoreCoordinator === container.persistentStoreCoordinator)
        let other = NSPersistentStoreDescription()
        other.type = NSInMemoryStoreType
        nonisolated(unsafe) var added = false
        container.persistentStoreCoordinator.addPersistentStore(with: other) { _, error in added = error == nil }
        #expect(added)
    }

    @Test("What Foundation lacks is there: coding, index paths, undo")
    func foundation() throws {
        let data = try NSKeyedArchiver.archivedData(withRootObject: ["a"] as NSArray, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSArray.self, from: data) == ["a"] as NSArray)
        let path = IndexPath(item: 2, section: 1)
        #expect(path.section == 1 && path.item == 2 && path.row == 2)
        let mutable = NSMutableSet(array: [1, 2]), ordered = NSMutableOrderedSet(array: [1])
        ordered.add(2)
        mutable.remove(1)
        #expect(mutable.count == 1 && ordered.count == 2 && NSSet(set: mutable).contains(2))
        let undo = UndoManager()
        #expect(!undo.canUndo)
    }
}
