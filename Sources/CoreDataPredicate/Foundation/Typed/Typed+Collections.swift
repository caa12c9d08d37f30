import Foundation

extension PredicateExpressions.SequenceContains: TruthConvertible {
    func predicateTree(_ conversion: TypedConversion) throws -> PredicateTree {
        let element = try conversion.expression(element)
        let sequence = try conversion.expression(sequence)
        if case .constant(.list(let values, _)) = sequence { return member(element, of: values) }
        if LHS.Output.self is any StringProtocol.Type { return .swift(sequence, .contains, element) }
        switch sequence {
        case .constant: throw UnsayableExpression()
        default: return .swift(sequence, .contains, element)
        }
    }

    /// `values.contains(element)`. nil is an element like any other in Swift, and never one in SQL.
    private func member(_ element: ExpressionTree, of values: [PredicateValue]) -> PredicateTree {
        let present = values.filter { $0 != .null }
        guard RHS.Output.self is any OptionalValue.Type else { return .swift(element, .isIn, .constant(.list(present))) }
        let isMember = PredicateTree.all(element.isPresent, .swift(element, .isIn, .constant(.list(present))))
        return present.count == values.count ? isMember : .either(.negation(element.isPresent), isMember)
    }
}

extension PredicateExpressions.SequenceContainsWhere: TruthConvertible {
    func predicateTree(_ conversion: TypedConversion) throws -> PredicateTree {
        if let each = try TypedElements.captured(sequence, conversion) {
            return .or(try each.map { try conversion.with(variable.key, as: $0) { try conversion.predicate(test) } })
        }
        let matching = try TypedElements.subquery(sequence, variable.key, conversion) { try conversion.predicate(test) }
        return .swift(.keyPath(matching, ["@count"]), .greaterThan, .constant(.integer(0)))
    }
}

extension PredicateExpressions.SequenceAllSatisfy: TruthConvertible {
    func predicateTree(_ conversion: TypedConversion) throws -> PredicateTree {
        if let each = try TypedElements.captured(sequence, conversion) {
            return .and(try each.map { try conversion.with(variable.key, as: $0) { try conversion.predicate(test) } })
        }
        let failing = try TypedElements.subquery(sequence, variable.key, conversion) { .negation(try conversion.predicate(test)) }
        return .swift(.keyPath(failing, ["@count"]), .equal, .constant(.integer(0)))
    }
}

extension PredicateExpressions.Filter: ValueConvertible {
    func expressionTree(_ conversion: TypedConversion) throws -> ExpressionTree {
        try TypedElements.subquery(sequence, variable.key, conversion) { try conversion.predicate(filter) }
    }
}

extension PredicateExpressions.CollectionIndexSubscript: ValueConvertible {
    func expressionTree(_ conversion: TypedConversion) throws -> ExpressionTree {
        guard Index.Output.self == Int.self, case let base = try conversion.expression(wrapped), base.constantValue == nil else {
            throw UnsayableExpression()
        }
        return .element(base, .at(try conversion.expression(index)))
    }
}

extension PredicateExpressions.SequenceMaximum: ValueConvertible {
    func expressionTree(_ conversion: TypedConversion) throws -> ExpressionTree {
        guard case let base = try conversion.expression(elements), base.constantValue == nil else { throw UnsayableExpression() }
        return .function("max:", [base])
    }
}

extension PredicateExpressions.SequenceMinimum: ValueConvertible {
    func expressionTree(_ conversion: TypedConversion) throws -> ExpressionTree {
        guard case let base = try conversion.expression(elements), base.constantValue == nil else { throw UnsayableExpression() }
        return .function("min:", [base])
    }
}

/// The elements that a closure of a `#Predicate` ranges over.
enum TypedElements {
    /// The elements of a captured collection, when they are few enough to be written out; nil for a collection of the row's.
    static func captured(_ sequence: some PredicateExpression, _ conversion: TypedConversion) throws -> [ExpressionTree]? {
        guard case .constant(let value) = try conversion.expression(sequence) else { return nil }
        guard case .list(let elements, _) = value, elements.count <= 50 else { throw UnsayableExpression() }
        return elements.map { .constant($0) }
    }

    static func subquery(
        _ sequence: some PredicateExpression, _ variable: PredicateExpressions.VariableID, _ conversion: TypedConversion,
        _ test: () throws -> PredicateTree
    ) throws -> ExpressionTree {
        let collection = try conversion.expression(sequence)
        guard collection.constantValue == nil else { throw UnsayableExpression() }
        let name = conversion.iterator()
        return .subquery(collection, variable: name, try conversion.with(variable, as: .variable(name), test))
    }
}
