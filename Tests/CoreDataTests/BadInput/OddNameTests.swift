import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite("Names that are no identifiers")
struct OddNameTests {
    private func model(_ entity: String, _ property: String) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = [ModelSamples.entity(entity, [ModelSamples.attribute(property, .stringAttributeType)])]
        return model
    }

    @Test("A SQLite store refuses them by name, and nothing of them is run as SQL", arguments: [
        ("Note\" (x); DROP TABLE t; --", "text"), ("Note", "te'xt"), ("My Note", "text"), ("Note", "a.b"), ("Note", "x); DELETE FROM Z_METADATA; --"), ("N[", "t"),
    ])
    func refused(entity: String, property: String) throws {
        let folder = try TemporaryFolder(), coordinator = NSPersistentStoreCoordinator(managedObjectModel: model(entity, property))
        let error = #expect(throws: NSError.self) {
            try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: folder.file("s.sqlite"))
        }
        #expect(error?.domain == NSCocoaErrorDomain)
        #expect(error?.localizedDescription.contains(property == "text" || entity == "N[" ? "“\(entity)”" : "“\(entity).\(property)”") == true, "\(error?.localizedDescription ?? "")")
    }

    @Test("Letters of any script are names", arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
    func letters(type: String) throws {
        let folder = try TemporaryFolder(), coordinator = NSPersistentStoreCoordinator(managedObjectModel: model("Größe日本", "straße"))
        try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: folder.file("s.sqlite"))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Größe日本", into: context).setValue("lang", forKey: "straße")
            try context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Größe日本")
            request.predicate = NSPredicate(format: "straße BEGINSWITH 'la'")
            #expect(try context.fetch(request).count == 1)
        }
    }
}
