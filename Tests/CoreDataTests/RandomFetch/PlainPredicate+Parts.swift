import CoreData

/// The same predicates made of `NSComparisonPredicate`, `NSCompoundPredicate` and `NSExpression`.
struct PlainAssembly {
    let object: (Int) -> Any

    func predicate(_ predicate: PlainPredicate) -> NSPredicate {
        switch predicate {
        case .truth(let value): return NSPredicate(value: value)
        case .not(let part): return NSCompoundPredicate(notPredicateWithSubpredicate: self.predicate(part))
        case .and(let parts): return NSCompoundPredicate(andPredicateWithSubpredicates: parts.map { self.predicate($0) })
        case .or(let parts): return NSCompoundPredicate(orPredicateWithSubpredicates: parts.map { self.predicate($0) })
        case .compare(let comparison): return self.comparison(comparison)
        }
    }

    private func comparison(_ comparison: PlainComparison) -> NSPredicate {
        let modifier: NSComparisonPredicate.Modifier = switch comparison.quantifier {
        case .direct: .direct
        case .all: .all
        case .any, .none: .any
        }
        let made = NSComparisonPredicate(
            leftExpression: expression(comparison.left), rightExpression: expression(comparison.right), modifier: modifier,
            type: type(comparison.operation), options: NSComparisonPredicate.Options(rawValue: comparison.options.rawValue))
        return comparison.quantifier == .none ? NSCompoundPredicate(notPredicateWithSubpredicate: made) : made
    }

    private func type(_ operation: PlainOperator) -> NSComparisonPredicate.Operator {
        switch operation {
        case .equal: .equalTo
        case .notEqual: .notEqualTo
        case .less: .lessThan
        case .lessOrEqual: .lessThanOrEqualTo
        case .greater: .greaterThan
        case .greaterOrEqual: .greaterThanOrEqualTo
        case .between: .between
        case .isIn: .in
        case .contains: .contains
        case .begins: .beginsWith
        case .ends: .endsWith
        case .like: .like
        case .matches: .matches
        }
    }

    private func expression(_ expression: PlainExpression) -> NSExpression {
        switch expression {
        case .constant(let value): return NSExpression(forConstantValue: value.object(object))
        case .pattern(let pattern): return NSExpression(forConstantValue: pattern.text)
        case .list(let elements): return NSExpression(forAggregate: elements.map { self.expression($0) })
        case .path(let variable, let keys): return path(variable, keys)
        case .arithmetic(let symbol, let a, let b):
            let names = ["+": "add:to:", "-": "from:subtract:", "*": "multiply:by:", "/": "divide:by:", "**": "raise:toPower:"]
            return NSExpression(forFunction: names[symbol] ?? symbol, arguments: [self.expression(a), self.expression(b)])
        case .call(let name, let arguments): return NSExpression(forFunction: name, arguments: arguments.map { self.expression($0) })
        case .aggregate(let name, let variable, let collection, let key):
            if name == "@count", key.isEmpty, collection.count == 1 {
                return NSExpression(forFunction: "count:", arguments: [path(variable, collection)])
            }
            return path(variable, collection + [name] + (key.isEmpty ? [] : [key]))
        case .subqueryCount(let variable, let collection, let element, let predicate):
            let subquery = NSExpression(
                forSubquery: path(variable, collection), usingIteratorVariable: element, predicate: self.predicate(predicate))
            return NSExpression(forFunction: "count:", arguments: [subquery])
        case .conditional(let test, let a, let b):
            return NSExpression(
                forConditional: predicate(test), trueExpression: self.expression(a), falseExpression: self.expression(b))
        case .element(let collection, let first, let key):
            return NSExpression(format: "\(collection.joined(separator: "."))[\(first ? "FIRST" : "LAST")].\(key)")
        }
    }

    private func path(_ variable: String?, _ keys: [String]) -> NSExpression {
        guard let variable else {
            return keys.isEmpty ? NSExpression.expressionForEvaluatedObject() : NSExpression(forKeyPath: keys.joined(separator: "."))
        }
        if keys.isEmpty { return NSExpression(forVariable: variable) }
        // Keys of a variable have no part of their own at Apple's either.
        return NSExpression(format: PlainFormat.path(variable, keys))
    }
}
