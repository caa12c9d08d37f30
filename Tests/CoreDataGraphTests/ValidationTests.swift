import CoreDataGraph
import CoreDataSchema
import Foundation
import Testing

@Suite("Validation")
struct ValidationTests {
    private func attribute(
        _ name: String, _ type: AttributeType, optional: Bool = true, _ rules: [(String, ValidationRule.Warning)] = []
    ) -> AttributeSchema {
        var attribute = AttributeSchema(name: name, type: type)
        attribute.isOptional = optional
        attribute.validationRules = rules.map { ValidationRule(predicateFormat: $0.0, warning: $0.1) }
        return attribute
    }

    private func codes(_ attribute: AttributeSchema, _ value: AttributeValue) throws -> [Int] {
        let model = try GraphModels.make { $0.entity("E", attributes: [attribute]) }
        return try Validation.failures(CompiledValidation(model.entities[0]), slot: 0, value: value).map(\.code)
    }

    @Test("VA03, VA13: only nil violates required, an empty text does not")
    func required() throws {
        let name = attribute("name", .string, optional: false)
        #expect(try codes(name, .null) == [1570])
        #expect(try codes(name, .string("")) == [])
        #expect(try codes(attribute("name", .string), .null) == [])
    }

    @Test("VA07, VA08: number bounds are inclusive", arguments: [(0, []), (10, []), (-1, [1620]), (11, [1610])] as [(Int64, [Int])])
    func numbers(value: Int64, expected: [Int]) throws {
        let rules: [(String, ValidationRule.Warning)] = [("SELF >= 0", .code(1620)), ("SELF <= 10", .code(1610))]
        #expect(try codes(attribute("n", .integer32, rules), .integer(value)) == expected)
        #expect(try codes(attribute("n", .double, rules), .real(Double(value))) == expected)
        #expect(try codes(attribute("n", .decimal, rules), .decimal(Decimal(value))) == expected)
        #expect(try codes(attribute("n", .float, rules), .null) == [])
    }

    @Test("Bounds keep fractions and large integers apart")
    func exactNumbers() throws {
        #expect(try codes(attribute("n", .integer64, [("SELF <= 4.5", .code(1610))]), .integer(5)) == [1610])
        #expect(try codes(attribute("n", .integer64, [("SELF <= 4.5", .code(1610))]), .integer(4)) == [])
        let large = attribute("n", .integer64, [("SELF <= 9007199254740992", .code(1610))])
        #expect(try codes(large, .integer(9_007_199_254_740_993)) == [1610])
        #expect(try codes(large, .integer(9_007_199_254_740_992)) == [])
        #expect(try codes(attribute("n", .double, [("SELF >= 0", .code(1620))]), .real(.nan)) == [1620])
    }

    @Test("VA09, VA10: text lengths count UTF-16 units and skip nil", arguments: [
        (nil, []), ("", [1670]), ("a", [1670]), ("ab", []), ("abcd", []), ("abcde", [1660]), ("😀", []), ("😀😀a", [1660]),
    ] as [(String?, [Int])])
    func lengths(text: String?, expected: [Int]) throws {
        let name = attribute("name", .string, [("length >= 2", .code(1670)), ("length <= 4", .code(1660))])
        #expect(try codes(name, text.map(AttributeValue.string) ?? .null) == expected)
    }

    @Test("VA11: MATCHES takes the whole text", arguments: [("12", []), ("a12", [1680]), ("12\n", [1680]), ("", [1680])] as [(String, [Int])])
    func patterns(text: String, expected: [Int]) throws {
        #expect(try codes(attribute("name", .string, [("SELF MATCHES \"[0-9]+\"", .code(1680))]), .string(text)) == expected)
    }

    @Test("An alternative of a pattern that fits only a part does not hide one that fits the whole")
    func alternatives() throws {
        let name = attribute("name", .string, [("SELF MATCHES \"a|ab\"", .code(1680))])
        #expect(try codes(name, .string("ab")) == [])
        #expect(try codes(name, .string("abc")) == [1680])
    }

    @Test("VA12: dates too early and too late")
    func dates() throws {
        let date = attribute("date", .date, [
            ("timeIntervalSinceReferenceDate >= 100", .code(1640)), ("timeIntervalSinceReferenceDate <= 200.5", .code(1630)),
        ])
        #expect(try codes(date, .real(99.9)) == [1640])
        #expect(try codes(date, .real(100)) == [])
        #expect(try codes(date, .real(200.5)) == [])
        #expect(try codes(date, .real(201)) == [1630])
    }

    @Test("VA06: a rule with a text fails with 1550 and carries text, predicate and value")
    func text() throws {
        let model = try GraphModels.make {
            $0.entity("E", attributes: [attribute("salary", .integer32, [("SELF >= 0", .text("Pay them"))])])
        }
        let failures = try Validation.failures(CompiledValidation(model.entities[0]), slot: 0, value: .integer(-1))
        #expect(failures == [
            ValidationFailure(slot: 0, code: 1550, value: .integer(-1), predicateFormat: "SELF >= 0", warning: "Pay them"),
        ])
    }

    @Test("Rules of any other shape are evaluated as predicates", arguments: [
        ("SELF IN {'a', 'b'}", "a", "c"), ("SELF BEGINSWITH 'x' AND length > 1", "xy", "x"), ("NOT (SELF CONTAINS 'q')", "w", "q"),
        ("SELF MATCHES[c] 'abc'", "ABC", "abd"), ("SELF ==[c] 'Z'", "z", "y"), ("length BETWEEN {1, 2}", "ab", "abc"),
    ])
    func general(format: String, good: String, bad: String) throws {
        let name = attribute("name", .string, [(format, .code(1551))])
        #expect(try codes(name, .string(good)) == [])
        #expect(try codes(name, .string(bad)) == [1551])
    }

    @Test("VA14 to VA17, DD06: relationship counts", arguments: [
        (false, 0, 0, 0, []), (false, 1, 0, 0, [1580]), (false, 1, 0, 1, []), (true, 2, 0, 0, []), (true, 2, 0, 1, [1580]),
        (true, 2, 0, 2, []), (true, 0, 2, 3, [1590]), (true, 0, 2, 2, []), (false, 2, 3, 4, [1590]),
    ] as [(Bool, Int, Int, Int, [Int])])
    func counts(optional: Bool, minimum: Int, maximum: Int, count: Int, expected: [Int]) throws {
        var relationship = GraphModels.relationship("items", to: "E", many: true)
        relationship.isOptional = optional
        relationship.minCount = minimum
        relationship.maxCount = maximum
        let model = try GraphModels.make { $0.entity("E", [relationship]) }
        let validation = try CompiledValidation(model.entities[0])
        #expect(Validation.failures(validation, slot: 0, count: count).map(\.code) == expected)
    }

    @Test("VA14: a required to-one that is nil")
    func requiredToOne() throws {
        var relationship = GraphModels.relationship("dept", to: "E")
        relationship.isOptional = false
        let model = try GraphModels.make { $0.entity("E", [relationship]) }
        let validation = try CompiledValidation(model.entities[0])
        #expect(try Validation.failures(validation, isNull: { _ in true }, value: { _ in .null }, count: { _ in 0 }).map(\.code) == [1570])
        #expect(try Validation.failures(validation, isNull: { _ in false }, value: { _ in .null }, count: { _ in 0 }).isEmpty)
    }

    @Test("VA04, VA22: every failure is reported, by slot")
    func all() throws {
        var items = GraphModels.relationship("items", to: "E", many: true)
        items.minCount = 1
        items.isOptional = false
        let model = try GraphModels.make {
            $0.entity("E", attributes: [
                attribute("name", .string, optional: false), attribute("zeal", .string, [("length <= 1", .code(1660)), ("SELF MATCHES 'a*'", .code(1680))]),
                attribute("pay", .integer16, [("SELF >= 0", .code(1620))]),
            ], [items])
        }
        let validation = try CompiledValidation(model.entities[0])
        let values: [AttributeValue] = [.null, .integer(-1), .string("bbb"), .null]
        let failures = try Validation.failures(validation, isNull: { values[$0].isNull }, value: { values[$0] }, count: { _ in 0 })
        #expect(failures.map(\.code) == [1570, 1620, 1660, 1680, 1580])
        #expect(failures.map(\.slot) == [0, 1, 2, 2, 3])
    }

    @Test("Nothing is asked about slots that cannot fail")
    func trivial() throws {
        let model = try GraphModels.make {
            $0.entity("E", attributes: (0..<13).map { attribute("a\($0)", .string) }, [GraphModels.relationship("es", to: "E", many: true)])
        }
        let validation = try CompiledValidation(model.entities[0])
        #expect(validation.isTrivial)
        var asked = 0
        let failures = try Validation.failures(
            validation, isNull: { _ in asked += 1; return true }, value: { _ in asked += 1; return .null }, count: { _ in asked += 1; return 0 })
        #expect(failures.isEmpty && asked == 0)
    }

    @Test("A rule that is no predicate or no pattern names entity, property and reason", arguments: ["SELF >=", "SELF MATCHES '['"])
    func broken(format: String) throws {
        let model = try GraphModels.make { $0.entity("Shop", attributes: [attribute("name", .string, [(format, .code(1))])]) }
        let error = #expect(throws: ValidationRuleError.self) { try CompiledValidation(model.entities[0]) }
        #expect(error?.entity == "Shop")
        #expect(error?.property == "name")
        #expect(error?.description.contains(format) == true)
    }
}
