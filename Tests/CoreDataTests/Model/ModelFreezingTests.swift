import CoreData
import Testing

@Suite("LC25: Models in use are frozen")
struct ModelFreezingTests {
    private static func frozenFirms() -> NSManagedObjectModel {
        let model = ModelSamples.firms()
        _ = try? model.resolved()
        return model
    }

    private static func expectRefusal(_ result: ExitTest.Result?, naming name: String = "") {
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Can't modify an immutable model") && (name.isEmpty || text.contains(name)), "\(text.prefix(300))")
    }

    @Test("LC25: Changing a property of a model in use stops the program with Apple's words")
    func property() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let model = ModelFreezingTests.frozenFirms()
            model.entitiesByName["Firm"]?.attributesByName["founded"]?.isTransient = true
            _ = model.isFrozen
        }
        Self.expectRefusal(result, naming: "Firm.founded")
    }

    @Test("LC25: So does changing an entity")
    func entity() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { ModelFreezingTests.frozenFirms().entities[0].isAbstract = false }
        Self.expectRefusal(result)
    }

    @Test("LC25: So does changing the entities of the model")
    func model() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { ModelFreezingTests.frozenFirms().entities = [] }
        Self.expectRefusal(result)
    }

    @Test("LC25: So does changing a relationship's inverse from its unfrozen side")
    func inverse() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let model = ModelFreezingTests.frozenFirms()
            let loose = NSRelationshipDescription()
            model.entitiesByName["Firm"]?.relationshipsByName["staff"]?.inverseRelationship = loose
        }
        Self.expectRefusal(result)
    }

    @Test("LC25: So does moving an entity of a model in use to another model")
    func moving() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let model = ModelFreezingTests.frozenFirms()
            NSManagedObjectModel().entities = model.entities
        }
        Self.expectRefusal(result)
    }

    @Test("A copy of a frozen model can be changed and resolves to the same schema")
    func copying() throws {
        let model = Self.frozenFirms()
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        #expect(try copy.schema() == model.schema())
        #expect(!copy.isFrozen)
        let firm = try #require(copy.entitiesByName["Firm"]), person = try #require(copy.entitiesByName["Person"])
        #expect(firm !== model.entitiesByName["Firm"])
        #expect(firm.relationshipsByName["staff"]?.destinationEntity === person)
        #expect(firm.relationshipsByName["staff"]?.inverseRelationship === person.relationshipsByName["employer"])
        #expect(firm.superentity === copy.entitiesByName["Party"])
        #expect(firm.indexes.first?.elements.first?.property === firm.attributesByName["founded"])
        firm.attributesByName["founded"]?.isOptional = false
        #expect(model.entitiesByName["Firm"]?.attributesByName["founded"]?.isOptional == true)
        #expect(try copy.resolved().entity(named: "Firm")?.property(named: "founded")?.isOptional == false)
    }

    @Test("Copies of an entity and of a property belong to nothing and can be changed")
    func copyingParts() throws {
        let model = Self.frozenFirms()
        let party = try #require(model.entitiesByName["Party"]?.copy() as? NSEntityDescription)
        #expect(party.subentities.map(\.name) == ["Person", "Firm"] && party.superentity == nil && party.owningModel == nil)
        party.name = "Group"
        let age = try #require(model.entitiesByName["Person"]?.attributesByName["age"]?.copy() as? NSAttributeDescription)
        #expect(age.defaultValue as? Int == 7 && age.attributeType == .integer16AttributeType && age.owningEntity == nil)
        age.name = "years"
    }
}
