import CoreData

/// Many small fetches: the rows of one rank (an indexed column; about a hundred), by name, the first fifty.
final class FilteredWorkload: PairedWorkload {
    let name = "filtered, sorted, limit 50"
    let goal = Goal.ratio(1.2)
    private var queries = 0, ranks = 1
    private var twin: RawRecords?
    private var statement: RawStatement?
    private var store: Engine?
    private var found = (raw: Digest(), engine: Digest())

    func setUp(_ bench: Bench, rows: Int) throws -> Int {
        let url = try bench.store(.entries, rows: rows)
        (queries, ranks) = (max(100, rows / 10), Sample.ranks(of: rows))
        let twin = RawRecords(RawConnection(url), .entries)
        statement = twin.connection.prepare("SELECT \(twin.table.columns) FROM ZENTRY WHERE ZRANK = ? ORDER BY ZNAME LIMIT 50")
        self.twin = twin
        store = try Engine(store: url, model: bench.model)
        return queries
    }

    func prepare(_ bench: Bench) throws { found = (Digest(), Digest()) }

    func raw() throws {
        guard let twin, let statement else { return }
        for query in 0..<queries {
            statement.bind(1, Int64(query % ranks))
            for row in twin.list(statement) { found.raw.add(Int(row.count)) }
        }
    }

    func engine() throws {
        guard let context = store?.context else { return }
        try context.performAndWait {
            for query in 0..<queries {
                let request = NSFetchRequest<Entry>(entityName: "Entry")
                request.predicate = NSPredicate(format: "rank == %d", query % ranks)
                request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
                request.fetchLimit = 50
                for entry in try context.fetch(request) { found.engine.add(Int(entry.count)) }
            }
        }
    }

    func results() throws -> (raw: Digest, engine: Digest) { found }
}
