import CoreDataSchema
import Foundation
@testable import CoreDataPredicate

/// An object of keys and values, for evaluation.
final class Row: PredicateReferent, PredicateSubject {
    struct UnknownKey: Error, Equatable { var key: String }

    let predicateKey: RowKey
    var values: [String: PredicateValue]
    /// Whether it can be looked into; a bare ID cannot.
    var isBare = false

    init(_ number: Int64 = 1, _ values: [String: PredicateValue] = [:]) {
        predicateKey = RowKey(primaryKey: number, entity: 1)
        self.values = values
    }

    var predicateText: String { "<Row \(predicateKey.primaryKey)>" }
    var predicateSubject: (any PredicateSubject)? { isBare ? nil : self }
    var predicateSelf: PredicateValue { .reference(PredicateReference(self)) }
    var reference: PredicateValue { predicateSelf }

    func predicateValue(forKey key: String) throws -> PredicateValue {
        guard let value = values[key] else { throw UnknownKey(key: key) }
        return value
    }

    func matches(_ format: String, _ arguments: PredicateValue..., rules: NilRules = .memory) throws -> Bool {
        let tree = try PredicateFormat.parse(format, arguments: arguments.map(PredicateArgument.value))
        return try PredicateEvaluation.evaluate(tree, subject: self, rules: rules)
    }

    func value(_ format: String, _ arguments: PredicateValue...) throws -> PredicateValue {
        let tree = try PredicateFormat.parseExpression(format, arguments: arguments.map(PredicateArgument.value))
        return try PredicateEvaluation.evaluate(expression: tree, subject: self, rules: .memory)
    }
}

/// A row of every kind of value, with children.
func sampleRow() -> Row {
    let boss = Row(10, ["name": .string("Boss"), "boss": .null, "age": .integer(60), "employees": .list([])])
    let department = Row(20, ["name": .string("Dept"), "boss": boss.reference])
    let children = [
        Row(31, ["age": .integer(20), "name": .string("A"), "dept": department.reference, "tags": .list([.string("x"), .string("y")])]),
        Row(32, ["age": .integer(40), "name": .string("B"), "dept": .null, "tags": .list([.string("x")])]),
        Row(33, ["age": .null, "name": .null, "dept": department.reference, "tags": .list([])]),
    ]
    return Row(1, [
        "name": .string("John"), "nothing": .null, "age": .integer(5), "real": .real(2.5), "price": .decimal(Decimal(string: "3.10") ?? 0),
        "flag": .boolean(true), "off": .boolean(false), "big": .integer(9_007_199_254_740_993), "text3": .string("3"), "three": .integer(3),
        "born": .date(Date(timeIntervalSinceReferenceDate: 1000)), "data": .data(Data([1, 2])), "site": .url(URL(string: "http://a.b/c") ?? URL(fileURLWithPath: "/")),
        "id": .uuid(UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF") ?? UUID()), "dept": department.reference, "nodept": .null,
        "children": .list(children.map(\.reference)), "empty": .list([]), "numbers": .list([.integer(3), .integer(1), .integer(2)]),
        "words": .list([.string("a"), .string("b"), .string("a")]), "size": .integer(7),
    ])
}
