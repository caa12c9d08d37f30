import CoreData
import CoreDataPredicate
import CoreDataSchema
import Testing

@Suite("Predicates in models")
struct ModelPredicateTests {
    @Test("Validation predicates set in code keep their tree and print into the schema")
    func built() throws {
        let age = ModelSamples.attribute("age", .integer32AttributeType)
        age.setValidationPredicates(
            [NSPredicate(format: "SELF >= %@", 0), NSPredicate(format: "SELF <= 150")],
            withValidationWarnings: [NSValidationNumberTooSmallError, "Nobody is that old"])
        #expect(age.validationPredicates.count == 2)
        #expect(age.validationWarnings.first as? Int == 1620 && age.validationWarnings.last as? String == "Nobody is that old")
        let model = NSManagedObjectModel()
        model.entities = [ModelSamples.entity("Person", [age])]
        let rules = try #require(model.schema().entities[0].attributes.first?.validationRules)
        #expect(rules == [
            ValidationRule(predicateFormat: "SELF >= 0", warning: .code(1620)),
            ValidationRule(predicateFormat: "SELF <= 150", warning: .text("Nobody is that old")),
        ])
        #expect(try age.validations[0].tree() == PredicateFormat.parse("SELF >= 0"))
        #expect(age.validationPredicates[0].evaluate(with: 3) && !age.validationPredicates[0].evaluate(with: -1))
        age.setValidationPredicates(nil, withValidationWarnings: nil)
        #expect(age.validationPredicates.isEmpty)
    }

    @Test("Validation predicates of a file stay its text, and a text that is no predicate is reported when asked for")
    func declared() throws {
        var attribute = AttributeSchema(name: "a", type: .string)
        attribute.validationRules = [
            ValidationRule(predicateFormat: "length  >=  2", warning: .code(1670)),
            ValidationRule(predicateFormat: "no (predicate", warning: .code(1550)),
        ]
        var entity = EntitySchema(name: "E")
        entity.attributes = [attribute]
        var schema = ModelSchema()
        schema.entities = [entity]
        let model = NSManagedObjectModel(schema: schema)
        #expect(try model.schema() == schema)
        let built = try #require(model.entities[0].attributesByName["a"])
        #expect(try built.validations[0].tree() == PredicateFormat.parse("length >= 2"))
        #expect(throws: PredicateFormatError.self) { try built.validations[1].tree() }
        #expect(built.validationPredicates[1].evaluate(with: "x") == false)
    }

    @Test("Warnings that are missing count as the generic code")
    func missingWarnings() {
        let attribute = ModelSamples.attribute("a", .stringAttributeType)
        attribute.setValidationPredicates([NSPredicate(value: true)], withValidationWarnings: nil)
        #expect(attribute.validationWarnings.first as? Int == 1550)
    }

    @Test("Templates of a file become requests for the model's entity, one of its own for each caller")
    func templates() throws {
        var template = FetchTemplateSchema(name: "adults", entityName: "Person")
        template.predicateFormat = "age >= $AGE AND name == $NAME"
        template.sortKeys = [SortKeySchema(keyPath: "name", isAscending: false)]
        template.fetchLimit = 5
        template.returnsDistinctResults = true
        template.resultType = 2
        var schema = try ModelSamples.firms().schema()
        schema.fetchTemplates = [template]
        let model = NSManagedObjectModel(schema: schema)
        #expect(try model.schema() == schema)
        let request = try #require(model.fetchRequestTemplate(forName: "adults"))
        #expect(request.entity === model.entitiesByName["Person"] && request.fetchLimit == 5 && request.returnsDistinctResults)
        #expect(request.resultType == .dictionaryResultType)
        #expect(request.sortDescriptors?.first?.ascending == false && request.sortDescriptors?.first?.key == "name")
        request.fetchLimit = 1
        #expect(model.fetchRequestTemplate(forName: "adults")?.fetchLimit == 5)
        let filled = try #require(model.fetchRequestFromTemplate(
            withName: "adults", substitutionVariables: ["AGE": 18, "NAME": NSNull()]))
        #expect(try filled.predicate?.tree == PredicateFormat.parse("age >= 18 AND name == nil"))
        #expect(model.fetchRequestFromTemplate(withName: "nope", substitutionVariables: [:]) == nil)
        #expect(model.fetchRequestTemplatesByName.keys.sorted() == ["adults"])
    }

    @Test("A request set as a template is kept as it is then, and prints into the schema")
    func settingTemplates() throws {
        let model = ModelSamples.firms()
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Firm")
        request.predicate = NSPredicate(format: "name BEGINSWITH[c] %@", "a")
        request.sortDescriptors = [NSSortDescriptor(key: "founded", ascending: true)]
        model.setFetchRequestTemplate(request, forName: "a")
        request.predicate = nil
        let schema = try #require(model.schema().fetchTemplates.first)
        #expect(schema.entityName == "Firm" && schema.predicateFormat == "name BEGINSWITH[c] \"a\"")
        #expect(schema.sortKeys == [SortKeySchema(keyPath: "founded", isAscending: true)])
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        #expect(try copy.schema() == model.schema())
        model.setFetchRequestTemplate(nil, forName: "a")
        #expect(model.fetchRequestTemplatesByName.isEmpty)
    }

    @Test("Fetched properties and derived attributes of code become schemas and come back")
    func fetchedAndDerived() throws {
        let model = ModelSamples.firms()
        let firm = try #require(model.entitiesByName["Firm"])
        let fetched = NSFetchedPropertyDescription()
        fetched.name = "namesakes"
        let request = NSFetchRequest<NSFetchRequestResult>()
        request.entity = model.entitiesByName["Person"]
        fetched.fetchRequest = request
        request.predicate = NSPredicate(format: "name == $FETCH_SOURCE.name")
        let derived = NSDerivedAttributeDescription()
        derived.name = "headcount"
        derived.attributeType = .integer64AttributeType
        derived.derivationExpression = NSExpression(format: "staff.@count")
        firm.properties += [fetched, derived]
        let schema = try model.schema()
        let declared = try #require(schema.entity(named: "Firm"))
        #expect(declared.fetchedProperties.first?.request.predicateFormat == "name == $FETCH_SOURCE.name")
        #expect(declared.fetchedProperties.first?.request.entityName == "Person")
        #expect(declared.attributes.last?.derivationFormat == "staff.@count")
        let back = NSManagedObjectModel(schema: schema)
        #expect(try back.schema() == schema)
        let again = try #require(back.entitiesByName["Firm"]?.propertiesByName["headcount"] as? NSDerivedAttributeDescription)
        #expect(again.derivationExpression?.keyPath == "staff.@count")
        _ = try back.resolved()
    }

    @Test("Partial indexes and index expressions survive both ways")
    func indexes() throws {
        let model = ModelSamples.firms()
        let firm = try #require(model.entitiesByName["Firm"])
        let computed = NSExpressionDescription()
        computed.name = "lower"
        computed.expression = NSExpression(format: "lowercase:(name)")
        let index = NSFetchIndexDescription(name: "byLower", elements: [
            NSFetchIndexElementDescription(property: computed, collationType: .binary)
        ])
        index.partialIndexPredicate = NSPredicate(format: "founded != nil")
        firm.indexes.append(index)
        let schema = try model.schema()
        #expect(schema.entity(named: "Firm")?.indexes.last?.elements.first?.expressionFormat == "lowercase:(name)")
        #expect(schema.entity(named: "Firm")?.indexes.last?.partialPredicateFormat == "founded != nil")
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        #expect(try copy.schema() == schema)
        #expect(try NSManagedObjectModel(schema: schema).schema() == schema)
    }
}
