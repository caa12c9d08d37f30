import CoreDataSchema
import Foundation

extension PredicateExpressions.Value: ValueConvertible {
    func expressionTree(_ conversion: TypedConversion) throws -> ExpressionTree {
        .constant(try conversion.bridge(value))
    }

    func predicateTree(_ conversion: TypedConversion) throws -> PredicateTree {
        guard let value = PredicateBridging.boolean(value) else { return .constant(false) }
        return .constant(value)
    }
}

extension PredicateExpressions.NilLiteral: ValueConvertible {
    func expressionTree(_ conversion: TypedConversion) throws -> ExpressionTree { .constant(.null) }
}

extension PredicateExpressions.Variable: ValueConvertible {
    func expressionTree(_ conversion: TypedConversion) throws -> ExpressionTree { try conversion.value(of: key) }
}

extension PredicateExpressions.KeyPath: ValueConvertible {
    func expressionTree(_ conversion: TypedConversion) throws -> ExpressionTree {
        if let kind = common { return try tree(of: kind, conversion) }
        let base = try conversion.expression(root)
        let name = try conversion.name(of: keyPath)
        // An object and its ID are the same thing to a predicate.
        if name == "objectID" || name == "self" { return base }
        switch base {
        case .constant: throw UnsayableExpression()
        case .keyPath(let operand, let keys): return .keyPath(operand, keys + name.steps)
        default: return .keyPath(base, name.steps)
        }
    }

    func predicateTree(_ conversion: TypedConversion) throws -> PredicateTree {
        if common == .collectionIsEmpty {
            if Root.Output.self is any StringProtocol.Type {
                return .swift(try conversion.expression(root), .equal, .constant(.string("")))
            }
            return .swift(try count(conversion), .equal, .constant(.integer(0)))
        }
        return .swift(try expressionTree(conversion), .equal, .constant(.boolean(true)))
    }

    var isTruth: Bool { common == .collectionIsEmpty }

    /// A collection that is there has a count, though a store counts 0 where it is not.
    func presenceTree(_ conversion: TypedConversion) throws -> PredicateTree {
        switch common {
        case .collectionCount, .collectionIsEmpty: .constant(true)
        default: try expressionTree(conversion).isPresent
        }
    }

    private enum Common { case collectionCount, collectionIsEmpty, first, last }

    private var common: Common? {
        switch kind {
        case .collectionCount: .collectionCount
        case .collectionIsEmpty: .collectionIsEmpty
        case .collectionFirst: .first
        case .bidirectionalCollectionLast: .last
        default: nil
        }
    }

    private func tree(of kind: Common, _ conversion: TypedConversion) throws -> ExpressionTree {
        switch kind {
        case .collectionCount: return try count(conversion)
        case .collectionIsEmpty:
            return .conditional(try predicateTree(conversion), .constant(.boolean(true)), .constant(.boolean(false)))
        case .first, .last:
            // Only arrays have a first element that the store knows too.
            guard Root.Output.self is any RandomAccessCollection.Type, !(Root.Output.self is any StringProtocol.Type) else {
                throw UnsayableExpression()
            }
            return .element(try conversion.expression(root), kind == .first ? .first : .last)
        }
    }

    /// The number of elements. Characters of a string are not what the store counts.
    private func count(_ conversion: TypedConversion) throws -> ExpressionTree {
        guard !(Root.Output.self is any StringProtocol.Type) else { throw UnsayableExpression() }
        switch try conversion.expression(root) {
        case .constant(.list(let elements, _)): return .constant(.integer(Int64(elements.count)))
        case .constant: throw UnsayableExpression()
        case .keyPath(let operand, let keys): return .keyPath(operand, keys + ["@count"])
        case let base: return .keyPath(base, ["@count"])
        }
    }
}

extension PredicateBridging {
    /// The truth in a captured `Bool` or `Bool?`.
    static func boolean(_ any: Any) -> Bool? {
        switch any {
        case let value as Bool: value
        case let value as any OptionalValue: value.wrappedAny.flatMap(boolean)
        default: nil
        }
    }
}

extension String {
    fileprivate var steps: [String] { split(separator: ".").map(String.init) }
}
