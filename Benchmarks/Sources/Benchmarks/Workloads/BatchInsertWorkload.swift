import CoreData

/// A batch insert request, its rows given in one of three ways.
final class BatchInsertWorkload: PairedWorkload {
    enum Source: String {
        case dictionaries
        case objects = "object handler"
        case filledDictionaries = "dict. handler"
    }

    let name: String
    let goal: Goal
    private let source: Source
    private var samples: [Sample] = []
    private var dictionaries: [[String: Any]] = []
    private var twin: RawRecords?
    private var store: Engine?

    init(_ source: Source, goal: Goal) {
        (self.source, self.goal) = (source, goal)
        name = "batch insert, " + source.rawValue
    }

    func setUp(_ bench: Bench, rows: Int) throws -> Int {
        samples = bench.samples(rows)
        if source == .dictionaries { dictionaries = samples.map(\.dictionary) }
        return rows
    }

    func prepare(_ bench: Bench) throws {
        twin = RawRecords(RawConnection(try bench.copy(.empty, rows: 0)), .records)
        store = try Engine(store: bench.copy(.empty, rows: 0), model: bench.model)
    }

    func raw() throws { twin?.insert(samples) }

    func engine() throws {
        guard let context = store?.context else { return }
        _ = try context.performAndWait { try context.execute(request()) }
    }

    private func request() -> NSBatchInsertRequest {
        var next = samples.makeIterator()
        switch source {
        case .dictionaries: return NSBatchInsertRequest(entityName: "Record", objects: dictionaries)
        case .objects:
            return NSBatchInsertRequest(entityName: "Record", managedObjectHandler: { object in
                guard let record = object as? Record, let row = next.next() else { return true }
                record.fill(row)
                return false
            })
        case .filledDictionaries:
            return NSBatchInsertRequest(entityName: "Record", dictionaryHandler: { dictionary in
                guard let row = next.next() else { return true }
                dictionary["count"] = row.count
                dictionary["rank"] = row.rank
                dictionary["size"] = row.size
                dictionary["created"] = row.created
                dictionary["height"] = row.height
                dictionary["weight"] = row.weight
                dictionary["city"] = row.city
                dictionary["name"] = row.name
                dictionary["note"] = row.note
                return false
            })
        }
    }

    func results() throws -> (raw: Digest, engine: Digest) { try Stored.digests(twin?.connection, store, ["ZRECORD"]) }
}
