import CoreDataStorage

/// What contexts and stores tell of their work: SQL, round trips, faults, scans, conflicts, saves. Not Apple's.
///
/// Off until somebody observes or counts, and free then: one flag is tested per call of a store and per fault, nothing per
/// row. `-com.apple.CoreData.SQLDebug 1` shows the same on standard error.
public enum CoreDataDiagnostics {
    /// What to listen for. Whatever nobody listens for is not looked up.
    public struct Interests: OptionSet, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        init(_ interests: DiagnosticInterests) { rawValue = interests.rawValue }
        var stored: DiagnosticInterests { DiagnosticInterests(rawValue: rawValue) }

        /// Calls of the graph that reached a store's rows.
        public static let roundTrips = Interests(.roundTrips)
        public static let statements = Interests(.statements)
        /// Bound values of the statements; they make a text of each value.
        public static let boundValues = Interests(.boundValues)
        /// SQLite's plan of each statement; asked once a prepared statement.
        public static let queryPlans = Interests(.queryPlans)
        /// Tables read from end to end; costs one EXPLAIN QUERY PLAN a prepared statement.
        public static let tableScans = Interests(.tableScans)
        public static let faults = Interests(.faults)
        /// Where in the program a fault fired; costs about 0.2 ms a fault. Not part of `everything`: Swift's runtime reads the
        /// program's image list when it is first asked for, which must not happen while other threads open or close stores.
        public static let callers = Interests(.callers)
        /// Parts of requests that SQL could not say.
        public static let evaluations = Interests(.evaluations)
        /// Merge and constraint conflicts.
        public static let conflicts = Interests(.conflicts)
        public static let saves = Interests(.saves)
        public static let transactions = Interests(.transactions)
        /// Stored values that nobody could turn into what the attribute holds, so that it read nil.
        public static let unreadableValues = Interests(.unreadableValues)
        /// Changes of objects that have no context any more: nothing will save them.
        public static let lostChanges = Interests(.lostChanges)

        public static let everything: Interests = [
            .roundTrips, .statements, .boundValues, .queryPlans, .tableScans, .faults, .evaluations, .conflicts, .saves,
            .transactions, .unreadableValues, .lostChanges,
        ]
    }

    /// Calls the handler for what happens from now on, until the observation is cancelled or released.
    ///
    /// `coordinator` limits it to one coordinator's stores and contexts; nil is the whole process. The handler runs on the
    /// thread that did the work, after a store's lock is released and maybe inside a context's accessor: it should note and
    /// return, and must not use managed objects.
    public static func observe(
        _ interests: Interests = .everything, of coordinator: NSPersistentStoreCoordinator? = nil,
        _ handler: @escaping @Sendable (Event) -> Void
    ) -> Observation {
        if interests.contains(.callers) { _ = CallerTrace.images }
        return Observation(DiagnosticHub.shared.add(interests.stored, of: coordinator, handler))
    }

    /// A handler's registration; releasing it ends it.
    public final class Observation: Sendable {
        private let number: Int

        init(_ number: Int) { self.number = number }

        deinit { cancel() }

        /// Ends the calls; one that runs on another thread right now may still come to its end. Harmless when repeated.
        public func cancel() { DiagnosticHub.shared.remove(number) }
    }
}
