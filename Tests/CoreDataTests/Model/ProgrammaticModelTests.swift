import CoreData
import CoreDataSchema
import Testing

@Suite("Models built in code")
struct ProgrammaticModelTests {
    @Test("Entities inherit properties, look them up by name, and find their relatives")
    func inheritance() throws {
        let model = ModelSamples.firms()
        let person = try #require(model.entitiesByName["Person"])
        let firm = try #require(model.entitiesByName["Firm"])
        let party = try #require(person.superentity)
        #expect(party.name == "Party")
        #expect(Set(person.propertiesByName.keys) == ["name", "age", "employer"])
        #expect(person.attributesByName["name"] === party.attributesByName["name"])
        #expect(person.attributesByName["name"]?.entity === party)
        #expect(person.relationshipsByName.count == 1)
        #expect(person.isKindOf(entity: party) && !party.isKindOf(entity: person))
        #expect(party.subentitiesByName["Firm"] === firm)
        #expect(person.relationships(forDestination: firm).map(\.name) == ["employer"])
        #expect(person.managedObjectModel === model)
        #expect(party.managedObjectClassName == "NSManagedObject")
    }

    @Test("Appending to properties keeps the inherited ones where they are declared")
    func appendingOwnProperties() throws {
        let model = ModelSamples.firms()
        let firm = try #require(model.entitiesByName["Firm"])
        firm.properties.append(ModelSamples.attribute("size", .integer32AttributeType))
        #expect(firm.properties.map(\.name) == ["name", "founded", "staff", "size"])
        let resolved = try model.resolved()
        #expect(resolved.entity(named: "Firm")?.properties.map(\.name) == ["name", "founded", "size", "staff"])
    }

    @Test("Setting one side of an inverse sets the other, and clearing it clears both")
    func inverses() throws {
        let a = ModelSamples.entity("A"), b = ModelSamples.entity("B")
        let toB = ModelSamples.relationship("b", to: b, max: 1), toA = ModelSamples.relationship("a", to: a, max: 0)
        toB.inverseRelationship = toA
        #expect(toA.inverseRelationship === toB)
        let other = ModelSamples.relationship("other", to: a, max: 0)
        toB.inverseRelationship = other
        #expect(toA.inverseRelationship == nil && other.inverseRelationship === toB)
        toB.inverseRelationship = nil
        #expect(other.inverseRelationship == nil)
    }

    @Test("Defaults are Apple's: optional, unlimited to-many, nullify, undefined type")
    func defaults() {
        let relationship = NSRelationshipDescription(), attribute = NSAttributeDescription()
        #expect(relationship.isOptional && relationship.maxCount == 0 && relationship.minCount == 0 && relationship.isToMany)
        #expect(relationship.deleteRule == .nullifyDeleteRule && !relationship.isOrdered)
        #expect(attribute.isOptional && !attribute.isTransient && attribute.attributeType == .undefinedAttributeType)
        #expect(attribute.defaultValue == nil && attribute.attributeValueClassName == nil)
        attribute.name = "x"
        #expect(attribute.renamingIdentifier == "x")
        attribute.type = .date
        #expect(attribute.attributeType == .dateAttributeType && attribute.attributeValueClassName == "NSDate")
    }

    @Test("Type and rule numbers are Apple's and agree with the schema's", arguments: AttributeType.allCases)
    func numbers(type: AttributeType) {
        #expect(NSAttributeType(type).rawValue == UInt(type.rawValue))
        #expect(NSAttributeType(type).schemaType == type)
        #expect(NSDeleteRule.noActionDeleteRule.rawValue == 0 && NSDeleteRule.denyDeleteRule.rawValue == 3)
    }

    @Test("A model resolves into entity indices that the descriptions know")
    func resolution() throws {
        let model = ModelSamples.firms()
        let resolved = try model.resolved()
        #expect(try model.resolved() === resolved)
        for entity in resolved.entities {
            #expect(model.entity(at: entity.index).name == entity.name)
            #expect(model.entity(at: entity.index).resolvedEntity === entity)
            for property in entity.properties {
                #expect(model.entity(at: entity.index).propertiesByName[property.name]?.name == property.name)
            }
        }
        let staff = try #require(resolved.entity(named: "Firm")?.property(named: "staff")?.relationship)
        #expect(staff.schema.minCount == 2 && staff.isOrdered && staff.schema.deleteRule == .cascade)
        #expect(staff.inverse?.entity == resolved.indexByName["Person"])
    }

    @Test("Configurations name subsets; nil and the framework's own name are all entities")
    func configurations() {
        let model = ModelSamples.firms()
        #expect(model.configurations == ["Firms"])
        #expect(model.entities(forConfigurationName: "Firms")?.map(\.name) == ["Firm"])
        #expect(model.entities(forConfigurationName: nil)?.count == 3)
        #expect(model.entities(forConfigurationName: "PF_DEFAULT_CONFIGURATION_NAME")?.count == 3)
        #expect(model.entities(forConfigurationName: "Nope") == nil)
    }

    @Test("An unsound model throws what is wrong and stays changeable", arguments: [
        ("name", "entity without a name"), ("property", "property without a name"), ("destination", "no destination entity"),
        ("default", "Unacceptable type of value for attribute"), ("composite", "not an NSCompositeAttributeDescription"),
        ("expression", "NSExpressionDescription"), ("constraint", "names “nope”"), ("fetched", "no fetch request"),
    ] as [(String, String)])
    func unsound(fault: String, text: String) throws {
        let model = ModelSamples.firms()
        let firm = try #require(model.entitiesByName["Firm"])
        switch fault {
        case "name": firm.name = nil
        case "property": firm.properties.append(NSAttributeDescription())
        case "destination": firm.relationshipsByName["staff"]?.destinationEntity = nil
        case "default": firm.attributesByName["founded"]?.defaultValue = "yesterday"
        case "composite": firm.properties.append(ModelSamples.attribute("place", .compositeAttributeType))
        case "expression":
            let expression = NSExpressionDescription()
            expression.name = "sum"
            firm.properties.append(expression)
        case "constraint": firm.uniquenessConstraints = [["nope"]]
        default:
            let fetched = NSFetchedPropertyDescription()
            fetched.name = "found"
            firm.properties.append(fetched)
        }
        let error = try #require(throws: (any Error).self) { try model.resolved() }
        #expect("\(error)".contains(text), "\(error)")
        #expect(!model.isFrozen)
        let translated = ErrorTranslation.error(error)
        #expect(translated.domain == NSCocoaErrorDomain && translated.localizedDescription.contains(text))
    }

    @Test("Two models with one entity name do not know of each other")
    func severalModels() throws {
        let first = ModelSamples.firms(), second = ModelSamples.firms()
        _ = try first.resolved()
        #expect(first.entitiesByName["Firm"] !== second.entitiesByName["Firm"])
        second.entitiesByName["Firm"]?.isAbstract = true
        #expect(first.entitiesByName["Firm"]?.isAbstract == false)
    }

    @Test("An entity outlives its model without a dangling reference")
    func entityOutlivesModel() {
        var model: NSManagedObjectModel? = ModelSamples.firms()
        let firm = model?.entitiesByName["Firm"]
        model = nil
        #expect(firm?.name == "Firm" && firm?.owningModel == nil && firm?.superentity == nil)
    }
}
