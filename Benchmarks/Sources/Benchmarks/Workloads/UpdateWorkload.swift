import CoreData

/// One property of every record set, and one save, optimistic lock on. The records were fetched before.
final class UpdateWorkload: PairedWorkload {
    let name = "update one property and save"
    let goal = Goal.ratio(1.15)
    private var count = 0
    private var twin: RawRecords?
    private var store: Engine?
    private var rows: [RawRecord] = []
    private var objects: [Record] = []

    func setUp(_ bench: Bench, rows: Int) throws -> Int {
        count = rows
        return rows
    }

    func prepare(_ bench: Bench) throws {
        (rows, objects) = ([], [])
        let twin = RawRecords(RawConnection(try bench.copy(.records, rows: count)), .records)
        let store = try Engine(store: bench.copy(.records, rows: count), model: bench.model)
        rows = twin.all()
        objects = try store.fetch()
        (self.twin, self.store) = (twin, store)
    }

    func raw() throws { twin?.update(rows) }

    func engine() throws {
        guard let context = store?.context else { return }
        try context.performAndWait {
            for object in objects { object.count += 1 }
            try context.save()
        }
    }

    func results() throws -> (raw: Digest, engine: Digest) { try Stored.digests(twin?.connection, store, ["ZRECORD"]) }
}
