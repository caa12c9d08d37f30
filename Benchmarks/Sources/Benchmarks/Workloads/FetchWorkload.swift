import CoreData

/// All records, as faults or with every value read, through connections that have read nothing yet.
final class FetchWorkload: PairedWorkload {
    let name: String
    let goal: Goal
    private let reads: Bool
    private var twin: RawRecords?
    private var store: Engine?
    private var rows: [RawRecord] = []
    private var objects: [Record] = []
    private var sums = (raw: 0, engine: 0)

    init(_ name: String, reads: Bool, goal: Goal) {
        (self.name, self.reads, self.goal) = (name, reads, goal)
    }

    func setUp(_ bench: Bench, rows: Int) throws -> Int {
        url = try bench.store(.records, rows: rows)
        return rows
    }

    private var url: URL?

    func prepare(_ bench: Bench) throws {
        (rows, objects) = ([], [])
        guard let url else { return }
        twin = RawRecords(RawConnection(url), .records)
        store = try Engine(store: url, model: bench.model)
    }

    func raw() throws {
        guard let twin else { return }
        rows = twin.all()
        if reads { sums.raw = rows.reduce(0) { $0 &+ $1.sum } }
    }

    func engine() throws {
        guard let store else { return }
        objects = try store.fetch()
        guard reads else { return }
        sums.engine = store.context.performAndWait {
            objects.reduce(0) { $0 &+ $1.attributeSum &+ ($1.owner == nil ? 0 : 1) }
        }
    }

    func results() throws -> (raw: Digest, engine: Digest) {
        (Digest(rows: rows.count, sum: sums.raw), Digest(rows: objects.count, sum: sums.engine))
    }
}
