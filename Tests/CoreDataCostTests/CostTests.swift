import AllocationCounter
import CoreData
import Testing

/// What the engine may cost, in numbers that are the same on every machine: allocations and SQL statements. Time is for `Benchmarks/`.
@Suite("Costs")
struct CostTests {
    private static let few = 100, many = 500

    @Test(
        "A row more costs no more allocations than its limit says", .enabled(if: allocations_are_counted()), arguments: CostLimit.all)
    func allocations(_ limit: CostLimit) throws {
        // What is made once in a process is made now.
        _ = try allocations(limit, rows: 10)
        // Tests beside this one may listen to what stores and contexts do, which then tell of it: the best of some tries counts.
        var aRow = Double.infinity
        for _ in 0..<12 where aRow > limit.allocations {
            let cost = try allocations(limit, rows: Self.many) - allocations(limit, rows: Self.few)
            aRow = min(aRow, Double(cost) / Double(Self.many - Self.few))
        }
        #expect(aRow <= limit.allocations, "\(limit.name): \(aRow) allocations a row; allowed are \(limit.allocations)")
    }

    @Test("A piece of work costs no more statements than its limit says", arguments: CostLimit.all, [few, many])
    func statements(_ limit: CostLimit, rows: Int) throws {
        let store = try CostStore()
        let counts = try store.context.performAndWait {
            let work = try limit.work(store, rows)
            return try CoreDataDiagnostics.counting(work)
        }
        let allowed = limit.statements(for: rows)
        #expect(counts.statements <= allowed, "\(limit.name): \(counts.statements) statements for \(rows) rows; allowed are \(allowed)")
    }

    /// The calling thread's alone, so that tests beside this one do not count.
    private func allocations(_ limit: CostLimit, rows: Int) throws -> Int {
        let store = try CostStore()
        return try store.context.performAndWait {
            let work = try limit.work(store, rows)
            let before = allocation_count()
            try work()
            return Int(allocation_count() - before)
        }
    }

    @Test("The counter counts", .enabled(if: allocations_are_counted()))
    func counter() {
        final class Thing {}
        var things: [Thing] = []
        things.reserveCapacity(100)
        let before = allocation_count()
        for _ in 0..<100 { things.append(Thing()) }
        let counted = allocation_count() - before
        withExtendedLifetime(things) { #expect(counted >= 100) }
    }
}
