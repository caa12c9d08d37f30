import CoreDataStorage

extension CoreDataDiagnostics {
    /// What was done within a `counting` block.
    public struct Counts: Sendable, Hashable, CustomStringConvertible {
        /// Calls of the graph that reached a store's rows: a fetch with its prefetching, a read of rows for faults, a read of a
        /// to-many, a commit. What the row cache answers is none.
        public var roundTrips = 0
        /// SQL statements of those calls, `BEGIN` and `COMMIT` included; 0 for stores in memory.
        public var statements = 0
        /// Rows the statements gave out, without those of the store's own tables; one for a count.
        public var rowsRead = 0
        /// Rows inserted, updated and deleted, join rows included; none when the transaction was rolled back.
        public var rowsWritten = 0
        /// Objects and to-many relationships whose values were loaded because somebody touched them, from the row cache too.
        public var faultsFired = 0
        /// Times a statement read a table from end to end. A fetch without a predicate does.
        public var fullScans = 0
        /// Times a predicate's part or a sort order that SQL cannot say was worked out on rows.
        public var evaluationsOutsideSQL = 0
        /// Merge and constraint conflicts that saves ran into.
        public var conflicts = 0
        /// Saves of contexts, failed ones included.
        public var saves = 0
        /// Write transactions of stores, rolled back ones included.
        public var transactions = 0

        public init() {}

        public var description: String {
            "\(roundTrips) round trips, \(statements) statements, \(rowsRead) rows read, \(rowsWritten) rows written, "
                + "\(faultsFired) faults fired, \(fullScans) full scans, \(evaluationsOutsideSQL) evaluations outside SQL, "
                + "\(conflicts) conflicts, \(saves) saves, \(transactions) transactions"
        }
    }

    /// Counts what the block does, so that a test can say `#expect(counts.roundTrips <= 2)`.
    ///
    /// Without a coordinator it counts the work of the block itself: on its thread, in the tasks it makes (not detached ones),
    /// and in every `perform` and `performAndWait` it calls, as long as that runs before the block is done; other tests of
    /// the process do not disturb it. Threads and dispatch queues of the program's own are not followed: with a coordinator
    /// everything of its stores and contexts counts, whoever does it. The block's result is dropped.
    public static func counting<Result>(
        of coordinator: NSPersistentStoreCoordinator? = nil, _ block: () throws -> Result
    ) rethrows -> Counts {
        let tally = DiagnosticTally()
        let observation = tally.start(of: coordinator)
        defer { observation.cancel() }
        if coordinator == nil {
            _ = try DiagnosticTally.$current.withValue(tally) { try block() }
        } else {
            _ = try block()
        }
        return tally.finish()
    }

    /// As above, for a block that awaits.
    nonisolated(nonsending) public static func counting<Result>(
        of coordinator: NSPersistentStoreCoordinator? = nil, _ block: nonisolated(nonsending) () async throws -> Result
    ) async rethrows -> Counts {
        let tally = DiagnosticTally()
        let observation = tally.start(of: coordinator)
        defer { observation.cancel() }
        if coordinator == nil {
            _ = try await DiagnosticTally.$current.withValue(tally) { try await block() }
        } else {
            _ = try await block()
        }
        return tally.finish()
    }
}
