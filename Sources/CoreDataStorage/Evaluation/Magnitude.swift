import CoreDataPredicate
import Foundation

/// A number of any kind for comparing with one of another kind.
enum Magnitude {
    case integer(Int64), real(Double), decimal(Decimal)

    init?(_ value: PredicateValue) {
        switch value {
        case .boolean(let value): self = .integer(value ? 1 : 0)
        case .integer(let value): self = .integer(value)
        case .real(let value): self = .real(value)
        case .decimal(let value): self = .decimal(value)
        default: return nil
        }
    }

    func compare(_ other: Magnitude) -> Int {
        switch (self, other) {
        case (.integer(let a), .integer(let b)): order(a, b)
        case (.real(let a), .real(let b)): order(a, b)
        case (.integer(let a), .real(let b)): Self.exact(a, b)
        case (.real(let a), .integer(let b)): -Self.exact(b, a)
        case (.decimal(let a), .decimal(let b)): order(a, b)
        case (.decimal(let a), .integer(let b)): order(a, Decimal(b))
        case (.integer(let a), .decimal(let b)): order(Decimal(a), b)
        case (.decimal(let a), .real(let b)): order((a as NSDecimalNumber).doubleValue, b)
        case (.real(let a), .decimal(let b)): order(a, (b as NSDecimalNumber).doubleValue)
        }
    }

    /// Exact: no integer is rounded on the way.
    private static func exact(_ left: Int64, _ right: Double) -> Int {
        if right.isNaN { return 1 }
        if right >= 0x1p63 { return -1 }
        if right < -0x1p63 { return 1 }
        let whole = Int64(right.rounded(.down))
        if left != whole { return left < whole ? -1 : 1 }
        return right > Double(whole) ? -1 : 0
    }
}
