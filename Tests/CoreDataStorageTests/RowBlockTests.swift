import CoreDataSchema
import CoreDataStorage
import CoreDataTestSupport
import Foundation
import Testing

@Suite("Row blocks")
struct RowBlockTests {
    private let model: ResolvedModel
    private let key = RowKey(primaryKey: 7, entity: 0, store: 2)

    init() throws { model = try ConformanceModel.make() }

    private func layout(_ name: String) throws -> (ResolvedEntity, RowLayout) {
        let entity = try #require(model.entity(named: name))
        return (entity, RowLayout(entity, in: model))
    }

    private func roundTrip(_ entityName: String, _ values: [String: AttributeValue]) throws -> [String: AttributeValue] {
        let (entity, layout) = try layout(entityName)
        var all = ContiguousArray(repeating: AttributeValue.null, count: entity.properties.count)
        for (name, value) in values { all[try #require(entity.property(named: name)).slot] = value }
        let row = RowBlock.make(layout: layout, key: RowKey(primaryKey: 7, entity: Int32(entity.index), store: 2), version: 4, values: all)
        #expect(row.key.primaryKey == 7)
        #expect(row.version == 4)
        #expect(row.values.count == entity.properties.count)
        return Dictionary(uniqueKeysWithValues: entity.properties.map { ($0.name, row.value($0.slot)) }).filter { !$0.value.isNull }
    }

    @Test("A row of every type gives back what it was made of")
    func everyType() throws {
        let values: [String: AttributeValue] = [
            "binary": .data(Data([1, 0, 2])), "boolean": .integer(1), "date": .real(-1.25), "decimal": .decimal(Decimal(string: "12.340") ?? 0),
            "double": .real(.infinity), "float": .real(0.5), "integer16": .integer(-3), "integer32": .integer(4), "integer64": .integer(.min),
            "string": .string("h\u{e9}llo 😀"), "transformable": .object(OpaqueObject(NSArray(array: [1]))), "uri": .string("a:b"), "uuid": .uuid(UUID()),
        ]
        #expect(try roundTrip("Everything", values) == values)
        #expect(try roundTrip("Everything", [:]) == [:])
    }

    @Test("Empty texts and data are not nil")
    func empty() throws {
        #expect(try roundTrip("Everything", ["string": .string(""), "binary": .data(Data())]) == ["string": .string(""), "binary": .data(Data())])
    }

    @Test("Decimals of any size fit", arguments: [
        Decimal.greatestFiniteMagnitude, .leastFiniteMagnitude, .leastNonzeroMagnitude, .nan, 0,
        Decimal(sign: .minus, exponent: -127, significand: 1), Decimal(sign: .plus, exponent: 127, significand: 9),
    ])
    func decimals(value: Decimal) throws { #expect(try roundTrip("Everything", ["decimal": .decimal(value)]) == ["decimal": .decimal(value)]) }

    @Test("Texts keep NUL bytes and their Unicode form")
    func literalTexts() throws {
        for text in ["a\u{0}b", "e\u{301}", "\u{e9}", String(repeating: "x", count: 70_000)] {
            #expect(try roundTrip("Everything", ["string": .string(text)]) == ["string": .string(text)])
        }
    }

    @Test("A to-one to an entity with subentities remembers the concrete one, the row's store is the key's")
    func references() throws {
        let manager = Int32(try #require(model.entity(named: "Manager")).index), tag = Int32(try #require(model.entity(named: "Tag")).index)
        let person = RowKey(primaryKey: 9, entity: manager, store: 2), favourite = RowKey(primaryKey: 3, entity: tag, store: 2)
        let values: [String: AttributeValue] = ["mentor": .reference(person), "favourite": .reference(favourite)]
        #expect(try roundTrip("Person", values) == values)
    }

    @Test("A value of another kind than its slot counts as nil")
    func wrongKind() throws {
        #expect(try roundTrip("Everything", ["string": .integer(1), "integer32": .string("x"), "date": .integer(3), "uuid": .data(Data([1]))]) == [:])
    }

    @Test("Unstored slots are left nil, unless transients are kept")
    func transients() throws {
        var transient = AttributeSchema.optional("scratch", .string)
        transient.isTransient = true
        var schema = ModelSchema()
        schema.add("E", attributes: [transient, .optional("name", .string)])
        let model = try ResolvedModel(schema), layout = RowLayout(model.entities[0], in: model)
        let values: ContiguousArray<AttributeValue> = [.string("n"), .string("s")]
        let key = RowKey(primaryKey: 1, entity: 0)
        #expect(RowBlock.make(layout: layout, key: key, version: 1, values: values).values == [.string("n"), .null])
        #expect(RowBlock.make(layout: layout, key: key, version: 1, values: values, keepsTransients: true).values == values)
    }

    @Test("A composite value comes back as a composite")
    func composite() throws {
        var schema = ModelSchema()
        schema.composites = [CompositeSchema(name: "Address", elements: [.optional("city", .string)])]
        var address = AttributeSchema.optional("address", .composite)
        address.compositeName = "Address"
        schema.add("E", attributes: [address])
        let model = try ResolvedModel(schema)
        let values: ContiguousArray<AttributeValue> = [.composite(["city": .string("Rome")])]
        let row = RowBlock.make(layout: RowLayout(model.entities[0], in: model), key: RowKey(primaryKey: 1, entity: 0), version: 1, values: values)
        #expect(row.values == values)
    }

    @Test("Rows of more than 64 slots keep each slot's null bit")
    func wideRows() throws {
        var schema = ModelSchema()
        schema.add("Wide", attributes: (100..<300).map { .optional("a\($0)", .integer64) })
        let model = try ResolvedModel(schema), layout = RowLayout(model.entities[0], in: model)
        let values = ContiguousArray((0..<200).map { $0 % 3 == 0 ? AttributeValue.null : .integer(Int64($0)) })
        #expect(RowBlock.make(layout: layout, key: RowKey(primaryKey: 1, entity: 0), version: 1, values: values).values == values)
    }
}
