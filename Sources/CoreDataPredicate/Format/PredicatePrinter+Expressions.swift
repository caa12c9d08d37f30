import Foundation

extension PredicatePrinter {
    package static func text(of tree: ExpressionTree) -> String {
        switch tree {
        case .constant(let value): text(of: value)
        case .evaluatedObject: "SELF"
        case .variable(let name): "$" + name
        case .keyPath(let base, let keys): text(of: keys, from: base)
        case .function(let selector, let arguments): call(selector, arguments)
        case .call(let operand, let selector, let arguments):
            "FUNCTION(" + ([text(of: operand), quoted(selector)] + arguments.map { text(of: $0) }).joined(separator: ", ") + ")"
        case .cast(let operand, let type): "CAST(\(text(of: operand)), \(quoted(type)))"
        case .aggregate(let elements): "{\(list(elements))}"
        case .subquery(let collection, let variable, let condition):
            "SUBQUERY(\(text(of: collection)), $\(variable), \(text(of: condition)))"
        case .conditional(let condition, let first, let second):
            "TERNARY(\(text(of: condition)), \(text(of: first)), \(text(of: second)))"
        case .element(let operand, let index): "\(enclosed(operand, above: 9))[\(text(of: index))]"
        case .set(let operation, let left, let right):
            "\(enclosed(left, above: 0)) \(operation.text) \(enclosed(right, above: 1))"
        case .anyKey: "ANYKEY"
        case .block(let block, _) where block.constant != nil: block.constant?.text ?? ""
        case .block(let block, let arguments): "BLOCK(\(block.text), {\(list(arguments))})"
        }
    }

    private static func list(_ elements: [ExpressionTree]) -> String {
        elements.map { text(of: $0) }.joined(separator: ", ")
    }

    private static func text(of index: ElementIndex) -> String {
        switch index {
        case .first: "FIRST"
        case .last: "LAST"
        case .size: "SIZE"
        case .at(let position): text(of: position)
        }
    }

    private static func text(of keys: [String], from base: ExpressionTree) -> String {
        guard case .evaluatedObject = base else { return ([enclosed(base, above: 9)] + keys).joined(separator: ".") }
        guard let first = keys.first else { return "SELF" }
        let path = keys.joined(separator: ".")
        return ReservedWords.contains(first) ? "#" + path : path
    }

    private static func call(_ selector: String, _ arguments: [ExpressionTree]) -> String {
        if let infix = FunctionNames.infixBySelector[selector], arguments.count == 2 {
            let left = enclosed(arguments[0], above: infix.precedence)
            return "\(left) \(infix.symbol) \(enclosed(arguments[1], above: infix.precedence + 1))"
        }
        if selector == "onesComplement:", arguments.count == 1 { return "~" + enclosed(arguments[0], above: 8) }
        return "\(selector)(\(list(arguments)))"
    }

    /// The operand, in parentheses when it binds looser than `level` (8 for a prefix, 9 for a key or an index behind it).
    private static func enclosed(_ operand: ExpressionTree, above level: Int) -> String {
        precedence(of: operand) < level ? "(\(text(of: operand)))" : text(of: operand)
    }

    private static func precedence(of tree: ExpressionTree) -> Int {
        switch tree {
        case .set: 0
        case .function(let selector, let arguments) where arguments.count == 2:
            FunctionNames.infixBySelector[selector]?.precedence ?? 10
        case .function("onesComplement:", _): 8
        case .constant(.integer), .constant(.real), .constant(.decimal), .constant(.boolean): 8
        case .constant(.date), .constant(.url), .constant(.string), .constant(.list): 10
        default: 10
        }
    }

    private static func text(of value: PredicateValue) -> String {
        switch value {
        case .null: "nil"
        case .boolean(let flag): flag ? "1" : "0"
        case .integer(let number): String(number)
        case .real(let number): text(of: number)
        case .decimal(let number): number.description
        case .string(let string): quoted(string)
        case .date(let date): "CAST(\(seconds(date)), \"NSDate\")"
        case .data(let data):
            "{length = \(data.count), bytes = 0x\(data.map { hexadecimal($0) }.joined())}"
        case .uuid(let uuid): uuid.uuidString
        case .url(let url): "CAST(\(quoted(url.absoluteString)), \"NSURL\")"
        case .reference(let reference): reference.referent.predicateText
        case .list(let values, _): "{" + values.map { text(of: $0) }.joined(separator: ", ") + "}"
        case .object(let object): "\(object.value)"
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    /// The shortest text that reads back as the same number; whole numbers without a fraction, as NSNumber prints them.
    private static func text(of number: Double) -> String {
        if number.isNaN { return #"CAST("nan", "NSNumber")"# }
        if number.isInfinite { return number < 0 ? #"CAST("-inf", "NSNumber")"# : #"CAST("inf", "NSNumber")"# }
        let text = "\(number)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Six decimals as at Apple's, more where six would name another instant.
    private static func seconds(_ date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        let short = String(format: "%.6f", seconds)
        return Double(short) == seconds ? short : "\(seconds)"
    }

    static func quoted(_ string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                text += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}

extension SetOperation {
    /// The operator in the format language.
    package var text: String {
        switch self {
        case .union: "UNION"
        case .intersect: "INTERSECT"
        case .minus: "MINUS"
        }
    }
}
