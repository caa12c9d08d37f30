import Foundation

extension PredicateExpressions.Arithmetic: ValueConvertible {
    func expressionTree(_ conversion: TypedConversion) throws -> ExpressionTree {
        let function = switch op {
        case .add: "add:to:"
        case .subtract: "from:subtract:"
        case .multiply: "multiply:by:"
        @unknown default: throw UnsayableExpression()
        }
        return .function(function, [try conversion.expression(lhs), try conversion.expression(rhs)])
    }
}

extension PredicateExpressions.IntDivision: ValueConvertible {
    func expressionTree(_ conversion: TypedConversion) throws -> ExpressionTree {
        .function("divide:by:", [try conversion.expression(lhs), try conversion.expression(rhs)])
    }
}

extension PredicateExpressions.IntRemainder: ValueConvertible {
    func expressionTree(_ conversion: TypedConversion) throws -> ExpressionTree {
        .function("modulus:by:", [try conversion.expression(lhs), try conversion.expression(rhs)])
    }
}

extension PredicateExpressions.FloatDivision: ValueConvertible {
    func expressionTree(_ conversion: TypedConversion) throws -> ExpressionTree {
        .function("divide:by:", [try conversion.expression(lhs), try conversion.expression(rhs)])
    }
}

extension PredicateExpressions.UnaryMinus: ValueConvertible {
    func expressionTree(_ conversion: TypedConversion) throws -> ExpressionTree {
        if let value = conversion.constant(wrapped) { return .constant(try conversion.bridge(-value)) }
        return .function("from:subtract:", [.constant(.integer(0)), try conversion.expression(wrapped)])
    }
}
