import CoreDataSchema
import Foundation

extension _FoundationCompletion where Self == NSExpression {
    /// An expression from its format and one argument per placeholder. Stops the program when the text is none.
    public init(format expressionFormat: String, _ args: Any?...) {
        self = NSExpression.read(expressionFormat, args)
    }

    /// An expression from its format and an array of arguments. Stops the program when the text is none.
    public init(format expressionFormat: String, argumentArray arguments: [Any?]) {
        self = NSExpression.read(expressionFormat, arguments)
    }

    /// An expression from its format, or a thrown `NSPredicate.FormatError`. Not Apple's.
    public init(validating expressionFormat: String, arguments: [Any?] = []) throws {
        self = TreeExpression.make(try FormatReading.expression(expressionFormat, arguments))
    }

    /// A constant; nil is null. Stops the program when no predicate can compare `obj`.
    public init(forConstantValue obj: Any?) {
        self = TreeExpression.make(ExpressionBridging.tree(ofAny: obj))
    }

    /// `$string`, bound when evaluated or substituted.
    public init(forVariable string: String) {
        self = TreeExpression.make(.variable(string))
    }

    /// The value at a dotted key path of the evaluated object.
    public init(forKeyPath keyPath: String) {
        self = TreeExpression.make(.key(keyPath))
    }

    /// The value at a Swift key path, named by its class's key-path table. Stops the program when there is none.
    public init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
        do {
            self = TreeExpression.make(.key(try KeyPathNames.name(of: keyPath)))
        } catch {
            fatalError(error.description)
        }
    }

    /// A predefined function by its selector name (`sum:`, `add:to:`, …); arguments are expressions or constants.
    public init(forFunction name: String, arguments parameters: [Any]) {
        self = TreeExpression.make(.calling(name, parameters.map(ExpressionBridging.tree(ofAny:))))
    }

    /// FUNCTION(target, name, parameters…)
    public init(forFunction target: NSExpression, selectorName name: String, arguments parameters: [Any]?) {
        self = TreeExpression.make(.call(
            operand: ExpressionBridging.tree(ofAny: target), selector: name,
            arguments: (parameters ?? []).map(ExpressionBridging.tree(ofAny:))))
    }

    /// `{a, b, c}`
    public init(forAggregate subexpressions: [Any]) {
        self = TreeExpression.make(.aggregate(subexpressions.map(ExpressionBridging.tree(ofAny:))))
    }

    /// SUBQUERY(expression, $variable, predicate)
    public init(forSubquery expression: NSExpression, usingIteratorVariable variable: String, predicate: NSPredicate) {
        self = TreeExpression.make(.subquery(ExpressionBridging.tree(ofAny: expression), variable: variable, predicate.tree))
    }

    /// TERNARY(predicate, trueExpression, falseExpression)
    public init(forConditional predicate: NSPredicate, trueExpression: NSExpression, falseExpression: NSExpression) {
        self = TreeExpression.make(.conditional(
            predicate.tree, ExpressionBridging.tree(ofAny: trueExpression), ExpressionBridging.tree(ofAny: falseExpression)))
    }

    /// left UNION right
    public init(forUnionSet left: NSExpression, with right: NSExpression) {
        self = NSExpression.combine(.union, left, right)
    }

    /// left INTERSECT right
    public init(forIntersectSet left: NSExpression, with right: NSExpression) {
        self = NSExpression.combine(.intersect, left, right)
    }

    /// left MINUS right
    public init(forMinusSet left: NSExpression, with right: NSExpression) {
        self = NSExpression.combine(.minus, left, right)
    }

    /// A closure of the evaluated object, its arguments' values and the context. In memory only: no store can run it.
    public init(block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any, arguments: [NSExpression]?) {
        self = TreeExpression.make(.block(ExpressionBlock(block), (arguments ?? []).map(ExpressionBridging.tree(ofAny:))))
    }

    /// SELF
    public static func expressionForEvaluatedObject() -> NSExpression { TreeExpression.make(.evaluatedObject) }

    /// ANYKEY
    public static func expressionForAnyKey() -> NSExpression { TreeExpression.make(.anyKey) }
}

extension NSExpression {
    fileprivate static func read(_ format: String, _ arguments: [Any?]) -> NSExpression {
        do { return TreeExpression.make(try FormatReading.expression(format, arguments)) } catch { fatalError(error.description) }
    }

    fileprivate static func combine(_ operation: SetOperation, _ left: NSExpression, _ right: NSExpression) -> NSExpression {
        TreeExpression.make(.set(operation, ExpressionBridging.tree(ofAny: left), ExpressionBridging.tree(ofAny: right)))
    }
}
