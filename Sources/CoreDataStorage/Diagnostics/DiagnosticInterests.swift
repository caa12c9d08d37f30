import Synchronization

/// What somebody in the process listens for.
package struct DiagnosticInterests: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let roundTrips = DiagnosticInterests(rawValue: 1 << 0)
    package static let statements = DiagnosticInterests(rawValue: 1 << 1)
    package static let boundValues = DiagnosticInterests(rawValue: 1 << 2)
    package static let queryPlans = DiagnosticInterests(rawValue: 1 << 3)
    package static let tableScans = DiagnosticInterests(rawValue: 1 << 4)
    package static let faults = DiagnosticInterests(rawValue: 1 << 5)
    package static let callers = DiagnosticInterests(rawValue: 1 << 6)
    package static let evaluations = DiagnosticInterests(rawValue: 1 << 7)
    package static let conflicts = DiagnosticInterests(rawValue: 1 << 8)
    package static let saves = DiagnosticInterests(rawValue: 1 << 9)
    package static let transactions = DiagnosticInterests(rawValue: 1 << 10)
    package static let unreadableValues = DiagnosticInterests(rawValue: 1 << 11)
    package static let lostChanges = DiagnosticInterests(rawValue: 1 << 12)

    /// What only a store can tell.
    package static let ofStores: DiagnosticInterests = [
        .roundTrips, .statements, .boundValues, .queryPlans, .tableScans, .evaluations, .transactions,
    ]

    // MARK: the switch

    private static let current = Atomic<UInt32>(0)

    /// The union of everybody's interests; empty while nobody listens. One relaxed load.
    package static var wanted: DiagnosticInterests { DiagnosticInterests(rawValue: current.load(ordering: .relaxed)) }

    package static func want(_ interests: DiagnosticInterests) { current.store(interests.rawValue, ordering: .relaxed) }
}
