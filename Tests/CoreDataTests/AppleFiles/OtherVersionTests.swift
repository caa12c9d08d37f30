import CoreData
import CoreDataSQLStorage
import CoreDataTestSupport
import Foundation
import Testing

@Suite("A store of another version of the model")
struct OtherVersionTests {
    private func model(_ attributes: [String: NSAttributeType], and others: [String]) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = [ModelSamples.entity("Note", attributes.sorted { $0.key < $1.key }.map { ModelSamples.attribute($0.key, $0.value) })]
            + others.map { ModelSamples.entity($0, [ModelSamples.attribute("name", .stringAttributeType)]) }
        return model
    }

    @Test("134100 names entities added, removed and changed, and what changed in them; the file stays as it is")
    func differences() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Notes.sqlite")
        let old = try openAppleStore(url, model: model(["text": .stringAttributeType, "size": .integer16AttributeType], and: ["Old", "Same"]))
        for store in old.persistentStoreCoordinator?.persistentStores ?? [] { try old.persistentStoreCoordinator?.remove(store) }
        let before = try Data(contentsOf: url)
        let newer = model(["text": .stringAttributeType, "size": .integer32AttributeType, "color": .stringAttributeType], and: ["New", "Same"])
        let error = #expect(throws: NSError.self) { try openAppleStore(url, model: newer) }
        #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSPersistentStoreIncompatibleVersionHashError)
        let text = error?.localizedDescription ?? ""
        for part in ["New: in the model, not in the store", "Old: in the store, not in the model", "attribute “color” is new", "attribute “size” is declared otherwise"] {
            #expect(text.contains(part), "\(text)")
        }
        #expect(!text.contains("Same") && !text.contains("“text”"))
        #expect(try Data(contentsOf: url) == before)
    }

    @Test("Hashes that only Apple can compute are taken from a store that keeps the same model, and the model knows them from then on")
    func adopted() throws {
        var adopted = 0
        for store in AppleStore.all {
            let folder = try TemporaryFolder()
            let url = try store.copy(in: folder)
            let stored = try StoredModel(url)
            guard stored.source == .modelCache, stored.schema.entities.contains(where: { $0.attributes.contains { $0.derivationFormat != nil } }) else { continue }
            // Without the hashes the file tells.
            let model = NSManagedObjectModel(schema: stored.schema)
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
            #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
            _ = try openAppleStore(url, model: model)
            #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
            var changed = stored.schema
            let entity = try #require(changed.entities.firstIndex { $0.attributes.contains { $0.derivationFormat != nil } })
            changed.entities[entity].attributes[0].isOptional.toggle()
            #expect(throws: NSError.self) { try openAppleStore(url, model: NSManagedObjectModel(schema: changed)) }
            adopted += 1
        }
        Corpus.say("stores whose hashes nobody can compute, opened with their model: \(adopted)")
    }
}
