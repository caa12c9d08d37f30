import CoreData
import Foundation
import Testing

/// Files that another process has open.
@Suite struct StoreLockTests {
    private let folder: DiskFolder

    init() throws { folder = try DiskFolder() }

    private func coordinator() -> NSPersistentStoreCoordinator { NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make()) }

    private func makeStore(_ name: String, employees: Int) throws {
        let coordinator = coordinator()
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file(name), options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for _ in 0..<employees { _ = NSEntityDescription.insertNewObject(forEntityName: "Employee", into: context) }
            try context.save()
        }
        try coordinator.remove(store)
    }

    private func count(_ name: String) throws -> Int {
        let coordinator = coordinator()
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file(name), options: nil)
        defer { try? coordinator.remove(store) }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return try context.performAndWait { try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Employee")) }
    }

    /// The `sqlite3` shell holding a read transaction; nil where there is none.
    private func reader(_ name: String) throws -> (process: Process, input: Pipe)? {
        let shell = URL(fileURLWithPath: "/usr/bin/sqlite3")
        guard FileManager.default.isExecutableFile(atPath: shell.path) else { return nil }
        let process = Process(), input = Pipe(), output = Pipe()
        process.executableURL = shell
        process.arguments = [folder.file(name).path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data("BEGIN; SELECT COUNT(*) FROM Z_METADATA;\n".utf8))
        _ = output.fileHandleForReading.availableData
        return (process, input)
    }

    @Test("A store another process has open is neither destroyed nor replaced, unless forced; it can be the source")
    func inUse() throws {
        try makeStore("Store.sqlite", employees: 1)
        try makeStore("Other.sqlite", employees: 2)
        guard let shell = try reader("Store.sqlite") else { return print("Skipped: there is no sqlite3 here.") }
        defer { shell.process.waitUntilExit() }
        defer { try? shell.input.fileHandleForWriting.close() }
        let coordinator = coordinator(), url = folder.file("Store.sqlite")
        let attempts: [() throws -> Void] = [
            { try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType, options: nil) },
            { try coordinator.replacePersistentStore(at: url, withPersistentStoreFrom: folder.file("Other.sqlite"), ofType: NSSQLiteStoreType) },
        ]
        for attempt in attempts {
            let error = try #require(throws: (any Error).self, performing: attempt) as NSError
            #expect(error.domain == NSCocoaErrorDomain && error.code == NSPersistentStoreTimeoutError && error.localizedDescription.contains(url.path))
        }
        #expect(try count("Store.sqlite") == 1)
        try coordinator.replacePersistentStore(at: folder.file("Copy.sqlite"), withPersistentStoreFrom: url, ofType: NSSQLiteStoreType)
        #expect(try count("Copy.sqlite") == 1)
        try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType, options: [NSPersistentStoreForceDestroyOption: true])
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test("What is only in the log of the source is in the copy, and a log left beside the destination is not mixed into it")
    func logs() throws {
        try makeStore("Old.sqlite", employees: 1)
        let coordinator = coordinator()
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("New.sqlite"), options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for _ in 0..<3 { _ = NSEntityDescription.insertNewObject(forEntityName: "Employee", into: context) }
            try context.save()
        }
        // A crash's remains: the database with its log, taken while the store is open.
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(atPath: folder.file("New.sqlite").path + suffix, toPath: folder.file("Crashed.sqlite").path + suffix)
        }
        try coordinator.remove(store)
        let other = self.coordinator()
        try other.replacePersistentStore(at: folder.file("Copy.sqlite"), withPersistentStoreFrom: folder.file("Crashed.sqlite"), ofType: NSSQLiteStoreType)
        #expect(try count("Copy.sqlite") == 3)
        try other.replacePersistentStore(at: folder.file("Crashed.sqlite"), withPersistentStoreFrom: folder.file("Old.sqlite"), ofType: NSSQLiteStoreType)
        #expect(try count("Crashed.sqlite") == 1)
        #expect(!FileManager.default.fileExists(atPath: folder.file("Crashed.sqlite-wal").path))
    }
}
