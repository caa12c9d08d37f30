extension ExpressionTree {
    /// The tree with each variable's value in its place; see `PredicateTree.substituting`.
    package func substituting(variables: [String: PredicateValue]) throws(PredicateEvaluationError) -> ExpressionTree {
        try substituting(variables, bound: [])
    }

    func substituting(
        _ variables: [String: PredicateValue], bound: Set<String>
    ) throws(PredicateEvaluationError) -> ExpressionTree {
        func inside(_ tree: ExpressionTree) throws(PredicateEvaluationError) -> ExpressionTree {
            try tree.substituting(variables, bound: bound)
        }
        func inside(_ trees: [ExpressionTree]) throws(PredicateEvaluationError) -> [ExpressionTree] {
            var result: [ExpressionTree] = []
            for tree in trees { result.append(try inside(tree)) }
            return result
        }
        switch self {
        case .constant, .evaluatedObject, .anyKey: return self
        case .variable(let name):
            if bound.contains(name) { return self }
            guard let value = variables[name] else { throw .unboundVariable(name) }
            return .constant(value)
        case .keyPath(let base, let keys): return .keyPath(try inside(base), keys)
        case .function(let selector, let arguments): return .function(selector, try inside(arguments))
        case .block(let block, let arguments): return .block(block, try inside(arguments))
        case .call(let operand, let selector, let arguments):
            return .call(operand: try inside(operand), selector: selector, arguments: try inside(arguments))
        case .cast(let operand, let type): return .cast(try inside(operand), type)
        case .aggregate(let elements): return .aggregate(try inside(elements))
        case .subquery(let collection, let variable, let condition):
            return .subquery(
                try inside(collection), variable: variable,
                try condition.substituting(variables, bound: bound.union([variable])))
        case .conditional(let condition, let first, let second):
            return .conditional(try condition.substituting(variables, bound: bound), try inside(first), try inside(second))
        case .element(let operand, .at(let index)): return .element(try inside(operand), .at(try inside(index)))
        case .element(let operand, let index): return .element(try inside(operand), index)
        case .set(let operation, let left, let right): return .set(operation, try inside(left), try inside(right))
        }
    }

    func collect(into names: inout Set<String>, bound: Set<String>) {
        switch self {
        case .constant, .evaluatedObject, .anyKey: break
        case .variable(let name): if !bound.contains(name) { names.insert(name) }
        case .keyPath(let base, _), .cast(let base, _): base.collect(into: &names, bound: bound)
        case .function(_, let arguments), .aggregate(let arguments), .block(_, let arguments):
            for argument in arguments { argument.collect(into: &names, bound: bound) }
        case .call(let operand, _, let arguments):
            for argument in [operand] + arguments { argument.collect(into: &names, bound: bound) }
        case .subquery(let collection, let variable, let condition):
            collection.collect(into: &names, bound: bound)
            condition.collect(into: &names, bound: bound.union([variable]))
        case .conditional(let condition, let first, let second):
            condition.collect(into: &names, bound: bound)
            first.collect(into: &names, bound: bound)
            second.collect(into: &names, bound: bound)
        case .element(let operand, let index):
            operand.collect(into: &names, bound: bound)
            if case .at(let tree) = index { tree.collect(into: &names, bound: bound) }
        case .set(_, let left, let right):
            left.collect(into: &names, bound: bound)
            right.collect(into: &names, bound: bound)
        }
    }
}
