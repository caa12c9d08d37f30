import Foundation

extension Evaluator {
    func truth(of comparison: Comparison) throws -> Bool? {
        let left = comparison.modifier != .direct || comparison.operation == .contains
            ? try members(of: comparison.left) : try value(of: comparison.left)
        let right = comparison.operation == .isIn ? try members(of: comparison.right) : try value(of: comparison.right)
        let asksForNil = isNullConstant(comparison.left) || isNullConstant(comparison.right)
        guard comparison.modifier != .direct else { return try compare(comparison, left, right, asksForNil: asksForNil) }
        let elements: [PredicateValue]
        switch left {
        case .list(let list, _): elements = list
        // A path that breaks before its collection leads to no elements, as SQL's join does.
        case .null: elements = []
        default: elements = [left]
        }
        // Like EXISTS, a quantifier always knows: an element whose comparison is unknown is no match.
        for element in elements {
            let matches = try compare(comparison, element, right, asksForNil: asksForNil) == true
            if matches != (comparison.modifier == .all) { return matches }
        }
        return comparison.modifier == .all
    }

    /// The value of a path whose members are asked in turn: no need to meet one twice.
    private func members(of tree: ExpressionTree) throws -> PredicateValue {
        switch tree {
        case .keyPath(.evaluatedObject, let keys), .keyPath(.variable, let keys):
            keys.count > 2 ? try asked(true).value(of: tree) : try value(of: tree)
        default: try value(of: tree)
        }
    }

    func asked(_ asksEach: Bool) -> Evaluator {
        guard asksEach != self.asksEach else { return self }
        var evaluator = self
        evaluator.asksEach = asksEach
        return evaluator
    }

    /// `== nil` and `!= nil` ask for nil when one side is a null constant, or a variable that stands for one.
    private func isNullConstant(_ tree: ExpressionTree) -> Bool {
        switch tree {
        case .constant(.null): true
        case .variable(let name): variables[name]?.isNull == true
        default: false
        }
    }

    private func compare(
        _ comparison: Comparison, _ left: PredicateValue, _ right: PredicateValue, asksForNil: Bool
    ) throws -> Bool? {
        if comparison.operation == .custom {
            guard let selector = comparison.selector else {
                throw PredicateEvaluationError.unsupported("A custom comparison without a selector cannot be evaluated")
            }
            return try SelectorCalls.compare(selector, left, right, evaluator: self)
        }
        let options = comparison.options
        let isTwoValued = rules == .memory || options.contains(.swiftNil)
        switch comparison.operation {
        case .equal, .notEqual:
            let (left, right) = Self.besideTexts(comparison, left, right)
            let equal: Bool? = if left.isNull || right.isNull {
                isTwoValued || asksForNil ? left.isNull && right.isNull : nil
            } else {
                ValueComparison.equal(left, right, options: options.comparing)
            }
            return comparison.operation == .equal ? equal : equal.map { !$0 }
        case .isIn:
            return try member(left, of: right, comparison.right, isTwoValued: isTwoValued, comparison)
        case .contains where right.isList == false && left.isList:
            return try member(right, of: left, comparison.left, isTwoValued: isTwoValued, comparison)
        case .between:
            return try between(comparison, left, right, isTwoValued: isTwoValued)
        default: break
        }
        if left.isNull || right.isNull { return isTwoValued ? false : nil }
        return try compareKnown(comparison, left, right)
    }

    /// Like EXISTS, membership in a relationship is always known; in a written list it is not where nil takes part.
    private func member(
        _ value: PredicateValue, of collection: PredicateValue, _ tree: ExpressionTree, isTwoValued: Bool, _ comparison: Comparison
    ) throws -> Bool? {
        var collection = collection
        if case .string = value, case .list(let elements, _) = collection, case .constant = tree, elements.contains(where: \.isNumber) {
            collection = collection.writtenOut
        } else if case .string = value, case .aggregate = tree {
            collection = collection.writtenOut
        }
        let found = try Membership.contains(
            value, in: collection, options: comparison.options, isTwoValued: isTwoValued, comparison: comparison)
        switch tree {
        case .constant, .aggregate, .variable: return found
        default: return collection.isList ? found ?? false : found
        }
    }

    private func compareKnown(_ comparison: Comparison, _ left: PredicateValue, _ right: PredicateValue) throws -> Bool {
        if left.isList || right.isList {
            throw PredicateEvaluationError.needsQuantifier(PredicatePrinter.text(of: comparison))
        }
        let options = comparison.options.comparing
        switch comparison.operation {
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
            let (left, right) = Self.besideTexts(comparison, left, right)
            guard let order = ValueComparison.order(left, right, options: options) else { return false }
            return comparison.operation.accepts(order)
        default:
            guard let text = left.asText, let part = right.asText else { return false }
            switch comparison.operation {
            case .beginsWith: return TextMatching.begins(text, with: part, options: options)
            case .endsWith: return TextMatching.ends(text, with: part, options: options)
            case .contains: return TextMatching.contains(text, part, options: options)
            case .like: return LikePattern(part, options: options).matches(text)
            case .matches: return try RegularExpressions.matches(text, part, options: options)
            default: return false
            }
        }
    }

    /// A constant number beside a text that is none is that number's text, as a store compares it.
    private static func besideTexts(
        _ comparison: Comparison, _ left: PredicateValue, _ right: PredicateValue
    ) -> (PredicateValue, PredicateValue) {
        switch (left, right) {
        case (.string, .integer), (.string, .real), (.string, .decimal), (.string, .boolean):
            guard case .constant = comparison.right else { return (left, right) }
            if case .constant = comparison.left { return (left, right) }
            return (left, right.writtenOut)
        case (.integer, .string), (.real, .string), (.decimal, .string), (.boolean, .string):
            guard case .constant = comparison.left else { return (left, right) }
            if case .constant = comparison.right { return (left, right) }
            return (left.writtenOut, right)
        default: return (left, right)
        }
    }

    /// `left >= lower AND left <= upper`, each with its nil.
    private func between(
        _ comparison: Comparison, _ left: PredicateValue, _ right: PredicateValue, isTwoValued: Bool
    ) throws -> Bool? {
        guard case .list(let bounds, _) = right, bounds.count == 2 else {
            if right.isNull { return isTwoValued ? false : nil }
            throw PredicateEvaluationError.badBounds(
                kind: right.isList ? "a list of another length" : right.kind)
        }
        if left.isList { throw PredicateEvaluationError.needsQuantifier(PredicatePrinter.text(of: comparison)) }
        var result: Bool? = true
        let isText = if case .string = left { true } else { false }
        for (given, refused) in [(bounds[0], ComparisonResult.orderedAscending), (bounds[1], .orderedDescending)] {
            let bound = isText ? given.writtenOut : given
            if left.isNull || bound.isNull {
                if isTwoValued { return false }
                result = nil
            } else {
                guard let order = ValueComparison.order(left, bound, options: comparison.options.comparing) else { return false }
                if order == refused { return false }
            }
        }
        return result
    }
}

extension ComparisonOptions {
    /// The options that concern texts.
    var comparing: ComparisonOptions { subtracting(.swiftNil) }
}

extension ComparisonOperator {
    fileprivate func accepts(_ order: ComparisonResult) -> Bool {
        switch self {
        case .lessThan: order == .orderedAscending
        case .lessThanOrEqual: order != .orderedDescending
        case .greaterThan: order == .orderedDescending
        case .greaterThanOrEqual: order != .orderedAscending
        default: false
        }
    }
}

extension PredicateValue {
    /// A number as its text; a list's numbers as theirs.
    var writtenOut: PredicateValue {
        switch self {
        case .integer, .real, .decimal, .boolean: asText.map(PredicateValue.string) ?? self
        case .list(let values, let isOrdered): .list(values.map(\.writtenOut), isOrdered: isOrdered)
        default: self
        }
    }

    var isNumber: Bool {
        switch self {
        case .integer, .real, .decimal, .boolean: true
        default: false
        }
    }

    var isList: Bool { if case .list = self { true } else { false } }
}
