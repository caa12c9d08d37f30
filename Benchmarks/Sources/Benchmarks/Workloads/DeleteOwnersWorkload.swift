import CoreData

/// Owners deleted whose records stay: each record's reference is set to nil and saved. The twin needs no record for that.
final class DeleteOwnersWorkload: PairedWorkload {
    let name = "delete owners, nullify records"
    let goal = Goal.none
    private var count = 0
    private var twin: RawOwners?
    private var store: Engine?
    private var owners: [RawOwner] = []
    private var objects: [Owner] = []

    func setUp(_ bench: Bench, rows: Int) throws -> Int {
        count = rows
        return rows
    }

    func prepare(_ bench: Bench) throws {
        (owners, objects) = ([], [])
        let twin = RawOwners(RawConnection(try bench.copy(.ownedRecords, rows: count)))
        let store = try Engine(store: bench.copy(.ownedRecords, rows: count), model: bench.model)
        owners = twin.all()
        objects = try store.fetch()
        (self.twin, self.store) = (twin, store)
    }

    func raw() throws { twin?.delete(owners) }

    func engine() throws { try store?.delete(objects) }

    func results() throws -> (raw: Digest, engine: Digest) { try Stored.digests(twin?.connection, store, ["ZRECORD", "ZOWNER"]) }
}
