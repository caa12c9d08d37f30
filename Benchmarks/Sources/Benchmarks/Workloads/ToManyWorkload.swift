import CoreData

/// Every owner's ten records, from new connections: one value of each.
final class ToManyWorkload: PairedWorkload {
    let name = "traverse to-many, prefetched"
    let goal = Goal.ratio(1.5)
    private var url: URL?
    private var twin: RawRecords?
    private var store: Engine?
    private var found = (raw: Digest(), engine: Digest())
    private var held: [AnyObject] = []

    func setUp(_ bench: Bench, rows: Int) throws -> Int {
        url = try bench.store(.ownedRecords, rows: rows)
        return rows
    }

    func prepare(_ bench: Bench) throws {
        (found, held) = ((Digest(), Digest()), [])
        guard let url else { return }
        twin = RawRecords(RawConnection(url), .records)
        store = try Engine(store: url, model: bench.model)
    }

    func raw() throws {
        guard let twin else { return }
        let owners = RawOwners(twin.connection).all()
        var known: [Int64: RawOwner] = [:]
        known.reserveCapacity(owners.count)
        for owner in owners { known[owner.key] = owner }
        for row in twin.all() { known[row.owner]?.records.append(row) }
        for owner in owners {
            for row in owner.records { found.raw.add(Int(row.count)) }
        }
        held += owners
    }

    func engine() throws {
        guard let store else { return }
        let owners: [Owner] = try store.fetch(prefetching: ["records"])
        store.context.performAndWait {
            for owner in owners {
                for record in owner.records { found.engine.add(Int(record.count)) }
            }
        }
        held += owners
    }

    func results() throws -> (raw: Digest, engine: Digest) { found }
}
