import CoreData

/// A format string being written, with its arguments.
struct PlainFormat {
    /// The object, or its ID, that stands for a number in the context asked.
    let object: (Int) -> Any
    /// Written out where both are possible, else passed: constants and keys.
    let literal: Bool
    private(set) var arguments: [Any?] = []

    init(literal: Bool, object: @escaping (Int) -> Any) {
        self.literal = literal
        self.object = object
    }

    static func predicate(_ predicate: PlainPredicate, literal: Bool, object: @escaping (Int) -> Any) throws -> NSPredicate {
        var format = PlainFormat(literal: literal, object: object)
        let text = format.text(predicate)
        return try NSPredicate(validating: text, arguments: format.arguments)
    }

    /// For reports.
    static func description(_ predicate: PlainPredicate) -> String {
        var format = PlainFormat(literal: true) { "#\($0)" }
        let text = format.text(predicate)
        return format.arguments.isEmpty ? text : "\(text)  with \(format.arguments.map { $0.map { "\($0)" } ?? "nil" })"
    }

    private mutating func text(_ predicate: PlainPredicate) -> String {
        switch predicate {
        case .truth(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .not(let part): return "NOT (\(text(part)))"
        case .and(let parts): return parts.map { "(\(text($0)))" }.joined(separator: literal ? " AND " : " && ")
        case .or(let parts): return parts.map { "(\(text($0)))" }.joined(separator: literal ? " OR " : " || ")
        case .compare(let comparison):
            return comparison.quantifier.rawValue + text(comparison.left) + " " + comparison.operation.rawValue
                + comparison.options.format + " " + text(comparison.right)
        }
    }

    private mutating func text(_ expression: PlainExpression) -> String {
        switch expression {
        case .constant(let value): return text(value)
        case .pattern(let pattern): return argument(pattern.text)
        case .list(let elements): return "{" + elements.map { text($0) }.joined(separator: ", ") + "}"
        case .path(let variable, let keys): return path(variable, keys)
        case .arithmetic(let symbol, let a, let b): return "(\(text(a)) \(symbol) \(text(b)))"
        case .call(let name, let arguments): return call(name, arguments)
        case .aggregate(let name, let variable, let collection, let key):
            return path(variable, collection + [name] + (key.isEmpty ? [] : [key]), isPlain: true)
        case .subqueryCount(let variable, let collection, let element, let predicate):
            return "SUBQUERY(\(path(variable, collection)), $\(element), \(text(predicate))).@count"
        case .conditional(let test, let a, let b): return "TERNARY(\(text(test)), \(text(a)), \(text(b)))"
        case .element(let collection, let first, let key): return "\(path(nil, collection))[\(first ? "FIRST" : "LAST")].\(key)"
        }
    }

    private mutating func call(_ name: String, _ arguments: [PlainExpression]) -> String {
        let symbols = ["bitwiseAnd:with:": "&", "bitwiseOr:with:": "|", "bitwiseXor:with:": "^"]
        if let symbol = symbols[name] { return "(\(text(arguments[0])) \(symbol) \(text(arguments[1])))" }
        if name == "onesComplement:" { return "~(\(text(arguments[0])))" }
        let word = name.hasSuffix(":") && !name.dropLast().contains(":") ? String(name.dropLast()) : name
        return "\(word)(\(arguments.map { text($0) }.joined(separator: ", ")))"
    }

    /// Words of the language are escaped, or passed.
    private mutating func path(_ variable: String?, _ keys: [String], isPlain: Bool = false) -> String {
        if keys.isEmpty { return variable.map { "$\($0)" } ?? "SELF" }
        if !literal, !isPlain, variable == nil {
            arguments.append(keys.joined(separator: "."))
            return "%K"
        }
        return Self.path(variable, keys)
    }

    static func path(_ variable: String?, _ keys: [String]) -> String {
        let words = ["size", "first", "last", "any", "all", "none", "in", "like", "contains", "self"]
        let escaped = keys.map { words.contains($0.lowercased()) ? "#" + $0 : $0 }
        return (variable.map { "$\($0)." } ?? "") + escaped.joined(separator: ".")
    }

    private mutating func argument(_ value: Any?) -> String {
        arguments.append(value)
        return "%@"
    }

    private mutating func text(_ value: PlainValue) -> String {
        if literal {
            switch value {
            case .none: return "nil"
            case .whole(let number) where number >= 0: return "\(number)"
            case .real(let number) where number >= 0 && number < 1e15: return "\(number)"
            case .truth(let flag): return flag ? "YES" : "FALSE"
            case .text(let text) where text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != 0x27 && $0 != 0x5C }: return "'\(text)'"
            default: break
            }
        }
        return argument(value.object(object))
    }
}

extension PlainValue {
    /// The value as a program passes it.
    func object(_ thing: (Int) -> Any) -> Any? {
        switch self {
        case .none: nil
        case .whole(let value): value
        case .real(let value): value
        case .exact(let value): NSDecimalNumber(decimal: value)
        case .truth(let value): value
        case .text(let value): value
        case .moment(let value): Date(timeIntervalSinceReferenceDate: value)
        case .bytes(let value): Data(value)
        case .identifier(let value): value
        case .address(let value): URL(string: value)
        case .thing(let number): thing(number)
        case .many(let values): values.map { $0.object(thing) ?? NSNull() }
        }
    }
}
