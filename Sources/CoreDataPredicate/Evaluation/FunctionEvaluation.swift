import Foundation

/// The language's functions by Apple's selector names.
enum FunctionEvaluation {
    static func call(_ selector: String, _ arguments: [PredicateValue]) throws -> PredicateValue {
        if let arity = FunctionNames.arity[selector], let arity, arity != arguments.count {
            throw PredicateEvaluationError.unsupported("\(selector) takes \(arity) arguments, not \(arguments.count)")
        }
        if let operation = operations[selector] {
            return try Arithmetic.combine(operation, arguments[0], arguments[1], for: selector)
        }
        if let aggregate = try aggregate(selector, arguments) { return aggregate }
        if let bits = try bitwise(selector, arguments) { return bits }
        guard let first = arguments.first else {
            switch selector {
            case "now": return .date(Date())
            case "random": return .real(Double.random(in: 0..<1))
            default: throw unknown(selector)
            }
        }
        return try collection(selector, first, arguments) ?? text(selector, first) ?? number(selector, first)
    }

    private static let operations: [String: Arithmetic.Operation] = [
        "add:to:": .add, "from:subtract:": .subtract, "multiply:by:": .multiply, "divide:by:": .divide,
        "modulus:by:": .modulus, "raise:toPower:": .power,
    ]

    private static func unknown(_ selector: String) -> PredicateEvaluationError {
        .unsupported("There is no function \(selector)")
    }

    /// Over one collection, or over the arguments themselves.
    private static func aggregate(_ selector: String, _ arguments: [PredicateValue]) throws -> PredicateValue? {
        let values = arguments.flatMap { argument in
            if case .list(let elements, _) = argument { elements } else { [argument] }
        }
        switch selector {
        case "sum:": return try Statistics.sum(values)
        case "count:": return .integer(Int64(values.count { !$0.isNull || arguments.first?.isList == true }))
        case "min:": return Statistics.extreme(values, .orderedAscending)
        case "max:": return Statistics.extreme(values, .orderedDescending)
        case "average:": return try Statistics.average(values)
        case "median:": return try Statistics.median(values)
        case "mode:": return Statistics.mode(values)
        case "stddev:": return try Statistics.deviation(values)
        default: return nil
        }
    }

    private static func bitwise(_ selector: String, _ arguments: [PredicateValue]) throws -> PredicateValue? {
        let apply: (Int64, Int64) -> Int64
        switch selector {
        case "bitwiseAnd:with:": apply = { $0 & $1 }
        case "bitwiseOr:with:": apply = { $0 | $1 }
        case "bitwiseXor:with:": apply = { $0 ^ $1 }
        case "leftshift:by:": apply = { $0 << $1 }
        case "rightshift:by:": apply = { $0 >> $1 }
        case "onesComplement:": apply = { value, _ in ~value }
        default: return nil
        }
        if arguments.contains(where: \.isNull) { return .null }
        let numbers = try arguments.map { try Arithmetic.whole($0, for: selector) }
        return .integer(apply(numbers[0], numbers.count > 1 ? numbers[1] : 0))
    }

    private static func collection(
        _ selector: String, _ first: PredicateValue, _ arguments: [PredicateValue]
    ) throws -> PredicateValue? {
        switch selector {
        case "noindex:": return first
        case "castObject:toType:":
            guard let type = arguments[1].asText else { throw unknown(selector) }
            return try ValueCasting.cast(first, to: type)
        case "distinct:", "objectFrom:withIndex:", "first:", "last:", "size:":
            if first.isNull { return .null }
            guard case .list(let elements, let isOrdered) = first else {
                throw PredicateEvaluationError.notACollection(operation: selector, kind: first.kind)
            }
            switch selector {
            case "distinct:": return .list(SetOperations.distinct(elements), isOrdered: isOrdered)
            case "first:": return elements.first ?? .null
            case "last:": return elements.last ?? .null
            case "size:": return .integer(Int64(elements.count))
            default:
                let index = Int(try Arithmetic.whole(arguments[1], for: selector))
                return elements.indices.contains(index) ? elements[index] : .null
            }
        case "distanceToLocation:fromLocation:":
            throw PredicateEvaluationError.unsupported("\(selector) needs CoreLocation, which exists only on Apple's systems")
        default: return nil
        }
    }

    private static func text(_ selector: String, _ value: PredicateValue) throws -> PredicateValue? {
        let convert: (String) -> PredicateValue
        switch selector {
        case "uppercase:": convert = { .string($0.uppercased()) }
        case "lowercase:": convert = { .string($0.lowercased()) }
        case "canonical:":
            convert = { .string(TextFolding.fold($0, options: [.caseInsensitive, .diacriticInsensitive])) }
        case "stripDiacritic:": convert = { .string(TextFolding.fold($0, options: .diacriticInsensitive)) }
        case "length:": convert = { .integer(Int64($0.utf16.count)) }
        default: return nil
        }
        if value.isNull { return .null }
        if case .data(let data) = value, selector == "length:" { return .integer(Int64(data.count)) }
        guard let text = value.asText else {
            throw PredicateEvaluationError.unsupported("\(selector) takes a text, not \(value.kind)")
        }
        return convert(text)
    }

    private static func number(_ selector: String, _ value: PredicateValue) throws -> PredicateValue {
        let real: (Double) -> Double
        switch selector {
        case "sqrt:": real = { $0.squareRoot() }
        case "log:": real = { log10($0) }
        case "ln:": real = { log($0) }
        case "exp:": real = { exp($0) }
        case "floor:": real = { $0.rounded(.down) }
        case "ceiling:": real = { $0.rounded(.up) }
        case "trunc:": real = { $0.rounded(.towardZero) }
        case "abs:": real = { abs($0) }
        case "random:", "randomn:": real = { $0 >= 1 ? Double.random(in: 0..<$0).rounded(.down) : 0 }
        default: throw unknown(selector)
        }
        if value.isNull { return .null }
        // Rounding leaves a whole number as it is, to the last bit.
        if case .integer(let number) = try Arithmetic.number(value, for: selector) {
            switch selector {
            case "floor:", "ceiling:", "trunc:": return .integer(number)
            case "abs:" where number != .min: return .integer(abs(number))
            default: break
            }
        }
        if case .decimal(let number) = value, selector == "abs:" { return .decimal(abs(number)) }
        let result = real(try Arithmetic.double(value, for: selector))
        // Zero has no logarithm either, for SQLite.
        return result == -.infinity && selector.hasPrefix("l") ? .null : Arithmetic.real(result)
    }
}
