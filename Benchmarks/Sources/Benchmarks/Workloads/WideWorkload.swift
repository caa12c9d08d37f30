import CoreData

/// Rows of sixty columns (twenty doubles, integers and strings each), every value read.
final class WideWorkload: PairedWorkload {
    let name = "fetch 60 columns, all read"
    let goal = Goal.ratio(1.3)
    private var url: URL?
    private var twin: RawWides?
    private var store: Engine?
    private var rows: [RawWide] = []
    private var objects: [Wide] = []
    private var sums = (raw: 0, engine: 0)

    func setUp(_ bench: Bench, rows: Int) throws -> Int {
        let count = max(1, rows / 5)
        url = try bench.store(.wide, rows: count)
        return count
    }

    func prepare(_ bench: Bench) throws {
        (rows, objects) = ([], [])
        guard let url else { return }
        twin = RawWides(RawConnection(url))
        store = try Engine(store: url, model: bench.model)
    }

    func raw() throws {
        rows = twin?.all() ?? []
        sums.raw = rows.reduce(0) { $0 &+ $1.sum }
    }

    func engine() throws {
        guard let store else { return }
        objects = try store.fetch()
        sums.engine = store.context.performAndWait { objects.reduce(0) { $0 &+ $1.sum } }
    }

    func results() throws -> (raw: Digest, engine: Digest) {
        (Digest(rows: rows.count, sum: sums.raw), Digest(rows: objects.count, sum: sums.engine))
    }
}
