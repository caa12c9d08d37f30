import Foundation

/// Numbers combined. nil with anything is nil, and so is a division by zero, as in SQLite.
///
/// Whole numbers stay whole (`5 / 2` is 2, at Apple's and in SQLite) until a result does not fit 64 bits; a power, and what
/// has a real in it, is real, else with a decimal it is decimal. A date counts as its seconds and stays a date where a
/// number is added to or taken from it.
enum Arithmetic {
    enum Operation { case add, subtract, multiply, divide, modulus, power }

    static func combine(
        _ operation: Operation, _ left: PredicateValue, _ right: PredicateValue, for function: String
    ) throws -> PredicateValue {
        if left.isNull || right.isNull { return .null }
        let (a, b) = (try number(left, for: function), try number(right, for: function))
        let result: PredicateValue = switch (a, b) {
        case (.integer(let x), .integer(let y)): integers(operation, x, y)
        case (.decimal, .integer), (.integer, .decimal), (.decimal, .decimal): try decimals(operation, a, b, for: function)
        default: reals(operation, try double(a, for: function), try double(b, for: function))
        }
        return try redated(operation, left, right, result)
    }

    static func number(_ value: PredicateValue, for function: String) throws -> PredicateValue {
        guard let number = value.asNumber else { throw PredicateEvaluationError.notANumber(function: function, kind: value.kind) }
        return number
    }

    static func double(_ value: PredicateValue, for function: String) throws -> Double {
        switch try number(value, for: function) {
        case .integer(let number): Double(number)
        case .real(let number): number
        case .decimal(let number): NumberOrdering.double(number)
        default: .nan
        }
    }

    /// A whole number, from a real or a decimal too when it is one.
    static func whole(_ value: PredicateValue, for function: String) throws -> Int64 {
        let number = try number(value, for: function)
        if case .integer(let whole) = number { return whole }
        guard let whole = Int64(exactly: try double(number, for: function)) else {
            throw PredicateEvaluationError.notANumber(function: function, kind: "a fraction")
        }
        return whole
    }

    private static func integers(_ operation: Operation, _ a: Int64, _ b: Int64) -> PredicateValue {
        let result: (partialValue: Int64, overflow: Bool)
        switch operation {
        case .add: result = a.addingReportingOverflow(b)
        case .subtract: result = a.subtractingReportingOverflow(b)
        case .multiply: result = a.multipliedReportingOverflow(by: b)
        case .divide:
            if b == 0 { return .null }
            result = a.dividedReportingOverflow(by: b)
        case .modulus:
            if b == 0 { return .null }
            return .integer(b == -1 ? 0 : a % b)
        case .power: return reals(.power, Double(a), Double(b))
        }
        return result.overflow ? reals(operation, Double(a), Double(b)) : .integer(result.partialValue)
    }

    private static func reals(_ operation: Operation, _ a: Double, _ b: Double) -> PredicateValue {
        switch operation {
        case .add: real(a + b)
        case .subtract: real(a - b)
        case .multiply: real(a * b)
        case .divide: b == 0 ? .null : real(a / b)
        case .modulus: b == 0 ? .null : real(a.truncatingRemainder(dividingBy: b))
        case .power: real(pow(a, b))
        }
    }

    /// What has no answer is nil, as in SQLite.
    static func real(_ value: Double) -> PredicateValue { value.isNaN ? .null : .real(value) }

    private static func decimals(
        _ operation: Operation, _ left: PredicateValue, _ right: PredicateValue, for function: String
    ) throws -> PredicateValue {
        let (a, b) = (decimal(left), decimal(right))
        switch operation {
        case .add: return .decimal(a + b)
        case .subtract: return .decimal(a - b)
        case .multiply: return .decimal(a * b)
        case .divide: return b == 0 ? .null : .decimal(a / b)
        case .modulus, .power: return reals(operation, try double(left, for: function), try double(right, for: function))
        }
    }

    private static func decimal(_ value: PredicateValue) -> Decimal {
        switch value {
        case .integer(let number): Decimal(number)
        case .decimal(let number): number
        default: .nan
        }
    }

    private static func redated(
        _ operation: Operation, _ left: PredicateValue, _ right: PredicateValue, _ result: PredicateValue
    ) throws -> PredicateValue {
        let isDate: Bool
        switch (operation, left, right) {
        case (.add, .date, .date): isDate = false
        case (.add, .date, _), (.add, _, .date): isDate = true
        case (.subtract, .date, .date): isDate = false
        case (.subtract, .date, _): isDate = true
        default: isDate = false
        }
        return isDate && !result.isNull ? .date(Date(timeIntervalSinceReferenceDate: try double(result, for: "A date"))) : result
    }
}
