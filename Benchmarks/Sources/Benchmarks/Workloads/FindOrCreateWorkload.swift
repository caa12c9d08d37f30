import CoreData

/// For each name the item that has it, or a new one; one save. A quarter of the items is in the file, a quarter of the names comes
/// twice.
final class FindOrCreateWorkload: PairedWorkload {
    let name = "find or create by unique key"
    let goal = Goal.ratio(1.2)
    private var wanted: [Sample] = []
    private var stored = 0
    private var twin: RawRecords?
    private var store: Engine?
    private var found = (raw: Digest(), engine: Digest())

    func setUp(_ bench: Bench, rows: Int) throws -> Int {
        let calls = max(4, rows / 5)
        stored = calls / 4
        let different = Sample.make(calls * 3 / 4)
        wanted = different + different.suffix(calls - different.count)
        return calls
    }

    func prepare(_ bench: Bench) throws {
        found = (Digest(), Digest())
        twin = RawRecords(RawConnection(try bench.copy(.items, rows: stored)), .items)
        store = try Engine(store: bench.copy(.items, rows: stored), model: bench.model)
    }

    func raw() throws {
        guard let twin else { return }
        let selection = twin.connection.prepare("SELECT \(twin.table.columns) FROM ZITEM WHERE ZNAME = ?")
        var rows: [RawRecord] = []
        twin.connection.run("BEGIN IMMEDIATE")
        let first = twin.connection.integer("SELECT Z_MAX + 1 FROM Z_PRIMARYKEY WHERE Z_NAME = 'Item'")
        var next = first
        for sample in wanted {
            var name = sample.name
            let isThere = name.withUTF8 {
                selection.bind(1, $0)
                return selection.step()
            }
            if isThere {
                rows.append(RawRecord(selection, hasOwner: false))
                selection.reset()
            } else {
                selection.reset()
                twin.insert(next, sample, owner: 0)
                rows.append(RawRecord(key: next, entity: twin.entity, sample))
                next += 1
            }
        }
        _ = twin.connection.takeKeys(Int(next - first), of: "Item")
        twin.connection.run("COMMIT")
        for row in rows { found.raw.add(row.sum) }
    }

    func engine() throws {
        guard let context = store?.context else { return }
        try context.performAndWait {
            var objects: [Item] = []
            for sample in wanted {
                let request = NSFetchRequest<Item>(entityName: "Item")
                request.predicate = NSPredicate(format: "name == %@", sample.name)
                request.fetchLimit = 1
                if let item = try context.fetch(request).first {
                    objects.append(item)
                } else {
                    let item = Item(context: context)
                    item.fill(sample)
                    objects.append(item)
                }
            }
            try context.save()
            for object in objects { found.engine.add(object.attributeSum) }
        }
    }

    func results() throws -> (raw: Digest, engine: Digest) {
        guard found.raw == found.engine else { return found }
        return try Stored.digests(twin?.connection, store, ["ZITEM"])
    }
}
