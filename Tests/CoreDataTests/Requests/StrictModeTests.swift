import CoreData
import Foundation
import Testing

/// What SQL cannot say: split off, told, and refused by a store opened for SQL alone.
@Suite("Only SQL")
struct StrictModeTests {
    private static let beyondSQL = [
        "median:(dept.people.age) > 1", "age > 1 AND median:(dept.people.age) > 1", "NOT (stddev:(dept.people.age) == 7)",
        "entity.name LIKE 'M*'",
    ]

    @Test("A part that SQL cannot say is worked out on rows and told, with the rows tested", arguments: beyondSQL)
    func told(format: String) throws {
        let store = try RequestStore(), log = EventLog(), context = store.context()
        let observation = CoreDataDiagnostics.observe(.evaluations, of: store.coordinator) { log.add($0) }
        #expect(try !context.names("Person", NSPredicate(format: format)).isEmpty)
        #expect(try context.count(for: context.request("Person", NSPredicate(format: format))) > 0)
        observation.cancel()
        let evaluations = log.events.compactMap { if case .evaluation(let evaluation) = $0 { evaluation } else { nil } }
        #expect(evaluations.count == 2 && evaluations.allSatisfy { $0.entityName == "Person" && $0.rowsTested > 0 })
        #expect(evaluations.allSatisfy { $0.predicateFormat != nil })
    }

    @Test("A store opened with OnlySQLStoreOption throws 134060, naming part and reason", arguments: beyondSQL)
    func refused(format: String) throws {
        let context = try RequestStore(options: [OnlySQLStoreOption: true]).context()
        let request = context.request("Person", NSPredicate(format: format))
        for attempt in [{ _ = try context.fetch(request) }, { _ = try context.count(for: request) }] {
            let error = try #require(throws: (any Error).self) { try attempt() } as NSError
            #expect(error.domain == NSCocoaErrorDomain && error.code == NSCoreDataError)
            #expect(error.localizedDescription.contains("OnlySQLStoreOption") && error.localizedDescription.contains("cannot be SQL"))
        }
        #expect(message { _ = try context.dictionaries("Person", [column("m", "median:(age)")]) }.contains("median:"))
        let batch = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "Person"))
        batch.fetchRequest.predicate = NSPredicate(format: format)
        #expect(throws: (any Error).self) { try context.execute(batch) }
        #expect(try context.names("Person", NSPredicate(format: "age > 3 AND name BEGINSWITH[c] 'P0'")) == ["p04"])
    }

    @Test("What only objects can answer, a transformable's value, is told as worked out on rows, and refused where SQL must do")
    func transformables() throws {
        let entity = NSEntityDescription()
        (entity.name, entity.managedObjectClassName) = ("Note", "NSManagedObject")
        let words = NSAttributeDescription()
        (words.name, words.attributeType, words.isOptional) = ("words", .transformableAttributeType, true)
        words.valueTransformerName = NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue
        entity.properties = [words]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("StrictTransformables-\(UUID().uuidString).sqlite")
        defer { try? NSPersistentStoreCoordinator(managedObjectModel: model).destroyPersistentStore(at: url, ofType: NSSQLiteStoreType, options: nil) }
        func context(_ options: [String: Any]?) throws -> NSManagedObjectContext {
            let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
            context.persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            try context.persistentStoreCoordinator?.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
            return context
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.predicate = NSPredicate(format: "words == %@", ["a", "b"])
        let first = try context(nil), coordinator = try #require(first.persistentStoreCoordinator), log = EventLog()
        for list in [["a", "b"], ["c"]] {
            NSEntityDescription.insertNewObject(forEntityName: "Note", into: first).setValue(list as NSArray, forKey: "words")
        }
        try first.save()
        let observation = CoreDataDiagnostics.observe(.evaluations, of: coordinator) { log.add($0) }
        #expect(try first.fetch(request).count == 1)
        observation.cancel()
        let evaluations = log.events.compactMap { if case .evaluation(let evaluation) = $0 { evaluation } else { nil } }
        #expect(evaluations.count == 1 && evaluations.first?.rowsTested == 2)
        let strict = try context([OnlySQLStoreOption: true])
        #expect(message { _ = try strict.fetch(request) }.contains("OnlySQLStoreOption"))
        #expect(message { _ = try strict.count(for: request) }.contains("words"))
    }

    @Test("The option is a property of a store's description")
    func description() {
        let description = NSPersistentStoreDescription()
        #expect(!description.requiresSQL)
        description.requiresSQL = true
        #expect(description.options[OnlySQLStoreOption] as? NSNumber == true)
    }
}
