import CoreData

/// Every record's owner's name, from new connections: owners read beforehand, or each when it is met first.
final class ToOneWorkload: PairedWorkload {
    let name: String
    let goal: Goal
    private let prefetches: Bool
    private var url: URL?
    private var twin: RawRecords?
    private var store: Engine?
    private var found = (raw: Digest(), engine: Digest())
    private var held: [AnyObject] = []

    init(_ name: String, prefetches: Bool, goal: Goal) {
        (self.name, self.prefetches, self.goal) = (name, prefetches, goal)
    }

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
        let owners = RawOwners(twin.connection)
        var known: [Int64: RawOwner] = [:]
        let rows = twin.all()
        if prefetches {
            let all = owners.all()
            known.reserveCapacity(all.count)
            for owner in all { known[owner.key] = owner }
        }
        for row in rows {
            if let owner = known[row.owner] {
                row.ownerObject = owner
            } else if let owner = owners.owner(row.owner) {
                known[row.owner] = owner
                row.ownerObject = owner
            }
        }
        for row in rows { found.raw.add(row.ownerObject?.name.utf8.count ?? 0) }
        held += rows
    }

    func engine() throws {
        guard let store else { return }
        let objects: [Record] = try store.fetch(prefetching: prefetches ? ["owner"] : [])
        store.context.performAndWait {
            for object in objects { found.engine.add(object.owner?.name?.utf8.count ?? 0) }
        }
        held += objects
    }

    func results() throws -> (raw: Digest, engine: Digest) { found }
}
