import CoreDataPredicate
import CoreDataSchema

/// What may stand beside what in a comparison: one rule for every store, asked once before any of them runs.
extension PredicateScope {
    /// Checks key paths and types, and answers the predicate with its constants as the attributes beside them keep them.
    mutating func checked(_ tree: PredicateTree) throws(StoreError) -> PredicateTree {
        try check(tree)
        return try fitted(tree)
    }

    private mutating func fitted(_ tree: PredicateTree) throws(StoreError) -> PredicateTree {
        switch tree {
        case .constant, .block: return tree
        case .and(let parts): return .and(try fitted(parts))
        case .or(let parts): return .or(try fitted(parts))
        case .not(let part): return .not(try fitted(part))
        case .comparison(var comparison):
            comparison.left = try fitted(comparison.left)
            comparison.right = try fitted(comparison.right)
            try fit(&comparison)
            return .comparison(comparison)
        }
    }

    private mutating func fitted(_ parts: [PredicateTree]) throws(StoreError) -> [PredicateTree] {
        var result: [PredicateTree] = []
        result.reserveCapacity(parts.count)
        for part in parts { result.append(try fitted(part)) }
        return result
    }

    /// Predicates inside an expression, and what arithmetic takes.
    private mutating func fitted(_ expression: ExpressionTree) throws(StoreError) -> ExpressionTree {
        switch expression {
        case .constant, .evaluatedObject, .variable, .anyKey, .block, .keyPath(.evaluatedObject, _), .keyPath(.variable, _): return expression
        case .keyPath(let operand, let keys): return .keyPath(try fitted(operand), keys)
        case .cast(let operand, let type): return .cast(try fitted(operand), type)
        case .element(let operand, let index): return .element(try fitted(operand), index)
        case .aggregate(let elements): return .aggregate(try fitted(elements))
        case .set(let operation, let left, let right): return .set(operation, try fitted(left), try fitted(right))
        case .call(let operand, let selector, let arguments):
            return .call(operand: try fitted(operand), selector: selector, arguments: try fitted(arguments))
        case .function(let name, let arguments):
            let arguments = try fitted(arguments)
            if OperandType.arithmetic.contains(name) { for argument in arguments { try refuseNoNumber(argument, of: name) } }
            return .function(name, arguments)
        case .conditional(let test, let then, let otherwise):
            return .conditional(try fitted(test), try fitted(then), try fitted(otherwise))
        case .subquery(let collection, let variable, let predicate):
            let outer = variables[variable]
            let inside = try fitted(collection)
            variables.updateValue(try elementEntity(collection), forKey: variable)
            defer { variables[variable] = outer }
            return .subquery(inside, variable: variable, try fitted(predicate))
        }
    }

    private mutating func fitted(_ expressions: [ExpressionTree]) throws(StoreError) -> [ExpressionTree] {
        var result: [ExpressionTree] = []
        result.reserveCapacity(expressions.count)
        for expression in expressions { result.append(try fitted(expression)) }
        return result
    }

    private func refuseNoNumber(_ argument: ExpressionTree, of function: String) throws(StoreError) {
        if case .constant(let value) = argument {
            if value.isNull || value.asNumber != nil { return }
            throw .invalidRequest("“\(function)” in the predicate takes numbers, not \(OperandType.describe(value)).")
        }
        guard let type = try type(of: argument), ![.number, .date, .unsearchable].contains(type.kind) else { return }
        throw .invalidRequest("“\(function)” in the predicate takes numbers, but \(type.text) is none. CAST(…, 'NSNumber') makes one of a text.")
    }

    // MARK: Comparisons

    private mutating func fit(_ comparison: inout Comparison) throws(StoreError) {
        switch comparison.operation {
        case .custom: return
        case .beginsWith, .endsWith, .like, .matches: try refuseNoText(comparison)
        case .contains:
            if comparison.modifier == .direct, try isList(comparison.left) {
                try fitPair(&comparison.right, &comparison.left)
            } else {
                try refuseNoText(comparison)
            }
        case .isIn: try fitMembership(&comparison)
        case .between: try fitPair(&comparison.left, &comparison.right)
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
            for side in [comparison.left, comparison.right] {
                guard let type = try type(of: side), type.kind == .object else { continue }
                throw .invalidRequest("\(type.text) stands for objects, and they have no order: compare one of their attributes.")
            }
            try fitPair(&comparison.left, &comparison.right)
        case .equal, .notEqual:
            try refuseList(comparison.right, beside: comparison.left)
            if comparison.modifier == .direct { try refuseList(comparison.left, beside: comparison.right) }
            try fitPair(&comparison.left, &comparison.right)
        }
    }

    /// One value is never equal to a list of them.
    private func refuseList(_ list: ExpressionTree, beside other: ExpressionTree) throws(StoreError) {
        switch list {
        case .constant(.list), .aggregate: break
        default: return
        }
        guard let type = try type(of: other), type.kind != .unsearchable else { return }
        throw .invalidRequest("The predicate compares \(type.text) with a collection. One value is equal to one of several with IN.")
    }

    private mutating func fitMembership(_ comparison: inout Comparison) throws(StoreError) {
        if try isList(comparison.right) { return try fitPair(&comparison.left, &comparison.right) }
        switch comparison.right {
        case .constant(.null), .variable: return
        case .constant(.string), .constant(.url): try refuseNoText(comparison)
        case .constant(let value):
            let subject = try type(of: comparison.left).map { " for \($0.text)" } ?? ""
            throw .invalidRequest("IN\(subject) takes a collection, such as {1, 2}, or an array or set as argument: not \(OperandType.describe(value)).")
        default:
            guard let type = try type(of: comparison.right) else { return }
            guard type.kind != .text, type.kind != .url else { return try refuseNoText(comparison) }
            throw .invalidRequest("IN takes a collection, and \(type.text) is a single value. Compare it with ==.")
        }
    }

    /// Whether the expression is many values: a written list, or what a to-many leads to.
    private mutating func isList(_ expression: ExpressionTree) throws(StoreError) -> Bool {
        switch expression {
        case .constant(.list), .aggregate: true
        default: try isCollection(expression)
        }
    }

    /// Constants on either side fitted to the other side's type; two keys must be of kinds that can meet.
    private func fitPair(_ left: inout ExpressionTree, _ right: inout ExpressionTree) throws(StoreError) {
        let (leftType, rightType) = (try type(of: left), try type(of: right))
        if let leftType { right = try fit(right, to: leftType) }
        if let rightType { left = try fit(left, to: rightType) }
        guard let leftType, let rightType, !leftType.meets(rightType) else { return }
        throw .invalidRequest("The predicate compares \(leftType.text) with \(rightType.text) and they are never equal. CAST makes one type of another.")
    }

    private func fit(_ expression: ExpressionTree, to type: OperandType) throws(StoreError) -> ExpressionTree {
        switch expression {
        case .constant(.list(let values, let isOrdered)):
            if values.allSatisfy(type.keeps) { return expression }
            var fitted: [PredicateValue] = []
            fitted.reserveCapacity(values.count)
            for value in values { fitted.append(try type.fit(value)) }
            return .constant(.list(fitted, isOrdered: isOrdered))
        case .constant(let value): return .constant(try type.fit(value))
        case .aggregate(let elements):
            var fitted: [ExpressionTree] = []
            for element in elements {
                if let other = try self.type(of: element), !other.meets(type) {
                    throw .invalidRequest("The predicate compares \(type.text) with \(other.text) and they are never equal.")
                }
                fitted.append(try fit(element, to: type))
            }
            return .aggregate(fitted)
        default: return expression
        }
    }

    /// String operators take texts, and numbers as attributes: those are written out.
    private func refuseNoText(_ comparison: Comparison) throws(StoreError) {
        let name = comparison.operation.name
        for side in [comparison.left, comparison.right] {
            if case .constant(let value) = side {
                switch value {
                case .null, .string, .url, .uuid: continue
                case .list where comparison.modifier != .direct: continue
                default: throw .invalidRequest("\(name) in the predicate takes text, not \(OperandType.describe(value)).")
                }
            }
            guard let type = try type(of: side) else { continue }
            switch type.kind {
            case .text, .url, .number, .entityName: continue
            default: throw .invalidRequest("\(name) in the predicate takes text, and \(type.text) has none.")
            }
        }
    }
}

extension OperandType {
    /// Whether a value may stand as it is: most lists are of the attribute's own type.
    func keeps(_ value: PredicateValue) -> Bool {
        switch (kind, value) {
        case (.number, .integer), (.number, .real), (.number, .decimal), (.text, .string), (.date, .date), (.uuid, .uuid), (.object, .reference),
             (_, .null), (.unsearchable, _): true
        default: false
        }
    }
}

extension ComparisonOperator {
    /// For errors.
    fileprivate var name: String {
        switch self {
        case .beginsWith: "BEGINSWITH"
        case .endsWith: "ENDSWITH"
        case .like: "LIKE"
        case .matches: "MATCHES"
        case .isIn: "IN (a text in a text)"
        default: "CONTAINS"
        }
    }
}
