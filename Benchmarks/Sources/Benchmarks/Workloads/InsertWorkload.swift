import CoreData

/// New objects, every attribute set, and one save.
final class InsertWorkload<Object: RecordValues>: PairedWorkload {
    let name: String
    let goal: Goal
    private let table: RawTable
    private var samples: [Sample] = []
    private var twin: RawRecords?
    private var store: Engine?

    init(_ name: String, _ table: RawTable, goal: Goal) {
        (self.name, self.table, self.goal) = (name, table, goal)
    }

    func setUp(_ bench: Bench, rows: Int) throws -> Int {
        samples = bench.samples(rows)
        return rows
    }

    func prepare(_ bench: Bench) throws {
        twin = RawRecords(RawConnection(try bench.copy(.empty, rows: 0)), table)
        store = try Engine(store: bench.copy(.empty, rows: 0), model: bench.model)
    }

    func raw() throws { twin?.insert(samples) }

    func engine() throws { try store?.insert(samples[...], as: Object.self) }

    func results() throws -> (raw: Digest, engine: Digest) { try Stored.digests(twin?.connection, store, [table.name]) }
}
