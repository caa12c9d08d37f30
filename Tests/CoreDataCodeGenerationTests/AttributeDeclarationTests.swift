import CoreDataCodeGeneration
import CoreDataSchema
import Foundation
import Testing

@Suite("Generated attributes")
struct AttributeDeclarationTests {
    struct Golden: Sendable, CustomTestStringConvertible {
        var type: AttributeType, isOptional: Bool, usesScalar: Bool?
        var swift: String, getter: String, setter: String

        init(_ type: AttributeType, _ isOptional: Bool, _ usesScalar: Bool?, _ swift: String, _ getter: String, _ setter: String) {
            (self.type, self.isOptional, self.usesScalar) = (type, isOptional, usesScalar)
            (self.swift, self.getter, self.setter) = (swift, getter, setter)
        }

        var testDescription: String { "\(type), optional \(isOptional), scalar \(usesScalar.map { "\($0)" } ?? "unsaid") is \(swift)" }
    }

    /// The same for every flag.
    private static func always(_ type: AttributeType, _ swift: String, _ getter: String, _ setter: String) -> [Golden] {
        [true, false].flatMap { optional in [true, false, nil].map { Golden(type, optional, $0, swift, getter, setter) } }
    }

    /// Scalar or required, then optional.
    private static func number(
        _ type: AttributeType, _ swift: String, _ scalar: (String, String), _ optional: (String, String)
    ) -> [Golden] {
        [true, false].flatMap { isOptional in
            [true, false, nil].map { usesScalar in
                isOptional && usesScalar != true
                    ? Golden(type, isOptional, usesScalar, swift + "?", optional.0, optional.1)
                    : Golden(type, isOptional, usesScalar, swift, scalar.0, scalar.1)
            }
        }
    }

    /// Whatever is said about scalars.
    private static func value(_ type: AttributeType, _ swift: String, _ getter: String, empty: String, _ setter: String) -> [Golden] {
        [true, false, nil].flatMap {
            [Golden(type, true, $0, swift + "?", getter, setter), Golden(type, false, $0, swift, "\(getter) ?? \(empty)", setter)]
        }
    }

    static let golden: [Golden] =
        number(.integer16, "Int16", ("Int16(clamping: _int64(at: 0))", "_setInt64(Int64(newValue), at: 0)"),
               ("_optionalInt64(at: 0).map { Int16(clamping: $0) }", "_setInt64(newValue.map { Int64($0) }, at: 0)"))
        + number(.integer32, "Int32", ("Int32(clamping: _int64(at: 0))", "_setInt64(Int64(newValue), at: 0)"),
                 ("_optionalInt64(at: 0).map { Int32(clamping: $0) }", "_setInt64(newValue.map { Int64($0) }, at: 0)"))
        + number(.integer64, "Int64", ("_int64(at: 0)", "_setInt64(newValue, at: 0)"), ("_optionalInt64(at: 0)", "_setInt64(newValue, at: 0)"))
        + number(.boolean, "Bool", ("_bool(at: 0)", "_setBool(newValue, at: 0)"), ("_optionalBool(at: 0)", "_setBool(newValue, at: 0)"))
        + number(.double, "Double", ("_double(at: 0)", "_setDouble(newValue, at: 0)"), ("_optionalDouble(at: 0)", "_setDouble(newValue, at: 0)"))
        + number(.float, "Float", ("Float(_double(at: 0))", "_setDouble(Double(newValue), at: 0)"),
                 ("_optionalDouble(at: 0).map { Float($0) }", "_setDouble(newValue.map { Double($0) }, at: 0)"))
        + value(.string, "String", "_string(at: 0)", empty: "\"\"", "_setString(newValue, at: 0)")
        + value(.binary, "Data", "_data(at: 0)", empty: "Data()", "_setData(newValue, at: 0)")
        + value(.decimal, "Decimal", "_decimal(at: 0)", empty: "0", "_setDecimal(newValue, at: 0)")
        + value(.uuid, "UUID", "_uuid(at: 0)", empty: "UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))", "_setUUID(newValue, at: 0)")
        + value(.date, "Date", "_date(at: 0)", empty: "Date(timeIntervalSinceReferenceDate: 0)", "_setDate(newValue, at: 0)")
            .filter { $0.usesScalar != true }
        + [true, false].map {
            Golden(.date, $0, true, "TimeInterval", "_date(at: 0)?.timeIntervalSinceReferenceDate ?? 0",
                   "_setDate(Date(timeIntervalSinceReferenceDate: newValue), at: 0)")
        }
        + always(.uri, "URL?", "_url(at: 0)", "_setURL(newValue, at: 0)")
        + always(.transformable, "Any?", "_object(at: 0, as: Any.self)", "_setObject(newValue, at: 0)")
        + always(.undefined, "Any?", "_object(at: 0, as: Any.self)", "_setObject(newValue, at: 0)")
        + always(.objectID, "NSManagedObjectID?", "_object(at: 0, as: NSManagedObjectID.self)", "_setObject(newValue, at: 0)")

    @Test("Each type, optional and scalar flag has its declaration", arguments: golden)
    func declarations(golden: Golden) throws {
        var entity = Generated.entity("Item"), attribute = AttributeSchema(name: "a", type: golden.type)
        attribute.isOptional = golden.isOptional
        attribute.usesScalar = golden.usesScalar
        entity.attributes = [attribute]
        let text = try Generated.text(entity)
        #expect(Generated.declaration("public var a:", in: text) == [
            "public var a: \(golden.swift) {", "get { \(golden.getter) }", "set { \(golden.setter) }",
        ])
    }

    @Test("Every attribute type is among the golden declarations, but composites")
    func completeness() {
        #expect(Set(Self.golden.map(\.type)).union([.composite]) == Set(AttributeType.allCases))
        #expect(Self.golden.count == (AttributeType.allCases.count - 1) * 6)
    }

    @Test("A composite is a dictionary")
    func composite() throws {
        var schema = ModelSchema(), entity = Generated.entity("Item"), attribute = AttributeSchema(name: "a", type: .composite)
        attribute.compositeName = "Point"
        entity.attributes = [attribute]
        schema.entities = [entity]
        schema.composites = [CompositeSchema(name: "Point", elements: [])]
        let file = try CodeGenerator.generateSingleFile(ResolvedModel(schema), named: "x", GenerationOptions(modelName: "M"))
        #expect(Generated.declaration("public var a:", in: file.text) == [
            "public var a: [String: Any]? {", "get { _composite(at: 0) }", "set { _setComposite(newValue, at: 0) }",
        ])
    }

    @Test("A transformable takes the model's value class without its module", arguments: [
        ("[Int64]", "[Int64]?"), (".[String]", "[String]?"), ("Shop.Money", "Money?"), ("String?", "String?"),
        ("Shop.", "Any?"), (".", "Any?"), ("[String: [Int]]", "[String: [Int]]?"),
    ])
    func valueClasses(written: String, expected: String) throws {
        var entity = Generated.entity("Item"), attribute = AttributeSchema(name: "a", type: .transformable)
        attribute.valueClassName = written
        entity.attributes = [attribute]
        #expect(Generated.declaration("public var a:", in: try Generated.text(entity)).first == "public var a: \(expected) {")
    }
}
