import CoreData
import Foundation
import Testing

@Suite("API surface: models")
struct ModelSurfaceTests {
    @Test("Entities and properties are described, read and looked up as public code does it")
    func describing() throws {
        let model = SurfaceModel.make(), person = try #require(model.entitiesByName["SurfacePerson"])
        #expect(model.entities.count == 2 && model.configurations.contains("Tags") && model.entities(forConfigurationName: "Tags")?.count == 1)
        #expect(person.name == "SurfacePerson" && person.managedObjectClassName == NSStringFromClass(SurfacePerson.self))
        #expect(String(describing: SurfacePerson.self) == person.name && NSClassFromString(NSStringFromClass(SurfacePerson.self)) == SurfacePerson.self)
        #expect(person.superentity == nil && person.subentities.isEmpty && person.subentitiesByName.isEmpty && !person.isAbstract)
        #expect(person.attributesByName["age"]?.attributeType == .integer16AttributeType && person.attributesByName["age"]?.defaultValue as? Int == 0)
        #expect(person.propertiesByName["draft"]?.isTransient == true && person.properties.first { $0.name == "age" }?.isOptional == false)
        #expect(person.userInfo?["origin"] as? String == "code" && person.indexes.first?.elements.first?.property?.name == "name")
        #expect(person.versionHash.count == 32 && model.entityVersionHashesByName["SurfacePerson"] == person.versionHash)
        let tags = try #require(person.relationshipsByName["tags"])
        #expect(tags.isToMany && !tags.isOrdered && tags.destinationEntity?.name == "SurfaceTag" && tags.inverseRelationship?.name == "people")
        #expect(tags.minCount == 0 && tags.maxCount == 0 && tags.deleteRule == .nullifyDeleteRule)
        #expect(person.attributesByName["photo"]?.allowsExternalBinaryDataStorage == true)
        #expect(person.attributesByName["notes"]?.valueTransformerName?.isEmpty == false && person.attributesByName["notes"]?.attributeValueClassName == "NSArray")
        #expect(person.versionHashModifier == "1" && person.renamingIdentifier == "Person" && model.entitiesByName["SurfaceTag"]?.uniquenessConstraints.count == 1)
    }

    @Test("Types of attributes and delete rules have Apple's names")
    func types() {
        let types: [NSAttributeType] = [
            .undefinedAttributeType, .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .decimalAttributeType, .doubleAttributeType,
            .floatAttributeType, .stringAttributeType, .booleanAttributeType, .dateAttributeType, .binaryDataAttributeType, .UUIDAttributeType,
            .URIAttributeType, .transformableAttributeType, .objectIDAttributeType, .compositeAttributeType,
        ]
        #expect(types.map(\.rawValue) == [0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 1000, 1100, 1200, 1800, 2000, 2100])
        let rules: [NSDeleteRule] = [.noActionDeleteRule, .nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule]
        #expect(rules.map(\.rawValue) == [0, 1, 2, 3])
    }

    @Test("Fetched properties, derived attributes, expressions and merged models")
    func others() {
        let fetched = NSFetchedPropertyDescription(), derived = NSDerivedAttributeDescription(), expression = NSExpressionDescription()
        fetched.name = "friends"
        fetched.fetchRequest = NSFetchRequest<NSFetchRequestResult>(entityName: "SurfacePerson")
        derived.name = "tagCount"
        derived.attributeType = .integer64AttributeType
        derived.derivationExpression = NSExpression(format: "tags.@count")
        expression.name = "oldest"
        expression.expression = NSExpression(forFunction: "max:", arguments: [NSExpression(forKeyPath: "age")])
        expression.expressionResultType = .integer64AttributeType
        #expect(derived.derivationExpression != nil && expression.expression != nil && fetched.fetchRequest != nil)
        let merged = NSManagedObjectModel(byMerging: [SurfaceModel.make(), NSManagedObjectModel()])
        #expect(merged?.entities.count == 2)
    }

    @Test("Value transformers are registered by name")
    func transformers() {
        final class Upper: NSSecureUnarchiveFromDataTransformer {
            static let name = NSValueTransformerName(rawValue: "SurfaceUpper")
        }
        ValueTransformer.setValueTransformer(Upper(), forName: Upper.name)
        #expect(ValueTransformer(forName: Upper.name) is Upper && ValueTransformer.valueTransformerNames().contains(Upper.name))
    }
}
