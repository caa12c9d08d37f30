@testable import CoreDataModelFile
import CoreDataSchema
import CoreDataTestSupport
import Foundation
import Testing

@Suite("Writing a model's XML")
struct XMLModelWriterTests {
    private func readBack(_ schema: ModelSchema) throws -> ModelSchema {
        try XMLModelReader(Data(XMLModelWriter.text(of: schema).utf8), path: "contents").schema
    }

    @Test("Every real model reads back equal", .enabled(if: Corpus.isPresent, "no corpus on this machine: set COREDATA_CORPUS"))
    func corpus() throws {
        var models = 0
        for file in Corpus.all("contents", under: "corpus/models") {
            let schema = try ModelFile.read(at: file).current
            #expect(try readBack(schema) == schema, "\(file.path)")
            models += 1
        }
        print("models written and read back: \(models)")
        #expect(models > 250)
    }

    @Test("What real models seldom say reads back equal")
    func rarities() throws {
        let schema = try TemporaryModel.read(#"""
            <entity name="E" isAbstract="YES" representedClassName=".E" elementID="Old" versionHashModifier="2" codeGenerationType="category">
                <attribute name="d" attributeType="Double" minValueString="-1.5" maxValueString="1e3" defaultValueString="0.1"/>
                <attribute name="f" attributeType="Float" defaultValueString="0.1" usesScalarValueType="NO"/>
                <attribute name="m" attributeType="Decimal" defaultValueString="-12345678901234567890.5"/>
                <attribute name="s" attributeType="String" minValueString="1" maxValueString="9" regularExpressionString="\d&quot;&lt;.*" defaultValueString="a&#10;&amp;"/>
                <attribute name="t" attributeType="Date" minDateTimeInterval="-5.5" defaultDateTimeInterval="0.25" preserveAfterDeletion="YES"/>
                <attribute name="u" attributeType="UUID" defaultValueString="E621E1F8-C36C-495A-93FC-0C247A3E6E5F" allowsCloudEncryption="YES"/>
                <attribute name="n" transient="YES" optional="YES"/>
                <attribute name="c" attributeType="Integer 64" derived="YES" derivationExpression="r.@count" spotlightIndexingEnabled="YES"/>
                <attribute name="p" attributeType="Composite" composite="P"><userInfo><entry key="k" value=""/></userInfo></attribute>
                <relationship name="r" toMany="YES" minCount="1" maxCount="9" deletionRule="No Action" destinationEntity="E" ordered="YES"/>
                <fetchedProperty name="q"><fetchRequest name="x" entity="E" predicateString="s == $FETCH_SOURCE.s"/></fetchedProperty>
                <fetchIndex name="i" partialIndexPredicate="s != nil"><fetchIndexElement expression="length(s)" type="RTree" order="descending"/></fetchIndex>
                <compoundIndexes><compoundIndex><index value="d"/><index value="f"/></compoundIndex></compoundIndexes>
                <uniquenessConstraints><uniquenessConstraint><constraint value="s"/><constraint value="d"/></uniquenessConstraint></uniquenessConstraints>
            </entity>
            <composite name="P"><attribute name="x" attributeType="Boolean" defaultValueString="YES"/></composite>
            <fetchRequest name="T" entity="E" resultType="2" fetchLimit="3" fetchBatchSize="4" includeSubentities="NO" returnDistinctResults="YES"/>
            <configuration name="C"><memberEntity name="E"/></configuration>
            """#).current
        #expect(try readBack(schema) == schema)
    }

    @Test("What the format has no place for is an error that names it", arguments: 0..<5)
    func unwritable(fault: Int) throws {
        var schema = ModelSchema(), entity = EntitySchema(name: "E"), attribute = AttributeSchema(name: "a", type: .string)
        switch fault {
        case 0: attribute.validationRules = [ValidationRule(predicateFormat: "SELF CONTAINS 'x'", warning: .text("no"))]
        case 1: attribute.type = .binary; attribute.defaultValue = .data(Data([1]))
        case 2: attribute.type = .undefined
        case 3: attribute.userInfo = ["k": "\u{1}"]
        default:
            var template = FetchTemplateSchema(name: "T", entityName: "E")
            template.sortKeys = [SortKeySchema(keyPath: "a", isAscending: true)]
            schema.fetchTemplates = [template]
        }
        entity.attributes = [attribute]
        schema.entities = [entity]
        let error = #expect(throws: ModelWritingError.self) { try XMLModelWriter.text(of: schema) }
        #expect(error?.description.contains("cannot be written") == true)
    }
}
