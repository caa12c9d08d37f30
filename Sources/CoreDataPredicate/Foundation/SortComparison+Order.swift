import CoreDataSchema
import Foundation

extension SortComparison {
    /// The order of two values, before the term's direction. Throws when the selector is none a store knows.
    package func order(_ left: PredicateValue, _ right: PredicateValue) throws(PredicateBridgingError) -> ComparisonResult {
        if case .selector(let name) = self {
            throw PredicateBridgingError(
                "Unsupported NSSortDescriptor selector “\(name)”. Use compare:, caseInsensitiveCompare:, localizedCompare:, localizedCaseInsensitiveCompare: or localizedStandardCompare:."
            )
        }
        return ValueOrdering.compare(left, right, textCompare: textCompare)
    }

    private var textCompare: (String, String) -> ComparisonResult {
        switch self {
        case .binary, .closure, .selector: TextComparison.binary
        case .caseInsensitive: { $0.caseInsensitiveCompare($1) }
        case .localized: { $0.localizedCompare($1) }
        case .localizedCaseInsensitive: { $0.localizedCaseInsensitiveCompare($1) }
        case .localizedStandard: { $0.localizedStandardCompare($1) }
        }
    }
}
