import CoreData
import CoreDataTestSupport
import Foundation
import SQLiteDriver
import Testing

@Suite("Damaged stores")
struct DamagedStoreTests {
    @Test("Harmed stores are refused with an error or read as SQLite reads them; nothing stops the program, no file changes",
          .enabled(if: !AppleStore.all.isEmpty, "no corpus on this machine: set COREDATA_CORPUS"))
    func harmed() async throws {
        let result = await #expect(processExitsWith: .success) {
            let environment = ProcessInfo.processInfo.environment
            let rounds = environment["COREDATA_DAMAGE_ROUNDS"].flatMap { Int($0) } ?? 1
            let seed = environment["COREDATA_DAMAGE_SEED"].flatMap { UInt64($0) } ?? 1
            let isRight = try DamageRun.run(rounds: rounds, seed: seed)
            exit(isRight ? EXIT_SUCCESS : EXIT_FAILURE)
        }
        let log = DamageRun.log(of: getpid())
        let lines = ((try? String(contentsOf: log, encoding: .utf8)) ?? "").split(separator: "\n")
        try? FileManager.default.removeItem(at: log)
        let wrong = lines.filter { $0.hasPrefix("WRONG") }
        // The last line says how many cases there were, or which one stopped the process.
        #expect(wrong.isEmpty && result != nil, "\((wrong.prefix(30) + lines.suffix(2)).joined(separator: "\n"))")
        Corpus.say(String(lines.last ?? "no damage done"))
    }

    private func newStore(in folder: TemporaryFolder) throws -> (URL, NSManagedObjectModel) {
        let model = NSManagedObjectModel()
        model.entities = [ModelSamples.entity("Note", [ModelSamples.attribute("text", .stringAttributeType)])]
        let url = folder.file("Notes.sqlite")
        let context = try openAppleStore(url, model: model)
        try context.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Note", into: context).setValue("A", forKey: "text")
            try context.save()
        }
        for store in context.persistentStoreCoordinator?.persistentStores ?? [] { try context.persistentStoreCoordinator?.remove(store) }
        return (url, model)
    }

    @Test("Locked by another connection: reading and saving say so after the timeout, and work again afterwards")
    func locked() throws {
        let folder = try TemporaryFolder()
        let (url, model) = try newStore(in: folder)
        let other = try SQLiteConnection(path: url.path, access: .readWrite)
        defer { other.close() }
        let context = try openAppleStore(url, model: model, options: [NSPersistentStoreTimeoutOption: 0.1])
        try other.execute("BEGIN IMMEDIATE")
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            let note = try #require(try context.fetch(request).first)
            note.setValue("B", forKey: "text")
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.code == NSPersistentStoreTimeoutError)
            try other.execute("ROLLBACK")
            try context.save()
        }
        let second = try SQLiteConnection(path: url.path, access: .readOnly)
        defer { second.close() }
        #expect(try second.text("SELECT ZTEXT FROM ZNOTE") == "B")
    }
}
