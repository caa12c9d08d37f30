import CoreData
import CoreDataSchema
import Testing

@Suite("Merging models")
struct ModelMergingTests {
    private func model(_ names: String..., type: NSAttributeType = .stringAttributeType) -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        model.entities = names.map { ModelSamples.entity($0, [ModelSamples.attribute("a", type)]) }
        model.versionIdentifiers = [names.joined()]
        return model
    }

    @Test("Entities of all models come together, in copies; an entity declared alike twice comes once")
    func merging() throws {
        let first = model("A", "B"), second = model("B", "C")
        second.setEntities([second.entities[0]], forConfigurationName: "Half")
        let merged = try #require(NSManagedObjectModel(byMerging: [first, second]))
        #expect(merged.entities.compactMap(\.name) == ["A", "B", "C"])
        #expect(merged.entities.allSatisfy { entity in !first.entities.contains { $0 === entity } })
        #expect(merged.entities(forConfigurationName: "Half")?.map(\.name) == ["B"])
        #expect(merged.versionIdentifiers == ["AB", "BC"])
        #expect(try merged.resolved().entities.count == 3)
        #expect(!first.isFrozen)
    }

    @Test("Models that declare an entity in different ways do not merge, and the reason names it")
    func conflict() {
        let first = model("A"), second = model("A", type: .dateAttributeType)
        #expect(NSManagedObjectModel(byMerging: [first, second]) == nil)
        #expect(throws: ModelDescriptionError.conflictingEntities(name: "A")) { try NSManagedObjectModel.merging([first, second]) }
        #expect(NSManagedObjectModel(byMerging: nil) == nil)
    }

    @Test("Merging keeps what a schema cannot hold")
    func descriptions() throws {
        let first = model("A")
        first.entities[0].userInfo = ["n": 3]
        let merged = try #require(NSManagedObjectModel(byMerging: [first, model("B")]))
        #expect(merged.entitiesByName["A"]?.userInfo?["n"] as? Int == 3)
    }

    @Test("A store's metadata picks the models it was made with, whole or in parts")
    func metadata() throws {
        let old = model("A"), new = model("A", type: .dateAttributeType), other = model("B")
        let whole: [String: Any] = [NSStoreModelVersionHashesKey: old.entityVersionHashesByName]
        let found = try #require(NSManagedObjectModel(byMerging: [new, old, other], forStoreMetadata: whole))
        #expect(found.entities[0].attributesByName["a"]?.attributeType == .stringAttributeType)
        let hashes = old.entityVersionHashesByName.merging(other.entityVersionHashesByName) { first, _ in first }
        let parts: [String: Any] = [NSStoreModelVersionHashesKey: hashes]
        let merged = try #require(NSManagedObjectModel(byMerging: [new, old, other], forStoreMetadata: parts))
        #expect(Set(merged.entitiesByName.keys) == ["A", "B"])
        #expect(NSManagedObjectModel(byMerging: [new], forStoreMetadata: whole) == nil)
        #expect(NSManagedObjectModel(byMerging: [old], forStoreMetadata: [:]) == nil)
    }
}
