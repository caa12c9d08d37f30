import CoreDataModelFile
import CoreDataSchema
import Foundation
import Testing

@Suite("Reading a model's XML")
struct XMLModelReaderTests {
    private func attribute(_ traits: String) throws -> AttributeSchema {
        let model = try TemporaryModel.read(#"<entity name="E"><attribute name="a" \#(traits)/></entity>"#).current
        return try #require(model.entities.first?.attributes.first)
    }

    @Test("Every attribute type by its name in the file", arguments: [
        ("Integer 16", AttributeType.integer16), ("Integer 32", .integer32), ("Integer 64", .integer64), ("Decimal", .decimal),
        ("Double", .double), ("Float", .float), ("String", .string), ("Boolean", .boolean), ("Date", .date), ("Binary", .binary),
        ("UUID", .uuid), ("URI", .uri), ("Transformable", .transformable), ("ObjectID", .objectID),
    ])
    func types(name: String, type: AttributeType) throws {
        #expect(try attribute(#"attributeType="\#(name)""#).type == type)
    }

    @Test("Defaults become values of the attribute's type", arguments: [
        (#"attributeType="Integer 16" defaultValueString="-1""#, AttributeValue.integer(-1)),
        (#"attributeType="Integer 32" defaultValueString="0.0""#, .integer(0)),
        (#"attributeType="Integer 64" defaultValueString="NO""#, .integer(0)),
        (#"attributeType="Integer 64" defaultValueString="9223372036854775807""#, .integer(.max)),
        (#"attributeType="Boolean" defaultValueString="YES""#, .integer(1)),
        (#"attributeType="Boolean" defaultValueString="0.0""#, .integer(0)),
        (#"attributeType="Double" defaultValueString="1.5e3""#, .real(1500)),
        (#"attributeType="Float" defaultValueString="0.1""#, .real(Double(Float(0.1)))),
        (#"attributeType="Decimal" defaultValueString="0.1""#, .decimal(Decimal(1) / 10)),
        (#"attributeType="String" defaultValueString="""#, .string("")),
        (#"attributeType="String" defaultValueString="a &lt; b &amp; &quot;c&quot;&#10;d""#, .string("a < b & \"c\"\nd")),
        (#"attributeType="URI" defaultValueString="https://swift.org""#, .string("https://swift.org")),
        (#"attributeType="URI" defaultValueString="""#, .null),
        (#"attributeType="UUID" defaultValueString="E621E1F8-C36C-495A-93FC-0C247A3E6E5F""#,
         .uuid(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID())),
        (#"attributeType="Date" defaultDateTimeInterval="-978307200""#, .real(-978_307_200)),
        (#"attributeType="Date" defaultValueString="2001-01-02 00:00:01 +0100""#, .real(86_400 - 3600 + 1)),
        (#"attributeType="Integer 16""#, .null),
    ])
    func defaults(traits: String, expected: AttributeValue) throws {
        #expect(try attribute(traits).defaultValue == expected)
    }

    @Test("VA07: bounds become the predicates and codes of Apple's compiler", arguments: [
        (#"attributeType="Integer 16" minValueString="0" maxValueString="10""#, ["SELF >= 0": 1620, "SELF <= 10": 1610]),
        (#"attributeType="Double" maxValueString="4.5""#, ["SELF <= 4.5": 1610]),
        (#"attributeType="String" minValueString="2" maxValueString="4""#, ["length >= 2": 1670, "length <= 4": 1660]),
        (#"attributeType="String" regularExpressionString="\d&quot;[0-9]+""#, [#"SELF MATCHES "\\d\"[0-9]+""#: 1680]),
        (#"attributeType="Date" minDateTimeInterval="284000400" maxDateTimeInterval="602395200""#,
         ["timeIntervalSinceReferenceDate >= 284000400": 1640, "timeIntervalSinceReferenceDate <= 602395200": 1630]),
        (#"attributeType="Date" minValueString="2001-01-02 01:00:00""#, ["timeIntervalSinceReferenceDate >= 90000": 1640]),
        (#"attributeType="UUID""#, [:]),
    ])
    func bounds(traits: String, expected: [String: Int]) throws {
        let rules = try attribute(traits).validationRules
        #expect(rules.count == expected.count)
        for rule in rules { #expect(expected[rule.predicateFormat].map { .code($0) } == rule.warning, "\(rule)") }
    }

    @Test("Flags and names of an attribute")
    func attributeFlags() throws {
        let model = try TemporaryModel.read(#"""
            <!-- a comment --><entity name="E" unknown="1"><attribute name="a" optional="YES" transient="YES" attributeType="Transformable"
            usesScalarValueType="NO" valueTransformerName="T" customClassName="[Int64]" allowsExternalBinaryDataStorage="YES"
            preserveAfterDeletion="YES" allowsCloudEncryption="YES" spotlightIndexingEnabled="YES" indexed="YES" elementID="old"
            versionHashModifier="2" syncable="YES"><userInfo><entry key="k" value="v"/><entry key="empty"/></userInfo></attribute>
            <something/><attribute name="n" attributeType="Integer 64" derived="YES" derivationExpression="things.@count"/></entity>
            """#).current
        let attribute = model.entities[0].attributes[0], derived = model.entities[0].attributes[1]
        #expect(attribute.isOptional && attribute.isTransient && attribute.allowsExternalBinaryDataStorage)
        #expect(attribute.preservesValueInHistoryOnDeletion && attribute.allowsCloudEncryption)
        #expect(attribute.isIndexedBySpotlight && attribute.isIndexed && attribute.usesScalar == false)
        #expect(attribute.valueTransformerName == "T" && attribute.valueClassName == "[Int64]")
        #expect(attribute.renamingIdentifier == "old" && attribute.versionHashModifier == "2")
        #expect(attribute.userInfo == ["k": "v", "empty": ""])
        #expect(!derived.isOptional && derived.usesScalar == nil && derived.derivationFormat == "things.@count")
        #expect(model.versionIdentifiers == ["7"])
    }

    @Test("Entities, inheritance, configurations, composites, indexes and constraints")
    func entities() throws {
        let model = try TemporaryModel.read(#"""
            <entity name="Base" isAbstract="YES" representedClassName=".Base" elementID="Root" versionHashModifier="3" codeGenerationType="class">
                <attribute name="a" attributeType="String"/><attribute name="b" attributeType="Composite" composite="Point"/>
                <fetchIndex name="byA" partialIndexPredicate="a != nil"><fetchIndexElement property="a" type="Binary" order="descending"/>
                    <fetchIndexElement expression="length(a)" expressionType="Integer 64" type="RTree" order="ascending"/></fetchIndex>
                <compoundIndexes><compoundIndex><index value="a"/><index value="b"/></compoundIndex></compoundIndexes>
                <uniquenessConstraints><uniquenessConstraint><constraint value="a"/></uniquenessConstraint></uniquenessConstraints>
                <userInfo><entry key="k" value="v"/></userInfo>
            </entity>
            <entity name="Sub" parentEntity="Base" representedClassName="NSManagedObject"/>
            <composite name="Point"><attribute name="x" attributeType="Double"/></composite>
            <configuration name="Cloud"><memberEntity name="Sub"/></configuration>
            """#).current
        let base = model.entities[0]
        #expect(base.isAbstract && base.className == ".Base" && base.codeGeneration == .classDefinition)
        #expect(base.renamingIdentifier == "Root" && base.versionHashModifier == "3" && base.userInfo == ["k": "v"])
        #expect(base.indexes == [FetchIndexSchema(name: "byA", elements: [
            FetchIndexElementSchema(propertyName: "a", isAscending: false),
            FetchIndexElementSchema(propertyName: nil, expressionFormat: "length(a)", isRTree: true),
        ], partialPredicateFormat: "a != nil")])
        #expect(base.compoundIndexes == [["a", "b"]] && base.uniquenessConstraints == [["a"]])
        #expect(model.entities[1].superentityName == "Base" && model.entities[1].className == nil)
        #expect(model.composites.first?.elements.map(\.name) == ["x"])
        #expect(model.configurations == [ConfigurationSchema(name: "Cloud", entityNames: ["Sub"])])
    }

    @Test("Relationships: counts, rules, order and inverses")
    func relationships() throws {
        let model = try TemporaryModel.read(#"""
            <entity name="E">
                <relationship name="one" maxCount="1" deletionRule="Deny" destinationEntity="E" inverseName="many" inverseEntity="E"/>
                <relationship name="many" optional="YES" toMany="YES" ordered="YES" deletionRule="No Action" destinationEntity="E" inverseName="one" inverseEntity="E"/>
                <relationship name="some" toMany="YES" minCount="1" maxCount="9" deletionRule="Cascade" destinationEntity="E" transient="YES"/>
            </entity>
            """#).current
        let list = model.entities[0].relationships
        #expect(list.map(\.maxCount) == [1, 0, 9] && list.map(\.minCount) == [0, 0, 1])
        #expect(list.map(\.deleteRule) == [.deny, .noAction, .cascade])
        #expect(list.map(\.isOrdered) == [false, true, false] && list.map(\.isTransient) == [false, false, true])
        #expect(list[0].inverseName == "many" && list[0].inverseEntityName == "E" && list[2].inverseName == nil)
    }

    @Test("Fetch templates and fetched properties keep their predicates and flags")
    func templates() throws {
        let model = try TemporaryModel.read(#"""
            <entity name="E"><attribute name="n" attributeType="String"/><fetchedProperty name="f" optional="YES">
                <fetchRequest name="fetchedPropertyFetchRequest" entity="E" predicateString="n == $FETCH_SOURCE.n"/></fetchedProperty></entity>
            <fetchRequest name="All" entity="E"/>
            <fetchRequest name="Some" entity="E" predicateString="n == $N" resultType="2" fetchLimit="100" fetchBatchSize="10"
                includeSubentities="NO" returnDistinctResults="YES"/>
            """#).current
        #expect(model.entities[0].fetchedProperties[0].request.predicateFormat == "n == $FETCH_SOURCE.n")
        let all = model.fetchTemplates[0], some = model.fetchTemplates[1]
        #expect(all.includesSubentities && all.returnsObjectsAsFaults && all.predicateFormat == nil && all.resultType == 0)
        #expect(!some.includesSubentities && some.returnsDistinctResults)
        #expect(some.resultType == 2 && some.fetchLimit == 100 && some.fetchBatchSize == 10 && some.predicateFormat == "n == $N")
    }
}
