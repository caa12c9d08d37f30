import Foundation

/// Reading an expression back. As at Apple's, asking for a part that the kind of expression does not have stops the program.
extension _FoundationCompletion where Self: NSExpression {
    /// What kind of expression this is.
    public var expressionType: NSExpression.ExpressionType {
        switch ownTree {
        case .constant: .constantValue
        case .evaluatedObject: .evaluatedObject
        case .variable: .variable
        case .keyPath: .keyPath
        case .function, .call, .cast, .element: .function
        case .aggregate: .aggregate
        case .subquery: .subquery
        case .conditional: .conditional
        case .set(.union, _, _): .unionSet
        case .set(.intersect, _, _): .intersectSet
        case .set(.minus, _, _): .minusSet
        case .anyKey: .anyKey
        case .block: .block
        }
    }

    /// The constant, nil for null; numbers as `NSNumber`.
    public var constantValue: Any? {
        guard case .constant(let value) = ownTree else { missing("constantValue") }
        return PredicateBridging.any(value)
    }

    /// The dotted key path.
    public var keyPath: String {
        guard case .keyPath(_, let keys) = ownTree else { missing("keyPath") }
        return keys.joined(separator: ".")
    }

    /// The variable's name without `$`; also the iterator of a subquery.
    public var variable: String {
        switch ownTree {
        case .variable(let name): name
        case .subquery(_, let name, _): name
        default: missing("variable")
        }
    }

    /// The selector name of a function.
    public var function: String {
        switch ownTree {
        case .function(let name, _): name
        case .call(_, let selector, _): selector
        case .cast: "castObject:toType:"
        case .element: "objectFrom:withIndex:"
        default: missing("function")
        }
    }

    /// The arguments of a function; nil for other kinds.
    public var arguments: [NSExpression]? {
        switch ownTree {
        case .function(_, let arguments): arguments.map(TreeExpression.make)
        case .call(_, _, let arguments), .block(_, let arguments): arguments.map(TreeExpression.make)
        case .cast(let operand, let type): [operand, .constant(.string(type))].map(TreeExpression.make)
        case .element(let operand, let index): [operand, index.expression].map(TreeExpression.make)
        default: nil
        }
    }

    /// The closure of a block expression.
    public var expressionBlock: (Any?, [Any], NSMutableDictionary?) -> Any {
        guard case .block(let block, _) = ownTree else { missing("expressionBlock") }
        return { block.evaluate($0, $1, $2) ?? NSNull() }
    }

    /// What a key path or function starts from; SELF for a plain key path.
    public var operand: NSExpression {
        switch ownTree {
        case .keyPath(let operand, _), .call(let operand, _, _), .cast(let operand, _), .element(let operand, _):
            TreeExpression.make(operand)
        case .function: TreeExpression.make(.evaluatedObject)
        default: missing("operand")
        }
    }

    /// The parts of an aggregate as `[NSExpression]`, or a subquery's collection as `NSExpression`.
    public var collection: Any {
        switch ownTree {
        case .aggregate(let parts): parts.map(TreeExpression.make)
        case .subquery(let collection, _, _): TreeExpression.make(collection)
        default: missing("collection")
        }
    }

    /// The predicate of a subquery or conditional.
    public var predicate: NSPredicate {
        switch ownTree {
        case .subquery(_, _, let predicate), .conditional(let predicate, _, _): NSPredicate.make(predicate)
        default: missing("predicate")
        }
    }

    /// The left side of a set operation.
    public var left: NSExpression {
        guard case .set(_, let left, _) = ownTree else { missing("left") }
        return TreeExpression.make(left)
    }

    /// The right side of a set operation.
    public var right: NSExpression {
        guard case .set(_, _, let right) = ownTree else { missing("right") }
        return TreeExpression.make(right)
    }

    /// The value of a conditional whose predicate is true.
    public var `true`: NSExpression {
        guard case .conditional(_, let yes, _) = ownTree else { missing("true") }
        return TreeExpression.make(yes)
    }

    /// The value of a conditional whose predicate is false.
    public var `false`: NSExpression {
        guard case .conditional(_, _, let no) = ownTree else { missing("false") }
        return TreeExpression.make(no)
    }

    /// The expression's value on `object`, nil for null. `context` binds variables by name.
    ///
    /// Stops the program when the expression cannot be evaluated on `object`, where Apple's raises.
    public func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        do {
            let variables = context.map { $0 as? [String: Any] ?? [:] }
            return PredicateBridging.any(try ownTree.value(with: object, variables: variables))
        } catch {
            fatalError("The expression “\(PredicatePrinter.text(of: ownTree))” cannot be evaluated: \(error)")
        }
    }

    private var ownTree: ExpressionTree { ExpressionBridging.tree(ofAny: self) }

    private func missing(_ part: String) -> Never {
        fatalError("The expression “\(PredicatePrinter.text(of: ownTree))” has no \(part). Ask its expressionType first.")
    }
}

extension ElementIndex {
    /// The index as the second argument of `objectFrom:withIndex:`.
    fileprivate var expression: ExpressionTree {
        switch self {
        case .first: .constant(.string("FIRST"))
        case .last: .constant(.string("LAST"))
        case .size: .constant(.string("SIZE"))
        case .at(let index): index
        }
    }
}
