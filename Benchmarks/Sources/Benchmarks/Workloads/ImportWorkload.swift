import CoreData

/// Ten times the rows, in batches: objects made, saved, and let go of.
final class ImportWorkload: PairedWorkload {
    let name = "import in batches"
    let goal = Goal.none
    let grows = false
    private var batch: [Sample] = []
    private var batches = 0
    private var twin: RawRecords?
    private var store: Engine?

    func setUp(_ bench: Bench, rows: Int) throws -> Int {
        (batch, batches) = (Sample.make(max(1, rows / 10)), 100)
        return batch.count * batches
    }

    func prepare(_ bench: Bench) throws {
        twin = RawRecords(RawConnection(try bench.copy(.empty, rows: 0)), .records)
        store = try Engine(store: bench.copy(.empty, rows: 0), model: bench.model)
    }

    func raw() throws {
        for _ in 0..<batches { twin?.insert(batch) }
    }

    func engine() throws {
        guard let store else { return }
        for _ in 0..<batches { try store.insertAndForget(batch) }
    }

    func results() throws -> (raw: Digest, engine: Digest) { try Stored.digests(twin?.connection, store, ["ZRECORD"]) }
}

extension Engine {
    /// One batch of an import.
    func insertAndForget(_ batch: [Sample]) throws {
        try insert(batch[...], as: Record.self)
        context.performAndWait { context.reset() }
    }
}
