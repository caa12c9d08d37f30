import CoreData
import CoreDataModelFile
import CoreDataSchema
import CoreDataTestSupport
import Testing

@Suite("Schemas and descriptions")
struct ModelRoundTripTests {
    @Test("Every readable model of the corpus comes back from descriptions and from their copies as it was")
    func corpus() throws {
        let urls = Corpus.models()
        guard !urls.isEmpty else { return }
        var versions = 0, files = 0
        for url in urls {
            guard let contents = try? ModelFile.read(at: url) else { continue }
            files += 1
            for (name, schema) in contents.versions.sorted(by: { $0.key < $1.key }).suffix(4) {
                let model = NSManagedObjectModel(contents, version: name, url: url)
                let back = try model.schema()
                #expect(back == schema, "\(url.path) \(name): \(Self.firstDifference(schema, back))")
                let copy = try #require(model.copy() as? NSManagedObjectModel)
                #expect(try copy.schema() == schema, "\(url.path) \(name), copied")
                guard !schema.entities.isEmpty, (try? ResolvedModel(schema)) != nil else { continue }
                let resolved = try model.resolved()
                #expect(model.entity(at: 0).resolvedEntity === resolved.entities[0])
                #expect(model.entities.allSatisfy { $0.isFrozen })
                versions += 1
            }
        }
        print("Models converted both ways: \(versions) versions of \(files) files (of \(urls.count))")
        #expect(versions > 0)
    }

    private static func firstDifference(_ a: ModelSchema, _ b: ModelSchema) -> String {
        for (left, right) in zip(a.entities, b.entities) where left != right { return "\(left)\n≠\n\(right)" }
        return "\(a.composites) \(a.configurations) \(a.fetchTemplates) \(a.versionIdentifiers) ≠ \(b.composites) \(b.configurations) \(b.fetchTemplates) \(b.versionIdentifiers)"
    }

    @Test("Default values keep their type both ways", arguments: [
        (.integer16, .integer(-3)), (.integer64, .integer(.max)), (.boolean, .integer(1)),
        (.boolean, .integer(0)), (.double, .real(0.1)), (.float, .real(Double(Float(0.1)))), (.date, .real(12.5)),
        (.decimal, .decimal(Decimal(string: "12.340")!)), (.string, .string("")), (.uri, .string("https://example.org/a")),
        (.uuid, .uuid(UUID())), (.binary, .data(Data([1, 2]))), (.transformable, .object(OpaqueObject(NSArray(object: "a")))),
    ] as [(AttributeType, AttributeValue)])
    func defaults(type: AttributeType, value: AttributeValue) throws {
        var entity = EntitySchema(name: "E")
        var attribute = AttributeSchema(name: "a", type: type)
        attribute.defaultValue = value
        entity.attributes = [attribute]
        var schema = ModelSchema()
        schema.entities = [entity]
        let model = NSManagedObjectModel(schema: schema)
        #expect(try model.schema() == schema)
        let object = try #require(model.entities[0].attributesByName["a"]?.defaultValue)
        switch type {
        case .integer16, .integer64: #expect((object as? Int64).map(AttributeValue.integer) == value)
        case .boolean: #expect((object as? Bool) == (value == .integer(1)))
        case .double: #expect(object as? Double == 0.1)
        case .float: #expect(object as? Float == 0.1)
        case .date: #expect(object as? Date == Date(timeIntervalSinceReferenceDate: 12.5))
        case .decimal: #expect(object as? Decimal == Decimal(string: "12.34") && object is NSDecimalNumber)
        case .string: #expect(object as? String == "")
        case .uri: #expect(object as? URL == URL(string: "https://example.org/a"))
        case .uuid: #expect(object is UUID)
        case .binary: #expect(object as? Data == Data([1, 2]))
        default: #expect(object as? NSArray == ["a"])
        }
    }

    @Test("Swift's own numbers, optionals and NSNull are taken for defaults", arguments: [
        (Int8(3), .integer(3)), (UInt32(3), .integer(3)), (3.0, .integer(3)), (Optional(3), .integer(3)),
        (Optional<Int>.none, .null), (NSNumber(value: 3), .integer(3)), (Decimal(3), .integer(3)),
    ] as [(any Sendable, AttributeValue)])
    func numbers(object: any Sendable, value: AttributeValue) {
        #expect(AttributeValue(object: object, type: .integer32) == value)
        #expect(AttributeValue(object: NSNull(), type: .integer32) == .null)
    }

    @Test("A value of another kind does not fit", arguments: [
        ("3", .integer32), (3, .string), ("x", .date), (Date(), .uuid), ("https://a.b", .uri), (1, .binary),
    ] as [(any Sendable, AttributeType)])
    func misfits(object: any Sendable, type: AttributeType) {
        #expect(AttributeValue(object: object, type: type) == nil)
    }

    @Test("Composites keep their elements, nested ones too, and get names where code gives none")
    func composites() throws {
        let inner = NSCompositeAttributeDescription()
        inner.name = "at"
        inner.elements = [ModelSamples.attribute("when", .dateAttributeType)]
        let place = NSCompositeAttributeDescription()
        place.name = "place"
        place.elements = [ModelSamples.attribute("x", .doubleAttributeType), ModelSamples.attribute("flag", .booleanAttributeType), inner]
        let moment = Date(timeIntervalSinceReferenceDate: 5)
        place.defaultValue = ["x": 1.5, "flag": true, "at": ["when": moment]] as [String: Any]
        let model = NSManagedObjectModel()
        model.entities = [ModelSamples.entity("Stop", [place])]
        let schema = try model.schema()
        #expect(schema.composites.map(\.name) == ["Stop.at", "Stop.place"])
        #expect(schema.entities[0].attributes[0].compositeName == "Stop.place")
        let back = NSManagedObjectModel(schema: schema)
        #expect(try back.schema() == schema)
        let value = try #require(back.entities[0].attributesByName["place"]?.defaultValue as? [String: Any])
        #expect(value["x"] as? Double == 1.5 && value["flag"] as? Bool == true)
        #expect((value["at"] as? [String: Any])?["when"] as? Date == moment)
        place.defaultValue = ["y": 1]
        #expect(throws: ModelDescriptionError.self) { try model.schema() }
        _ = try back.resolved()
    }

    @Test("Version hashes of a model built in code are those of the same model declared")
    func hashes() throws {
        let model = ModelSamples.firms()
        let schema = try model.schema()
        let hashes = try VersionHash.entityHashes(of: schema)
        #expect(model.entityVersionHashesByName == hashes.mapValues { Data($0) })
        #expect(model.entitiesByName["Firm"]?.versionHash == hashes["Firm"].map { Data($0) })
        #expect(model.versionChecksum == VersionHash.checksum(hashes))
        #expect(model.entitiesByName["Firm"]?.attributesByName["founded"]?.versionHash.count == 32)
        let stored: [String: Any] = [NSStoreModelVersionHashesKey: model.entityVersionHashesByName]
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: stored))
        #expect(!model.isConfiguration(withName: "Firms", compatibleWithStoreMetadata: stored))
        #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: [:]))
        let part: [String: Any] = [NSStoreModelVersionHashesKey: model.entityVersionHashesByName.filter { $0.key == "Firm" }]
        #expect(model.isConfiguration(withName: "Firms", compatibleWithStoreMetadata: part))
        model.entitiesByName["Person"]?.attributesByName["age"]?.isOptional = false
        #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: stored))
    }

    @Test("User info keeps what is no text, and only texts go into the schema")
    func userInfo() throws {
        let model = ModelSamples.firms()
        let firm = try #require(model.entitiesByName["Firm"])
        firm.userInfo = ["a": "b", "n": 3, 4: "c"]
        #expect(try model.schema().entity(named: "Firm")?.userInfo == ["a": "b"])
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        #expect(copy.entitiesByName["Firm"]?.userInfo?["n"] as? Int == 3)
    }
}
