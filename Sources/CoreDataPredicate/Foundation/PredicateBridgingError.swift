import CoreDataSchema

/// Why a Swift or Foundation value cannot stand in a predicate; the text says what to pass instead.
package struct PredicateBridgingError: DescribedError, Equatable {
    package let reason: String

    package init(_ reason: String) { self.reason = reason }

    package var description: String { reason }
}
