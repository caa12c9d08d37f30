import Foundation

/// Numbers of every kind compared by magnitude, without losing a bit of an Int64 or a digit of a decimal.
package enum NumberOrdering {
    /// nil when either is not a number, or is NaN.
    package static func compare(_ left: PredicateValue, _ right: PredicateValue) -> ComparisonResult? {
        switch (left, right) {
        case (.integer(let a), .integer(let b)): order(a, b)
        case (.boolean(let a), _): compare(.integer(a ? 1 : 0), right)
        case (_, .boolean(let b)): compare(left, .integer(b ? 1 : 0))
        case (.real(let a), .real(let b)): a.isNaN || b.isNaN ? nil : order(a, b)
        case (.integer(let a), .real(let b)): compare(a, b)
        case (.real(let a), .integer(let b)): compare(b, a)?.reversed
        case (.decimal(let a), .decimal(let b)): compare(a, b)
        case (.integer(let a), .decimal(let b)): compare(Decimal(a), b)
        case (.decimal(let a), .integer(let b)): compare(a, Decimal(b))
        case (.decimal(let a), .real(let b)): compare(a, b)
        case (.real(let a), .decimal(let b)): compare(b, a)?.reversed
        default: nil
        }
    }

    /// The decimal a Double prints as: 0.1 is 0.1, not its binary expansion. nil when no decimal can hold it.
    package static func decimal(_ value: Double) -> Decimal? {
        value.isFinite ? Decimal(string: "\(value)") : nil
    }

    /// The nearest Double.
    package static func double(_ value: Decimal) -> Double {
        Double(value.description) ?? (value as NSDecimalNumber).doubleValue
    }

    private static func order<Value: Comparable>(_ a: Value, _ b: Value) -> ComparisonResult {
        a < b ? .orderedAscending : a > b ? .orderedDescending : .orderedSame
    }

    private static func compare(_ a: Int64, _ b: Double) -> ComparisonResult? {
        if b.isNaN { return nil }
        if b >= 0x1p63 { return .orderedAscending }
        if b < -0x1p63 { return .orderedDescending }
        let whole = b.rounded(.towardZero)
        let result = order(a, Int64(whole))
        return result == .orderedSame ? order(0, b - whole) : result
    }

    private static func compare(_ a: Decimal, _ b: Decimal) -> ComparisonResult? {
        a.isNaN || b.isNaN ? nil : order(a, b)
    }

    private static func compare(_ a: Decimal, _ b: Double) -> ComparisonResult? {
        if a.isNaN || b.isNaN { return nil }
        if let exact = decimal(b) { return order(a, exact) }
        return order(double(a), b)
    }
}

extension ComparisonResult {
    package var reversed: ComparisonResult {
        switch self {
        case .orderedAscending: .orderedDescending
        case .orderedDescending: .orderedAscending
        case .orderedSame: .orderedSame
        }
    }
}
