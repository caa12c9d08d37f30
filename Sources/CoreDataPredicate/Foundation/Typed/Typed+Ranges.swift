import Foundation

extension PredicateExpressions.RangeExpressionContains: TruthConvertible {
    func predicateTree(_ conversion: TypedConversion) throws -> PredicateTree {
        let element = try conversion.expression(element)
        let bounds = try (range as? any BoundsConvertible)?.bounds(conversion) ?? captured(conversion)
        if bounds.includesUpper, case .constant(let low)? = bounds.lower, case .constant(let high)? = bounds.upper {
            return .swift(element, .between, .constant(.list([low, high])))
        }
        let lower = bounds.lower.map { PredicateTree.swift(element, .greaterThanOrEqual, $0) }
        let upper = bounds.upper.map { PredicateTree.swift(element, bounds.includesUpper ? .lessThanOrEqual : .lessThan, $0) }
        return .all(lower ?? .constant(true), upper ?? .constant(true))
    }

    /// The bounds of a range that was captured, or computed without the object.
    private func captured(_ conversion: TypedConversion) throws -> TypedBounds {
        guard let range = conversion.constant(range) as? any CapturedRange else { throw UnsayableExpression() }
        let (lower, upper) = range.limits
        return TypedBounds(
            lower: try lower.map { .constant(try conversion.bridge($0)) },
            upper: try upper.map { .constant(try conversion.bridge($0)) }, includesUpper: range.includesUpper)
    }
}

/// The bounds of a range; nil is unbounded.
struct TypedBounds {
    var lower: ExpressionTree?
    var upper: ExpressionTree?
    var includesUpper: Bool
}

protocol BoundsConvertible {
    func bounds(_ conversion: TypedConversion) throws -> TypedBounds
}

extension PredicateExpressions.ClosedRange: BoundsConvertible {
    func bounds(_ conversion: TypedConversion) throws -> TypedBounds {
        TypedBounds(lower: try conversion.expression(lower), upper: try conversion.expression(upper), includesUpper: true)
    }
}

extension PredicateExpressions.Range: BoundsConvertible {
    func bounds(_ conversion: TypedConversion) throws -> TypedBounds {
        TypedBounds(lower: try conversion.expression(lower), upper: try conversion.expression(upper), includesUpper: false)
    }
}

/// A range of the standard library's.
protocol CapturedRange {
    var limits: (lower: Any?, upper: Any?) { get }
    var includesUpper: Bool { get }
}

extension ClosedRange: CapturedRange {
    var limits: (lower: Any?, upper: Any?) { (lowerBound, upperBound) }
    var includesUpper: Bool { true }
}

extension Range: CapturedRange {
    var limits: (lower: Any?, upper: Any?) { (lowerBound, upperBound) }
    var includesUpper: Bool { false }
}

extension PartialRangeFrom: CapturedRange {
    var limits: (lower: Any?, upper: Any?) { (lowerBound, nil) }
    var includesUpper: Bool { false }
}

extension PartialRangeThrough: CapturedRange {
    var limits: (lower: Any?, upper: Any?) { (nil, upperBound) }
    var includesUpper: Bool { true }
}

extension PartialRangeUpTo: CapturedRange {
    var limits: (lower: Any?, upper: Any?) { (nil, upperBound) }
    var includesUpper: Bool { false }
}
