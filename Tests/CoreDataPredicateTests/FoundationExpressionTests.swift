import CoreDataPredicate
import Foundation
import Testing

@Suite("NSExpression")
struct FoundationExpressionTests {
    @Test("Constants, key paths, variables and SELF read back")
    func simple() {
        let path = NSExpression(forKeyPath: "firm.name")
        #expect(path.expressionType == .keyPath)
        #expect(path.keyPath == "firm.name")
        #expect(path.operand.expressionType == .evaluatedObject)
        #expect(path.description == "firm.name")
        let constant = NSExpression(forConstantValue: 5)
        #expect(constant.expressionType == .constantValue)
        #expect(constant.constantValue as? Int == 5)
        #expect(NSExpression(forConstantValue: nil).constantValue == nil)
        #expect(NSExpression(forVariable: "x").variable == "x")
        #expect(NSExpression.expressionForEvaluatedObject().expressionType == .evaluatedObject)
        #expect(NSExpression.expressionForAnyKey().expressionType == .anyKey)
        #expect(NSExpression(forKeyPath: \Citizen.firm?.name).keyPath == "firm.name")
    }

    @Test("Functions, aggregates, subqueries, conditionals and sets read back")
    func composed() throws {
        let salary = NSExpression(forKeyPath: "salary")
        let sum = NSExpression(forFunction: "sum:", arguments: [salary])
        #expect(sum.expressionType == .function)
        #expect(sum.function == "sum:")
        #expect(sum.arguments?.first?.keyPath == "salary")
        #expect(salary.arguments == nil)
        let list = NSExpression(forAggregate: [salary, 5])
        #expect((list.collection as? [NSExpression])?.count == 2)
        let predicate = NSPredicate(format: "$x.age > 3")
        let query = NSExpression(forSubquery: salary, usingIteratorVariable: "x", predicate: predicate)
        #expect(query.expressionType == .subquery)
        #expect(query.variable == "x")
        #expect(query.predicate == predicate)
        #expect((query.collection as? NSExpression)?.keyPath == "salary")
        let choice = NSExpression(forConditional: predicate, trueExpression: salary, falseExpression: list)
        #expect(choice.expressionType == .conditional)
        #expect(choice.true == salary)
        #expect(choice.false == list)
        let union = NSExpression(forUnionSet: salary, with: list)
        #expect(union.expressionType == .unionSet)
        #expect(union.left == salary)
        #expect(union.right == list)
        #expect(NSExpression(forIntersectSet: salary, with: list).expressionType == .intersectSet)
        #expect(NSExpression(forMinusSet: salary, with: list).expressionType == .minusSet)
    }

    @Test("Formats make expressions, and bad ones throw")
    func formats() throws {
        #expect(NSExpression(format: "a + %@ * 2", 3).description == "a + 3 * 2")
        #expect(NSExpression(format: "max(%K)", "age") == NSExpression(forFunction: "max:", arguments: [NSExpression(forKeyPath: "age")]))
        #expect(try NSExpression(validating: "%K", arguments: ["a.b"]).keyPath == "a.b")
        #expect(throws: NSPredicate.FormatError.self) { try NSExpression(validating: "a +") }
    }

    @Test("Expressions evaluate on dictionaries, values and bound variables")
    func evaluation() {
        let row: [String: Any] = ["a": 4, "list": [1, 2, 3]]
        #expect(NSExpression(format: "a * 2 + 1").expressionValue(with: row, context: nil) as? Int == 9)
        #expect(NSExpression(format: "list.@sum.self").expressionValue(with: row, context: nil) as? Int == 6)
        #expect(NSExpression(forKeyPath: "missing").expressionValue(with: row, context: nil) == nil)
        let context = NSMutableDictionary(dictionary: ["x": 5])
        #expect(NSExpression(format: "$x + 1").expressionValue(with: nil, context: context) as? Int == 6)
        #expect(NSExpression(forKeyPath: "length").expressionValue(with: "abc", context: nil) as? Int == 3)
    }

    @Test("Equal expressions are equal and hash alike; copies too; they are released")
    func lifetime() {
        weak var released: NSExpression?
        weak var constant: Probe?
        do {
            let probe = Probe()
            let expression = NSExpression(forConstantValue: probe)
            (released, constant) = (expression, probe)
            #expect(expression.copy() as? NSExpression == expression)
        }
        #expect(released == nil)
        #expect(constant == nil)
        #expect(NSExpression(forKeyPath: "a") == NSExpression(forKeyPath: "a"))
        #expect(NSExpression(forKeyPath: "a").hash == NSExpression(forKeyPath: "a").hash)
        #expect(NSExpression(forKeyPath: "a") != NSExpression(forKeyPath: "b"))
    }
}

/// An object whose release can be watched.
final class Probe: NSObject {}

@Suite("NSComparisonPredicate")
struct FoundationComparisonPredicateTests {
    private let name = NSExpression(forKeyPath: "name")
    private let text = NSExpression(forConstantValue: "x")

    @Test("Every operator prints, reads back and keeps its modifier and options", arguments: [
        (NSComparisonPredicate.Operator.lessThan, "name < \"x\""), (.lessThanOrEqualTo, "name <= \"x\""),
        (.greaterThan, "name > \"x\""), (.greaterThanOrEqualTo, "name >= \"x\""), (.equalTo, "name == \"x\""),
        (.notEqualTo, "name != \"x\""), (.matches, "name MATCHES \"x\""), (.like, "name LIKE \"x\""),
        (.beginsWith, "name BEGINSWITH \"x\""), (.endsWith, "name ENDSWITH \"x\""), (.in, "name IN \"x\""),
        (.contains, "name CONTAINS \"x\""), (.between, "name BETWEEN \"x\""),
    ])
    func operators(_ type: NSComparisonPredicate.Operator, _ format: String) throws {
        let predicate = NSComparisonPredicate(leftExpression: name, rightExpression: text, modifier: .direct, type: type, options: [])
        #expect(predicate.predicateFormat == format)
        #expect(predicate.predicateOperatorType == type)
        #expect(predicate.leftExpression == name)
        #expect(predicate.rightExpression == text)
        #expect(predicate.comparisonPredicateModifier == .direct)
    }

    @Test("Modifiers and options print and read back")
    func options() {
        let predicate = NSComparisonPredicate(
            leftExpression: name, rightExpression: text, modifier: .any, type: .contains,
            options: [.caseInsensitive, .diacriticInsensitive])
        #expect(predicate.predicateFormat == "ANY name CONTAINS[cd] \"x\"")
        #expect(predicate.comparisonPredicateModifier == .any)
        #expect(predicate.options == [.caseInsensitive, .diacriticInsensitive])
        #expect(predicate == NSPredicate(format: "ANY name CONTAINS[cd] 'x'"))
    }

    @Test("A comparison from a format reads back")
    func fromFormat() throws {
        let predicate = try #require(NSPredicate(format: "ALL a.b <=[c] 3") as? NSComparisonPredicate)
        #expect(predicate.leftExpression.keyPath == "a.b")
        #expect(predicate.rightExpression.constantValue as? Int == 3)
        #expect(predicate.predicateOperatorType == .lessThanOrEqualTo)
        #expect(predicate.comparisonPredicateModifier == .all)
    }

    @Test("It evaluates, alone and inside Foundation's compounds")
    func evaluation() {
        let predicate = NSComparisonPredicate(leftExpression: name, rightExpression: text, modifier: .direct, type: .equalTo, options: [])
        #expect(predicate.evaluate(with: ["name": "x"]))
        #expect(!predicate.evaluate(with: ["name": "y"]))
        #expect(NSCompoundPredicate(notPredicateWithSubpredicate: predicate).evaluate(with: ["name": "y"]))
    }

    @Test("Instances are laid out as their superclass and released whole")
    func lifetime() {
        weak var released: NSPredicate?
        weak var constant: Probe?
        do {
            let probe = Probe()
            let predicate = NSComparisonPredicate(
                leftExpression: name, rightExpression: NSExpression(forConstantValue: probe), modifier: .direct, type: .equalTo,
                options: [])
            (released, constant) = (predicate, probe)
            #expect(type(of: predicate as NSPredicate) == TreeComparisonPredicate.self)
            #expect(predicate.copy() as? NSPredicate === predicate)
        }
        #expect(released == nil)
        #expect(constant == nil)
        // Neither class adds storage: Mirror lists the stored properties of each level.
        let mirror = Mirror(reflecting: TreeComparisonPredicate.make(TreeComparisonPredicateTests.sample))
        #expect(mirror.children.isEmpty)
        #expect(mirror.superclassMirror?.children.isEmpty == true)
    }
}

enum TreeComparisonPredicateTests {
    static let sample = Comparison(.key("a"), .equal, .constant(.integer(1)))
}
