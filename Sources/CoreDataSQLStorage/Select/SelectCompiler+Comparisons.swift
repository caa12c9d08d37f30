import CoreDataPredicate
import CoreDataSchema
import CoreDataStorage

extension SelectCompiler {
    func condition(_ comparison: Comparison) throws -> SQLFragment {
        let text = try rawCondition(comparison)
        // Swift's `!=` and `!` know no third value.
        return comparison.options.contains(.swiftNil) ? "IFNULL(" + text + ", 0)" : text
    }

    private func rawCondition(_ comparison: Comparison) throws -> SQLFragment {
        if let zero = try countAgainstZero(comparison) { return zero }
        if comparison.modifier != .direct {
            if let path = try toManyPath(comparison.left) { return try quantified(comparison, path, isLeft: true) }
            if let path = try toManyPath(comparison.right) { return try quantified(comparison, path, isLeft: false) }
            switch comparison.left {
            case .constant(.list(let values, _)): return try quantified(comparison, values.map { .constant($0) })
            case .aggregate(let elements): return try quantified(comparison, elements)
            default: break
            }
        } else if let membership = try membership(comparison) {
            return membership
        }
        let text = try compare(comparison, try operand(comparison.left), nil)
        // Like EXISTS, a quantifier always knows; of a to-one too.
        return comparison.modifier == .direct ? text : "IFNULL(" + text + ", 0)"
    }

    /// ANY or ALL of a list. Like EXISTS a quantifier always knows: an element that is not known to pass does not.
    private func quantified(_ comparison: Comparison, _ elements: [ExpressionTree]) throws -> SQLFragment {
        let parts = try elements.map { element -> SQLFragment in
            var single = comparison
            single.left = element
            single.modifier = .direct
            return "IFNULL(" + (try nested(6) { try rawCondition(single) }) + ", 0)"
        }
        if parts.isEmpty { return SQLFragment(comparison.modifier == .all ? "1" : "0") }
        return try SelectCompiler.joined(parts, by: comparison.modifier == .all ? " AND " : " OR ")
    }

    /// `x.@count > 0` and its kin need not count.
    private func countAgainstZero(_ comparison: Comparison) throws -> SQLFragment? {
        guard comparison.modifier == .direct, let number = try smallNumber(comparison.right) else { return nil }
        let negated: Bool
        switch (comparison.operation, number) {
        case (.greaterThan, 0), (.notEqual, 0), (.greaterThanOrEqual, 1): negated = false
        case (.equal, 0), (.lessThanOrEqual, 0), (.lessThan, 1): negated = true
        default: return nil
        }
        guard let counted = try counted(comparison.left) else { return nil }
        return exists(counted.members, counted.condition, negated: negated)
    }

    private func smallNumber(_ expression: ExpressionTree) throws -> Int64? {
        guard case .constant(.integer(let number)) = expression else { return nil }
        return number
    }

    /// A comparison of two operands; `right` overrides the comparison's own right side.
    func compare(_ comparison: Comparison, _ left: Operand, _ right: Operand?) throws -> SQLFragment {
        var condition = try plainCompare(comparison, left, right)
        condition.startsAtIndex = startsAtIndex(comparison, left, right)
        return condition
    }

    /// Whether an index finds the rows: of an indexed column against constants.
    private func startsAtIndex(_ comparison: Comparison, _ left: Operand, _ right: Operand?) -> Bool {
        if foldFlags(comparison) != nil { return false }
        let isConstant: Bool
        if let right { isConstant = right.constant != nil } else {
            isConstant = switch comparison.right { case .constant, .aggregate: true; default: false }
        }
        switch comparison.operation {
        case .equal, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
            return left.isIndexed && isConstant || right?.isIndexed == true && left.constant != nil
        case .isIn, .between, .beginsWith: return left.isIndexed && isConstant
        default: return false
        }
    }

    private func plainCompare(_ comparison: Comparison, _ left: Operand, _ right: Operand?) throws -> SQLFragment {
        switch comparison.operation {
        case .lessThan: return try ordered("<", comparison, left, right)
        case .lessThanOrEqual: return try ordered("<=", comparison, left, right)
        case .greaterThan: return try ordered(">", comparison, left, right)
        case .greaterThanOrEqual: return try ordered(">=", comparison, left, right)
        case .equal, .notEqual: return try equality(comparison, left, right)
        case .between: return try between(comparison, left)
        case .isIn:
            if let right { return try containsText(comparison, text: right, part: left) }
            return try inList(comparison, left)
        case .contains: return try containsText(comparison, text: left, part: try right ?? operand(comparison.right))
        case .beginsWith, .endsWith, .like, .matches:
            return try textual(comparison, left, try right ?? operand(comparison.right))
        case .custom: throw SQLCannotSay(what: "a custom selector")
        }
    }

    /// The type both sides are bound as: that of the side that is not a constant.
    private func commonType(_ left: Operand, _ right: Operand) throws -> ValueType {
        if left.type == .external || right.type == .external { throw SQLCannotSay(what: "a comparison with data that may be in a file") }
        if (left.type == .entity) != (right.type == .entity), left.constant == nil, right.constant == nil {
            throw SQLCannotSay(what: "an entity's name beside another value")
        }
        // Keys of different trees of entities are numbers of different tables, equal by accident.
        if case .reference(let one) = left.type, case .reference(let other) = right.type, !shareRows(one, other) {
            throw SQLCannotSay(what: "objects of unrelated entities beside one another")
        }
        return left.constant == nil ? left.type : right.type
    }

    func shareRows(_ one: Int, _ other: Int) -> Bool { model.entities[one].rootIndex == model.entities[other].rootIndex }

    /// Entities are numbers in SQL: only equal or not.
    private func refuseOrder(_ operands: Operand...) throws {
        if operands.contains(where: { $0.type == .entity }) { throw SQLCannotSay(what: "the order of entity names") }
    }

    private func ordered(_ symbol: String, _ comparison: Comparison, _ left: Operand, _ right: Operand?) throws -> SQLFragment {
        let right = try right ?? operand(comparison.right)
        try refuseOrder(left, right)
        let type = try commonType(left, right)
        let (a, b) = (try sql(left, as: type), try sql(right, as: type))
        if let flags = foldFlags(comparison), type.isText || type == .any { return fold(a, flags) + " \(symbol) " + fold(b, flags) }
        return a + " \(symbol) " + b
    }

    private func equality(_ comparison: Comparison, _ left: Operand, _ right: Operand?) throws -> SQLFragment {
        let right = try right ?? operand(comparison.right)
        let isEqual = comparison.operation == .equal
        if case .null = right.constant { return (try sql(left, as: .any)) + (isEqual ? " IS NULL" : " IS NOT NULL") }
        if case .null = left.constant { return (try sql(right, as: .any)) + (isEqual ? " IS NULL" : " IS NOT NULL") }
        let type = try commonType(left, right)
        if type == .entity, foldFlags(comparison) != nil { throw SQLCannotSay(what: "entity names without regard to case") }
        let (a, b) = (try sql(left, as: type), try sql(right, as: type))
        let symbol = comparison.options.contains(.swiftNil) ? (isEqual ? " IS " : " IS NOT ") : (isEqual ? " = " : " <> ")
        if let flags = foldFlags(comparison), type.isText || type == .any { return fold(a, flags) + symbol + fold(b, flags) }
        return a + symbol + b
    }

    private func between(_ comparison: Comparison, _ left: Operand) throws -> SQLFragment {
        let bounds: [Operand]
        switch comparison.right {
        case .constant(.list(let values, _)): bounds = values.map { Operand(constant: $0) }
        case .aggregate(let elements): bounds = try elements.map { try operand($0) }
        case .constant(.null): return SQLFragment("NULL")
        default: throw StoreError.invalidRequest("BETWEEN takes a list of two values, such as {1, 10}.")
        }
        guard bounds.count == 2 else { throw StoreError.invalidRequest("BETWEEN takes two values, not \(bounds.count).") }
        try refuseOrder(left, bounds[0], bounds[1])
        let type = left.constant == nil ? left.type : try commonType(bounds[0], bounds[1])
        let flags = type.isText || type == .any ? foldFlags(comparison) : nil
        func side(_ operand: Operand) throws -> SQLFragment {
            let text = try sql(operand, as: type)
            return flags.map { fold(text, $0) } ?? text
        }
        return (try side(left)) + " BETWEEN " + (try side(bounds[0])) + " AND " + (try side(bounds[1]))
    }
}
