import CoreDataPredicate
import Foundation
import Testing

@Suite("Expressions that are closures, comparisons by selector")
struct FoundationBlockTests {
    @Test("A block expression gets the object, its arguments' values and the variables")
    func block() throws {
        let expression = NSExpression(block: { object, arguments, context in
            let age = (object as? NSDictionary)?["age"] as? Int ?? 0
            return age + (arguments[0] as? Int ?? 0) + (context?["bonus"] as? Int ?? 0)
        }, arguments: [NSExpression(forConstantValue: 10)])
        #expect(expression.expressionType == .block)
        #expect(expression.arguments?.count == 1)
        let context = NSMutableDictionary(dictionary: ["bonus": 100])
        #expect(expression.expressionValue(with: ["age": 1] as NSDictionary, context: context) as? Int == 111)
        #expect(expression.expressionBlock(["age": 2] as NSDictionary, [1], nil) as? Int == 3)
        #expect(expression.description.hasPrefix("BLOCK(0x") && expression.description.hasSuffix(", {10})"))
        #expect(expression == expression.copy() as? NSExpression)
        let predicate = NSComparisonPredicate(
            leftExpression: expression, rightExpression: NSExpression(forConstantValue: 12), modifier: .direct, type: .greaterThan)
        #expect(predicate.evaluate(with: ["age": 3] as NSDictionary))
        #expect(!predicate.evaluate(with: ["age": 2] as NSDictionary))
        let given = NSPredicate(format: "%@ == 11", expression)
        #expect(given.evaluate(with: ["age": 1] as NSDictionary))
        let other = NSExpression(block: { _, _, _ in 1 }, arguments: nil)
        #expect(other != expression)
    }

    @Test("A comparison by selector calls the method that Foundation's class has", arguments: [
        ("isEqual:", "Ada", "Ada", true), ("isEqualToString:", "Ada", "ada", false), ("hasPrefix:", "Ada", "Ad", true), ("hasSuffix:", "Ada", "Ad", false),
        ("containsString:", "Ada", "d", true), ("localizedStandardContainsString:", "Élodie", "elo", true),
        ("localizedCaseInsensitiveContainsString:", "ADA", "da", true), ("isLessThan:", "a", "b", true), ("isGreaterThanOrEqualTo:", "a", "b", false),
        ("isNotEqualTo:", "a", "b", true),
    ])
    func selectors(selector: String, left: String, right: String, isTrue: Bool) {
        let predicate = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "name"), rightExpression: NSExpression(forConstantValue: right),
            customSelector: NSSelectorFromString(selector))
        #expect(predicate.customSelector == NSSelectorFromString(selector))
        #expect(predicate.evaluate(with: ["name": left] as NSDictionary) == isTrue)
        #expect(predicate.predicateFormat == "name \(selector) \"\(right)\"")
        #expect(!predicate.evaluate(with: [:] as NSDictionary) || selector == "isNotEqualTo:")
    }

    @Test("A selector nobody knows is an error with the reason")
    func unknownSelector() {
        let tree = PredicateTree.comparison(Comparison(.key("a"), .custom, .constant(.integer(1)), selector: "frobnicate:"))
        let error = #expect(throws: PredicateEvaluationError.self) { try tree.evaluate(with: ["a": 1] as NSDictionary, variables: nil) }
        #expect(error?.description.contains("frobnicate:") == true)
    }

    @Test("objectFrom:withIndex: and castObject:toType: are indexes and casts")
    func functionForms() {
        let list = NSExpression(forKeyPath: "list")
        func element(_ index: Any) -> NSExpression { NSExpression(forFunction: "objectFrom:withIndex:", arguments: [list, index]) }
        #expect(element(NSExpression(forConstantValue: 1)) == NSExpression(format: "list[1]"))
        #expect(element(NSExpression(forConstantValue: "LAST")) == NSExpression(format: "list[LAST]"))
        #expect(element(NSExpression(forConstantValue: 0)).expressionValue(with: ["list": ["a", "b"]] as NSDictionary, context: nil) as? String == "a")
        let cast = NSExpression(forFunction: "castObject:toType:", arguments: [NSExpression(forConstantValue: "3"), NSExpression(forConstantValue: "NSNumber")])
        #expect(cast.description == "CAST(\"3\", \"NSNumber\")")
    }
}
