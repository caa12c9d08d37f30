import CoreDataPredicate
import CoreDataSchema

/// Archived predicates and expressions as trees.
enum ArchivedPredicate {
    /// The predicate in the format language; some implementations archive just that text.
    static func format(_ object: ArchivedObject, _ reader: ArchivedModelReader, _ label: String) throws(ModelFileError) -> String {
        if let text = object.text { return text }
        return PredicatePrinter.text(of: try predicate(object, reader, label, 0))
    }

    static func expression(_ object: ArchivedObject, _ reader: ArchivedModelReader, _ label: String) throws(ModelFileError) -> ExpressionTree {
        if let text = object.text {
            do {
                return try PredicateFormat.parseExpression(text)
            } catch {
                throw reader.damaged("the expression of “\(label)” has a mistake: \(error)")
            }
        }
        return try expression(object, reader, label, 0)
    }

    private static func predicate(
        _ object: ArchivedObject, _ reader: ArchivedModelReader, _ label: String, _ depth: Int
    ) throws(ModelFileError) -> PredicateTree {
        guard depth < 64 else { throw reader.damaged("the predicate of “\(label)” is nested too deeply") }
        switch object.className {
        case "NSTruePredicate": return .constant(true)
        case "NSFalsePredicate": return .constant(false)
        case "NSCompoundPredicate":
            var parts: [PredicateTree] = []
            for part in object["NSSubpredicates"]?.elements ?? [] { parts.append(try predicate(part, reader, label, depth + 1)) }
            switch (object.integer("NSCompoundPredicateType"), parts.first) {
            case (0, let part?): return .not(part)
            case (1, _): return .and(parts)
            case (2, _): return .or(parts)
            default: throw reader.damaged("a compound predicate of “\(label)” is of an unknown kind")
            }
        case "NSComparisonPredicate":
            guard let left = object["NSLeftExpression"], let right = object["NSRightExpression"], let operation = object["NSPredicateOperator"]
            else { throw reader.damaged("a comparison of “\(label)” lacks a side") }
            return .comparison(try comparison(
                expression(left, reader, label, depth + 1), operation, expression(right, reader, label, depth + 1), reader, label))
        case let name: throw reader.damaged("the predicate of “\(label)” is of the unknown class “\(name ?? "none")”")
        }
    }

    private static func comparison(
        _ left: ExpressionTree, _ object: ArchivedObject, _ right: ExpressionTree, _ reader: ArchivedModelReader, _ label: String
    ) throws(ModelFileError) -> Comparison {
        let number = object.integer("NSOperatorType") ?? -1
        guard number >= 0, var operation = ComparisonOperator(rawValue: UInt(number)),
              let modifier = ComparisonModifier(rawValue: UInt(object.integer("NSModifier") ?? 0))
        else { throw reader.damaged("a comparison of “\(label)” has the unknown operator \(number)") }
        if operation == .equal, object.boolean("NSNegate") { operation = .notEqual }
        let options = object.integer("NSOptions") ?? object.integer("NSFlags") ?? 0
        return Comparison(left, operation, right, modifier: modifier, options: ComparisonOptions(rawValue: UInt(options & 15)))
    }

    private static func expression(
        _ object: ArchivedObject, _ reader: ArchivedModelReader, _ label: String, _ depth: Int
    ) throws(ModelFileError) -> ExpressionTree {
        guard depth < 64 else { throw reader.damaged("the expression of “\(label)” is nested too deeply") }
        func part(_ key: String) throws(ModelFileError) -> ExpressionTree {
            guard let part = object[key] else { throw reader.damaged("an expression of “\(label)” lacks its \(key)") }
            return try expression(part, reader, label, depth + 1)
        }
        switch object.integer("NSExpressionType") {
        case 0:
            guard let constant = object["NSConstantValue"] else { return .constant(.null) }
            if let value = ArchivedValue.predicateValue(constant) { return .constant(value) }
            throw reader.damaged("a constant of “\(label)” is of the unknown class “\(constant.className ?? "none")”")
        case 1: return .evaluatedObject
        case 2: return .variable(object.text("NSVariable") ?? "")
        case 3, 4: return try function(object, reader, label, depth)
        case 5: return .set(.union, try part("NSLeftExpression"), try part("NSRightExpression"))
        case 6: return .set(.intersect, try part("NSLeftExpression"), try part("NSRightExpression"))
        case 7: return .set(.minus, try part("NSLeftExpression"), try part("NSRightExpression"))
        case 10: return .key(object.text("NSKeyPath") ?? "")
        case 13:
            guard let condition = object["NSSubpredicate"] ?? object["NSPredicate"],
                  let variable = object["NSSubqueryVariable"]?.text ?? object["NSVariable"]?.text ?? object["NSVariableExpression"]?.text("NSVariable")
            else { throw reader.damaged("a subquery of “\(label)” lacks its parts") }
            let collection = object["NSExpression"] ?? object["NSCollectionExpression"] ?? object["NSCollection"]
            guard let collection else { throw reader.damaged("a subquery of “\(label)” lacks its collection") }
            return .subquery(
                try expression(collection, reader, label, depth + 1), variable: variable, try predicate(condition, reader, label, depth + 1))
        case 14:
            var elements: [ExpressionTree] = []
            for element in object["NSCollection"]?.elements ?? [] { elements.append(try expression(element, reader, label, depth + 1)) }
            return .aggregate(elements)
        case 15: return .anyKey
        case 20:
            guard let condition = object["NSPredicate"] else { throw reader.damaged("a conditional of “\(label)” lacks its condition") }
            return .conditional(
                try predicate(condition, reader, label, depth + 1), try part("NSTrueExpression"), try part("NSFalseExpression"))
        case let kind: throw reader.damaged("an expression of “\(label)” is of the unknown kind \(kind ?? -1)")
        }
    }

    /// Keys are function calls of `valueForKey:` with the path as their argument; the language's own functions have a private
    /// class of Apple's as their operand.
    private static func function(
        _ object: ArchivedObject, _ reader: ArchivedModelReader, _ label: String, _ depth: Int
    ) throws(ModelFileError) -> ExpressionTree {
        guard let selector = object.text("NSSelectorName") else { throw reader.damaged("a function of “\(label)” has no name") }
        let list = object["NSArguments"]?.elements ?? []
        if selector == "valueForKeyPath:" || selector == "valueForKey:", let path = list.first?.text("NSKeyPath") {
            let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            let base = try object["NSOperand"].map { operand throws(ModelFileError) in try expression(operand, reader, label, depth + 1) }
            if case .keyPath(let inner, let first)? = base { return .keyPath(inner, first + keys) }
            return .keyPath(base ?? .evaluatedObject, keys)
        }
        var arguments: [ExpressionTree] = []
        for argument in list { arguments.append(try expression(argument, reader, label, depth + 1)) }
        guard let operand = object["NSOperand"], operand.text("NSConstantValueClassName") != "_NSPredicateUtilities" else {
            return .function(selector, arguments)
        }
        return .call(operand: try expression(operand, reader, label, depth + 1), selector: selector, arguments: arguments)
    }
}
