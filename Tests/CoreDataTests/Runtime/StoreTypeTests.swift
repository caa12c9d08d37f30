import CoreData
import Foundation
import Testing

@Suite("Store types")
struct StoreTypeTests {
    @Test("A type there is no store for throws 134000 and adds nothing", arguments: ["Xml", "binary", "Cloud"])
    func unknown(type: String) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).store")
        let error = #expect(throws: (any Error).self) {
            try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: nil)
        }
        #expect((error as NSError?)?.code == NSPersistentStoreInvalidTypeError)
        #expect(coordinator.persistentStores.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test("A SQLite store at /dev/null is kept in memory, one for each coordinator")
    func nowhere() throws {
        func coordinator() throws -> NSPersistentStoreCoordinator {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"), options: nil)
            return coordinator
        }
        func count(_ coordinator: NSPersistentStoreCoordinator) throws -> Int {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            return try context.performAndWait { try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Department")) }
        }
        let one = try coordinator()
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = one
        try context.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Department", into: context)
            try context.save()
        }
        try #expect(count(one) == 1)
        try #expect(count(coordinator()) == 0)
    }
}
