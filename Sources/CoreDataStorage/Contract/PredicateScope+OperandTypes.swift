import CoreDataPredicate
import CoreDataSchema

extension PredicateScope {
    /// What an expression's values are; of a collection, what its elements are. nil for constants and where nobody knows.
    func type(of expression: ExpressionTree) throws(StoreError) -> OperandType? {
        switch expression {
        case .constant, .aggregate, .anyKey, .block, .call, .set: return nil
        case .evaluatedObject: return OperandType(.object, "SELF, an object of entity <\(entity.name)>,")
        case .variable(let name):
            guard let element = variables[name] ?? nil else { return nil }
            return OperandType(.object, "“$\(name)”, an object of entity <\(element.name)>,")
        case .keyPath(let operand, let keys): return try type(of: operand, keys)
        case .subquery(let collection, _, _): return try type(of: collection)
        case .element(_, .size): return OperandType(.number, "an element count")
        case .element(let operand, _):
            if case .keyPath = operand { return try type(of: operand) }
            return nil
        case .cast(_, let name): return OperandType.cast(name)
        case .conditional(_, let then, let otherwise):
            let (first, second) = (try type(of: then), try type(of: otherwise))
            if let first, let second { return first.kind == second.kind ? first : nil }
            return first ?? second
        case .function(let name, let arguments): return try type(of: name, arguments)
        }
    }

    private func type(of operand: ExpressionTree, _ keys: [String]) throws(StoreError) -> OperandType? {
        let start: ResolvedEntity
        var path = keys.joined(separator: ".")
        switch operand {
        case .evaluatedObject:
            if keys.count == 1, aliases.contains(keys[0]) { return nil }
            if keys.first?.hasPrefix("@") == true { return nil }
            start = entity
        case .variable(let name):
            guard let element = variables[name] ?? nil else { return nil }
            (start, path) = (element, "$\(name).\(path)")
        case .subquery, .keyPath:
            guard let element = try elementEntity(operand) else { return nil }
            start = element
        default: return nil
        }
        let end = try resolve(keys, from: start)
        if end.operation == "@count" { return OperandType(.number, "“\(path)”, a number,") }
        if end.isEntity { return OperandType(.entityName, "“\(path)”, an entity’s name,") }
        if let attribute = end.attribute {
            let type = OperandType(attribute, path, of: end.owner)
            guard let type, let operation = end.operation, ["@sum", "@avg"].contains(operation) else { return type }
            guard [.number, .date].contains(type.kind) else {
                throw .invalidRequest("\(operation) in the predicate takes numbers, and \(type.text) has none.")
            }
            return OperandType(.number, "“\(path)”, a number,")
        }
        return end.entity.map { OperandType(.object, "“\(path)”, a relationship to entity <\($0.name)>,") }
    }

    private func type(of function: String, _ arguments: [ExpressionTree]) throws(StoreError) -> OperandType? {
        let text = "“\(PredicatePrinter.text(of: .function(function, arguments)))”"
        switch function {
        case "add:to:", "from:subtract:":
            var dates = 0
            for argument in arguments {
                if case .constant(.date) = argument { dates += 1 } else if try type(of: argument)?.kind == .date { dates += 1 }
            }
            return dates == 1 ? OperandType(.date, text + ", a date,") : OperandType(.number, text + ", a number,")
        case "now": return OperandType(.date, "now(), a date,")
        case "uppercase:", "lowercase:", "canonical:": return OperandType(.text, text + ", a text,")
        case "length:", "count:", "sum:", "average:", "random", "random:", "stddev:": return OperandType(.number, text + ", a number,")
        case "noindex:", "min:", "max:": return arguments.count == 1 ? try type(of: arguments[0]) : nil
        case "castObject:toType:":
            guard arguments.count == 2, case .constant(.string(let name)) = arguments[1] else { return nil }
            return OperandType.cast(name)
        default: return OperandType.arithmetic.contains(function) ? OperandType(.number, text + ", a number,") : nil
        }
    }
}

extension OperandType {
    /// Functions of numbers.
    static let arithmetic: Set<String> = [
        "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:", "raise:toPower:", "abs:", "floor:", "ceiling:", "trunc:",
        "sqrt:", "exp:", "ln:", "log:", "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:", "rightshift:by:",
        "onesComplement:",
    ]

    static func cast(_ name: String) -> OperandType? {
        let kind: Kind? = switch name {
        case "NSDate", "Date": .date
        case "NSNumber", "NSDecimalNumber": .number
        case "NSString", "String": .text
        case "NSUUID": .uuid
        case "NSURL": .url
        default: nil
        }
        return kind.map { OperandType($0, "a CAST to \(name)") }
    }
}
