import CoreData

/// All records fetched again by a context that holds them. The twin has no identity map and makes its instances anew.
final class RefetchWorkload: PairedWorkload {
    let name = "refetch registered objects"
    let goal = Goal.ratio(1.2)
    private var twin: RawRecords?
    private var store: Engine?
    private var rows: [RawRecord] = []
    private var objects: [Record] = [], again: [Record] = []

    func setUp(_ bench: Bench, rows: Int) throws -> Int {
        let url = try bench.store(.records, rows: rows)
        twin = RawRecords(RawConnection(url), .records)
        let store = try Engine(store: url, model: bench.model)
        objects = try store.fetch()
        _ = twin?.all()
        self.store = store
        return rows
    }

    func prepare(_ bench: Bench) throws { (rows, again) = ([], []) }

    func raw() throws { rows = twin?.all() ?? [] }

    func engine() throws { again = try store?.fetch() ?? [] }

    func results() throws -> (raw: Digest, engine: Digest) {
        guard zip(objects, again).allSatisfy({ $0 === $1 }) else { throw BenchmarkError("\(name): other objects came.") }
        return (Digest(rows: rows.count), Digest(rows: again.count))
    }
}
