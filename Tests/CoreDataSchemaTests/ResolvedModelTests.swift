import CoreDataSchema
import CoreDataTestSupport
import Testing

@Suite("Resolved models")
struct ResolvedModelTests {
    private func resolve(_ build: (inout ModelSchema) -> Void) throws -> ResolvedModel {
        var schema = ModelSchema()
        build(&schema)
        return try ResolvedModel(schema)
    }

    private func error(_ build: (inout ModelSchema) -> Void) -> ModelError? {
        var schema = ModelSchema()
        build(&schema)
        do {
            _ = try ResolvedModel(schema)
            return nil
        } catch { return error }
    }

    @Test("Entities are numbered depth-first over the forest, siblings by name without regard to case")
    func entityOrder() throws {
        let model = try resolve {
            $0.add("zebra")
            $0.add("beta", parent: "Root")
            $0.add("Root")
            $0.add("Alpha", parent: "Root")
            $0.add("leaf", parent: "Alpha")
            $0.add("apple")
            $0.add("Gamma", parent: "Root")
        }
        #expect(model.entities.map(\.name) == ["apple", "Root", "Alpha", "leaf", "beta", "Gamma", "zebra"])
        #expect(model.entities.map(\.index) == Array(0..<7))
        #expect(model.entities.map(\.rootIndex) == [0, 1, 1, 1, 1, 1, 6])
        #expect(model.entities.map(\.lastDescendant) == [0, 5, 3, 3, 4, 5, 6])
        #expect(model.entities.map(\.superIndex) == [nil, nil, 1, 2, 1, 1, nil])
        #expect(model.entities[1].subentities == [2, 4, 5])
        #expect(model.entity(named: "Root")?.hasSubentities == true)
        #expect(model.entity(named: "root") == nil)
    }

    @Test("includes says whose rows are rows of an entity too")
    func includes() throws {
        let model = try resolve {
            $0.add("A")
            $0.add("B", parent: "A")
            $0.add("C", parent: "B")
            $0.add("D")
        }
        let (a, b, c, d) = (model.entities[0], model.entities[1], model.entities[2], model.entities[3])
        #expect([a, b, c, d].map { a.includes($0.index) } == [true, true, true, false])
        #expect([a, b, c, d].map { b.includes($0.index) } == [false, true, true, false])
        #expect([a, b, c, d].map { c.includes($0.index) } == [false, false, true, false])
    }

    @Test("Slots: inherited first, then attributes, relationships, fetched properties, each by name without regard to case")
    func slots() throws {
        let fetched = FetchedPropertySchema(name: "afetched", request: FetchTemplateSchema(name: "", entityName: "Base"))
        let model = try resolve {
            $0.add("Base", attributes: [.optional("zulu", .string), .optional("Alpha", .string), .optional("beta", .date)],
                   relationships: [.toMany("bases", "Base"), .toOne("another", "Base")])
            $0.add("Sub", parent: "Base", attributes: [.optional("aaa", .string)], relationships: [.toOne("aab", "Base")])
            $0.entities[1].fetchedProperties = [fetched]
        }
        #expect(model.entities[0].properties.map(\.name) == ["Alpha", "beta", "zulu", "another", "bases"])
        #expect(model.entities[1].properties.map(\.name) == ["Alpha", "beta", "zulu", "another", "bases", "aaa", "aab", "afetched"])
        for entity in model.entities {
            #expect(entity.properties.map(\.slot) == Array(entity.properties.indices))
            #expect(entity.properties.allSatisfy { entity.slotByName[$0.name] == $0.slot })
        }
        #expect(model.entities[1].properties.map(\.declaringEntity) == [0, 0, 0, 0, 0, 1, 1, 1])
        #expect(model.entities[1].properties.map(\.storage) == [.string, .date, .string, .toOne, .toMany, .string, .toOne, .fetched])
        #expect(model.entities[1].properties.map(\.isStored) == [true, true, true, true, false, true, true, false])
    }

    @Test("Names that differ only in case are ordered by bytes")
    func caseTies() throws {
        let model = try resolve { $0.add("E", attributes: [.optional("name", .string), .optional("Name", .string), .optional("nAme", .string)]) }
        #expect(model.entities[0].properties.map(\.name) == ["Name", "nAme", "name"])
        #expect(ModelResolution.precedes("a", "B"))
        #expect(!ModelResolution.precedes("B", "a"))
        #expect(ModelResolution.precedes("A", "a"))
        #expect(!ModelResolution.precedes("a", "a"))
    }

    @Test("Inverses are found by name at the destination, inherited ones at the entity that declares them")
    func inverses() throws {
        let model = try resolve {
            $0.add("Dept", relationships: [.toMany("people", "Manager", inverse: "dept")])
            $0.add("Person", relationships: [.toOne("dept", "Dept", inverse: "people"), .toOne("alone", "Dept")])
            $0.add("Manager", parent: "Person")
        }
        let people = try #require(model.entity(named: "Dept")?.property(named: "people")?.relationship)
        let person = try #require(model.entity(named: "Person"))
        let dept = try #require(person.property(named: "dept"))
        #expect(people.destination == model.indexByName["Manager"])
        #expect(people.inverse == PropertyReference(entity: person.index, slot: dept.slot))
        #expect(dept.relationship?.inverse == PropertyReference(entity: 0, slot: 0))
        let alone = try #require(person.property(named: "alone")?.relationship)
        #expect(alone.inverse == nil)
        #expect(model.entity(named: "Manager")?.property(named: "dept")?.slot == dept.slot)
    }

    @Test("Uniqueness constraints are inherited, as slots")
    func constraints() throws {
        let model = try resolve {
            $0.add("A", attributes: [.optional("code", .string), .optional("region", .string)], unique: [["region", "code"]])
            $0.add("B", parent: "A", attributes: [.optional("own", .string)], unique: [["own"]])
        }
        #expect(model.entities[0].uniquenessConstraints == [[1, 0]])
        #expect(Set(model.entities[1].uniquenessConstraints) == [[2], [1, 0]])
    }

    @Test("Each fault of a model is named")
    func errors() {
        #expect(error { $0.add("A"); $0.add("A") } == .duplicateEntity("A"))
        #expect(error { $0.add("A", parent: "B") } == .unknownSuperentity(entity: "A", name: "B"))
        #expect(error { $0.add("A", parent: "A") } == .inheritanceCycle(entity: "A"))
        #expect(error { $0.add("A", parent: "B"); $0.add("B", parent: "A"); $0.add("C") } == .inheritanceCycle(entity: "A"))
        #expect(error { $0.add("A", attributes: [.optional("x", .string), .optional("x", .date)]) } == .duplicateProperty(entity: "A", property: "x"))
        #expect(error { $0.add("A", attributes: [.optional("x", .string)], relationships: [.toOne("x", "A")]) } == .duplicateProperty(entity: "A", property: "x"))
        #expect(error {
            $0.add("A", attributes: [.optional("x", .string)])
            $0.add("B", parent: "A", attributes: [.optional("x", .string)])
        } == .duplicateProperty(entity: "B", property: "x"))
        #expect(error { $0.add("A", relationships: [.toOne("x", "B")]) } == .unknownDestination(entity: "A", relationship: "x", destination: "B"))
        #expect(error { $0.add("A", relationships: [.toOne("x", "A", inverse: "y")]) } == .unknownInverse(entity: "A", relationship: "x", inverse: "y"))
        // An attribute is no inverse.
        #expect(error { $0.add("A", attributes: [.optional("y", .string)], relationships: [.toOne("x", "A", inverse: "y")]) }
            == .unknownInverse(entity: "A", relationship: "x", inverse: "y"))
        #expect(error { $0.add("A", unique: [["code"]]) } == .unknownConstraintProperty(entity: "A", property: "code"))
        #expect(error {
            $0.add("A")
            $0.entities[0].indexes = [FetchIndexSchema(name: "i", elements: [FetchIndexElementSchema(propertyName: "code")])]
        } == .unknownConstraintProperty(entity: "A", property: "code"))
        #expect(error {
            var attribute = AttributeSchema.optional("x", .composite)
            attribute.compositeName = "Address"
            $0.add("A", attributes: [attribute])
        } == .unknownComposite(entity: "A", attribute: "x", composite: "Address"))
        #expect(error { $0.add("A"); $0.configurations = [ConfigurationSchema(name: "Cloud", entityNames: ["A", "B"])] }
            == .unknownConfigurationEntity(configuration: "Cloud", entity: "B"))
    }

    @Test("An empty model is a model")
    func empty() throws { #expect(try resolve { _ in }.entities.isEmpty) }

    @Test("DD03: values are equal by code units, NaN equals itself, kinds stay apart")
    func values() {
        #expect(AttributeValue.string("\u{e9}") != .string("e\u{301}"))
        #expect(AttributeValue.string("a") == .string("a"))
        #expect(AttributeValue.real(.nan) == .real(.nan))
        #expect(AttributeValue.decimal(.nan) == .decimal(.nan))
        #expect(AttributeValue.integer(1) != .real(1))
        #expect(AttributeValue.null == .null)
        #expect(AttributeValue.composite(["a": .null]) != .composite([:]))
        #expect(Set([AttributeValue.string("\u{e9}"), .string("e\u{301}"), .string("\u{e9}")]).count == 2)
    }
}
