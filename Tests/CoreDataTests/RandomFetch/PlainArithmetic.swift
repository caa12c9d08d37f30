import Foundation

/// Numbers and functions of the reference: nil with anything is nil, and so is what has no answer.
enum PlainArithmetic {
    static func combine(_ symbol: String, _ left: PlainValue, _ right: PlainValue) -> PlainValue {
        guard let a = left.number, let b = right.number else { return .none }
        if case .whole(let x) = a, case .whole(let y) = b { return wholes(symbol, x, y) }
        let (x, y) = (a.double, b.double)
        let result = switch symbol {
        case "+": x + y
        case "-": x - y
        case "*": x * y
        case "/": y == 0 ? .nan : x / y
        default: pow(x, y)
        }
        return result.isNaN ? .none : .real(result)
    }

    /// Whole numbers stay whole: 5 / 2 is 2. The test's are small enough.
    private static func wholes(_ symbol: String, _ x: Int64, _ y: Int64) -> PlainValue {
        switch symbol {
        case "+": return .whole(x + y)
        case "-": return .whole(x - y)
        case "*": return .whole(x * y)
        case "/": return y == 0 ? .none : .whole(x / y)
        default: return .real(pow(Double(x), Double(y)))
        }
    }

    static func call(_ name: String, _ arguments: [PlainValue]) -> PlainValue {
        if arguments.contains(.none) { return .none }
        if let text = arguments.first?.string { return call(name, text) }
        let numbers = arguments.compactMap(\.number)
        guard let first = numbers.first else { return .none }
        if case .whole(let x) = first { return whole(name, x, numbers.dropFirst().first) }
        let x = first.double
        let result = switch name {
        case "abs:": abs(x)
        case "floor:": x.rounded(.down)
        case "ceiling:": x.rounded(.up)
        case "trunc:": x.rounded(.towardZero)
        case "sqrt:": x < 0 ? .nan : x.squareRoot()
        default: Double.nan
        }
        return result.isNaN ? .none : .real(result)
    }

    private static func call(_ name: String, _ text: String) -> PlainValue {
        switch name {
        case "uppercase:": .text(text.uppercased())
        case "lowercase:": .text(text.lowercased())
        case "canonical:": .text(PlainText.fold(text, [.c, .d]))
        case "length:": .whole(Int64(text.utf16.count))
        default: .none
        }
    }

    private static func whole(_ name: String, _ x: Int64, _ other: PlainNumber?) -> PlainValue {
        if case .whole(let y)? = other {
            switch name {
            case "modulus:by:": return y == 0 ? .none : .whole(x % y)
            case "bitwiseAnd:with:": return .whole(x & y)
            case "bitwiseOr:with:": return .whole(x | y)
            case "bitwiseXor:with:": return .whole(x ^ y)
            default: return .none
            }
        }
        switch name {
        case "abs:": return .whole(abs(x))
        case "sqrt:": return x < 0 ? .none : .real(Double(x).squareRoot())
        case "onesComplement:": return .whole(~x)
        default: return .whole(x)
        }
    }

    /// Over what is not nil; an empty sum is 0, the least of nothing is nil.
    static func aggregate(_ name: String, _ values: [PlainValue]) -> PlainValue {
        let values = values.filter { !$0.isNone }
        switch name {
        case "@count": return .whole(Int64(values.count))
        case "@sum": return values.reduce(.whole(0)) { combine("+", $0, $1) }
        case "@avg":
            if values.isEmpty { return .none }
            return .real(values.reduce(0) { $0 + ($1.number?.double ?? 0) } / Double(values.count))
        case "@min": return values.dropFirst().reduce(values.first ?? .none) { (PlainValue.order($1, $0) ?? 0) < 0 ? $1 : $0 }
        default: return values.dropFirst().reduce(values.first ?? .none) { (PlainValue.order($1, $0) ?? 0) > 0 ? $1 : $0 }
        }
    }
}
