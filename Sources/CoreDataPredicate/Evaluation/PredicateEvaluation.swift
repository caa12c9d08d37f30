import Foundation

/// Predicates and expressions evaluated in memory.
///
/// Invariant: a subject is only asked for keys; nothing is kept between evaluations but compiled regular expressions.
package enum PredicateEvaluation {
    /// Whether `subject` satisfies the predicate; unknown (see `NilRules.sql`) is not satisfied. Throws
    /// `PredicateEvaluationError`, and whatever the subject throws for an unknown key.
    package static func evaluate(
        _ tree: PredicateTree, subject: any PredicateSubject, variables: [String: PredicateValue] = [:], rules: NilRules
    ) throws -> Bool {
        try Evaluator(subject: subject, variables: variables, rules: rules).truth(of: tree) ?? false
    }

    /// The value of an expression for `subject`.
    package static func evaluate(
        expression tree: ExpressionTree, subject: any PredicateSubject, variables: [String: PredicateValue] = [:],
        rules: NilRules
    ) throws -> PredicateValue {
        try Evaluator(subject: subject, variables: variables, rules: rules).value(of: tree)
    }
}

/// One evaluation; truth is three-valued, nil being unknown.
struct Evaluator {
    let subject: any PredicateSubject
    var variables: [String: PredicateValue]
    let rules: NilRules
    /// Values of a path are asked one by one, so that it matters which there are and not how often.
    var asksEach = false

    func truth(of tree: PredicateTree) throws -> Bool? {
        switch tree {
        case .constant(let value): return value
        case .comparison(let comparison): return try truth(of: comparison)
        case .not(let part): return try truth(of: part).map { !$0 }
        case .and(let parts):
            var result: Bool? = true
            for part in parts {
                let truth = try truth(of: part)
                if truth == false { return false }
                if truth == nil { result = nil }
            }
            return result
        case .or(let parts):
            var result: Bool? = false
            for part in parts {
                let truth = try truth(of: part)
                if truth == true { return true }
                if truth == nil { result = nil }
            }
            return result
        case .block(let block):
            return try block.evaluate(
                subject.predicateSelf.foundationObject, variables.isEmpty ? nil : variables.compactMapValues(\.foundationObject))
        }
    }

    func value(of tree: ExpressionTree) throws -> PredicateValue {
        switch tree {
        case .constant(let value): return value
        case .evaluatedObject: return subject.predicateSelf
        case .variable(let name):
            guard let value = variables[name] else { throw PredicateEvaluationError.unboundVariable(name) }
            return value
        case .keyPath(.evaluatedObject, let keys): return try value(of: keys[...], from: subject)
        case .keyPath(let base, let keys): return try value(of: keys[...], from: value(of: base))
        case .function(let selector, let arguments):
            return try FunctionEvaluation.call(selector, try arguments.map { try value(of: $0) })
        case .call(let operand, let selector, let arguments):
            return try SelectorCalls.call(selector, on: value(of: operand), arguments.map { try value(of: $0) }, evaluator: self)
        case .cast(let operand, let type): return try ValueCasting.cast(value(of: operand), to: type)
        case .aggregate(let elements): return .list(try elements.map { try value(of: $0) })
        case .subquery(let collection, let variable, let condition):
            return try subquery(value(of: collection), variable, condition)
        case .conditional(let condition, let first, let second):
            return try value(of: truth(of: condition) == true ? first : second)
        case .element(let operand, let index): return try element(index, of: value(of: operand))
        case .set(let operation, let left, let right):
            return try SetOperations.combine(operation, value(of: left), value(of: right))
        case .block(let block, let arguments):
            if let constant = block.constant { return try PredicateBridging.value(of: constant.value()) }
            return PredicateBridging.value(ofProperty: block.evaluate(
                subject.predicateSelf.foundationObject, try arguments.map { try value(of: $0).foundationObject ?? NSNull() },
                variables.isEmpty ? nil : NSMutableDictionary(dictionary: variables.mapValues { $0.foundationObject ?? NSNull() })))
        case .anyKey:
            throw PredicateEvaluationError.unsupported("ANYKEY is a search over every attribute, which only Spotlight answers")
        }
    }

    /// The elements that satisfy the condition with the variable bound to each; outer variables stay reachable.
    private func subquery(
        _ collection: PredicateValue, _ variable: String, _ condition: PredicateTree
    ) throws -> PredicateValue {
        guard case .list(let elements, let isOrdered) = collection else {
            if collection.isNull { return .list([]) }
            throw PredicateEvaluationError.notACollection(operation: "SUBQUERY", kind: collection.kind)
        }
        var inner = self
        let members = try elements.filter { element in
            inner.variables[variable] = element
            return try inner.truth(of: condition) == true
        }
        return .list(members, isOrdered: isOrdered)
    }

    private func element(_ index: ElementIndex, of value: PredicateValue) throws -> PredicateValue {
        if value.isNull { return .null }
        if case .at(let expression) = index, case .string(let key) = try self.value(of: expression) {
            return try self.value(of: [key][...], from: value)
        }
        guard case .list(let elements, _) = value else {
            throw PredicateEvaluationError.notACollection(operation: "An index", kind: value.kind)
        }
        switch index {
        case .first: return elements.first ?? .null
        case .last: return elements.last ?? .null
        case .size: return .integer(Int64(elements.count))
        case .at(let expression):
            let position = try self.value(of: expression)
            if position.isNull { return .null }
            let number = try Arithmetic.whole(position, for: "An index")
            return elements.indices.contains(Int(number)) ? elements[Int(number)] : .null
        }
    }
}
