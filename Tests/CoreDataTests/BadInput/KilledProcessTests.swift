import CoreData
import Testing

/// What a save has returned for stays, whatever happens to the process next.
@Suite struct KilledProcessTests {
    /// Saves a thousand employees and has the process killed before anything else can run.
    static func saveAndDie(_ path: String, in type: NSManagedObjectContextConcurrencyType) {
        do {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
            try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path), options: nil)
            let context = NSManagedObjectContext(concurrencyType: type)
            context.persistentStoreCoordinator = coordinator
            try context.performAndWait {
                for index in 0..<1000 {
                    NSEntityDescription.insertNewObject(forEntityName: "Employee", into: context).setValue("employee \(index)", forKey: "name")
                }
                try context.save()
                kill(getpid(), SIGKILL)
            }
        } catch {
            print("The child could not save: \(error)")
        }
        exit(1)
    }

    private func employees(_ url: URL) throws -> Int {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Employee")).filter { $0.value(forKey: "name") != nil }.count }
    }

    @Test("Killed right after save() returned on main, the next run has the rows")
    func main() async throws {
        let folder = try DiskFolder()
        let url = folder.file("Company.sqlite")
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = url.path as String] in
            // The main queue: what drains it in an async program need not be the first thread.
            await MainActor.run {
                KilledProcessTests.saveAndDie(path, in: .mainQueueConcurrencyType)
            }
        }
        #expect(try employees(url) == 1000)
    }

    @Test("Killed right after save() returned on another thread, the next run has the rows")
    func anotherThread() async throws {
        let folder = try DiskFolder()
        let url = folder.file("Company.sqlite")
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = url.path as String] in
            Thread.detachNewThread {
                if Thread.isMainThread { exit(2) }
                KilledProcessTests.saveAndDie(path, in: .privateQueueConcurrencyType)
            }
            try await Task.sleep(for: .seconds(60))
        }
        #expect(try employees(url) == 1000)
    }

    // MARK: Values in files

    private static func photos(_ path: String) throws -> NSManagedObjectContext {
        let name = NSAttributeDescription(), image = NSAttributeDescription()
        name.name = "name"
        name.attributeType = .stringAttributeType
        image.name = "image"
        image.attributeType = .binaryDataAttributeType
        image.allowsExternalBinaryDataStorage = true
        let photo = NSEntityDescription(), model = NSManagedObjectModel()
        photo.name = "Photo"
        photo.properties = [name, image]
        model.entities = [photo]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path), options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private static func image(_ seed: Int) -> Data { Data(repeating: UInt8(seed), count: 300_000) }

    private static func folder(of path: String) -> String {
        (path as NSString).deletingLastPathComponent + "/.Photos_SUPPORT/_EXTERNAL_DATA"
    }

    /// Replaces three images, deletes one and adds forty; killed as soon as some of the files are there.
    static func replaceAndDie(_ path: String) {
        do {
            let context = try photos(path)
            Thread.detachNewThread {
                while (try? FileManager.default.contentsOfDirectory(atPath: folder(of: path)))?.count ?? 0 < 8 { usleep(100) }
                kill(getpid(), SIGKILL)
            }
            try context.performAndWait {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Photo")
                request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
                let known = try context.fetch(request)
                for photo in known.dropLast() { photo.setValue(image(99), forKey: "image") }
                known.last.map(context.delete)
                for index in 10..<50 {
                    let photo = NSEntityDescription.insertNewObject(forEntityName: "Photo", into: context)
                    photo.setValue("photo \(index)", forKey: "name")
                    photo.setValue(image(index), forKey: "image")
                }
                try context.save()
            }
        } catch {
            print("The child could not save: \(error)")
        }
        exit(1)
    }

    @Test("TY15: Killed between writing files and the commit, the store has its old rows, each with its file")
    func filesBeforeCommit() async throws {
        let folder = try DiskFolder()
        let url = folder.file("Photos.sqlite")
        let seed = try Self.photos(url.path)
        try seed.performAndWait {
            for index in 0..<4 {
                let photo = NSEntityDescription.insertNewObject(forEntityName: "Photo", into: seed)
                photo.setValue("photo \(index)", forKey: "name")
                photo.setValue(Self.image(index), forKey: "image")
            }
            try seed.save()
        }
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = url.path as String] in KilledProcessTests.replaceAndDie(path) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: Self.folder(of: url.path)).count >= 8)
        let context = try Self.photos(url.path)
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Photo")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let found = try context.fetch(request)
            #expect(found.map { $0.value(forKey: "image") as? Data } == (0..<4).map(Self.image))
            // The store takes the same save now.
            for photo in found { photo.setValue(Self.image(7), forKey: "image") }
            try context.save()
        }
    }
}
