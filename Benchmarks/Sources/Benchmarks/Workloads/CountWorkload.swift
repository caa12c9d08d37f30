import CoreData

/// Many counts of the rows of one rank, an indexed column.
final class CountWorkload: PairedWorkload {
    let name = "count by predicate"
    let goal = Goal.ratio(1.3)
    private var queries = 0, ranks = 1
    private var statement: RawStatement?
    private var store: Engine?
    private var found = (raw: Digest(), engine: Digest())

    func setUp(_ bench: Bench, rows: Int) throws -> Int {
        let url = try bench.store(.entries, rows: rows)
        (queries, ranks) = (max(100, rows / 10), Sample.ranks(of: rows))
        statement = RawConnection(url).prepare("SELECT COUNT(*) FROM ZENTRY WHERE ZRANK = ?")
        store = try Engine(store: url, model: bench.model)
        return queries
    }

    func prepare(_ bench: Bench) throws { found = (Digest(), Digest()) }

    func raw() throws {
        guard let statement else { return }
        for query in 0..<queries {
            statement.bind(1, Int64(query % ranks))
            if statement.step() { found.raw.add(Int(statement.int(0))) }
            statement.reset()
        }
    }

    func engine() throws {
        guard let context = store?.context else { return }
        try context.performAndWait {
            for query in 0..<queries {
                let request = NSFetchRequest<Entry>(entityName: "Entry")
                request.predicate = NSPredicate(format: "rank == %d", query % ranks)
                found.engine.add(try context.count(for: request))
            }
        }
    }

    func results() throws -> (raw: Digest, engine: Digest) { found }
}
