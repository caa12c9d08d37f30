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
}
