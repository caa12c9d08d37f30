import CoreData

/// A batch update or delete request of nine rows in ten.
final class BatchChangeWorkload: PairedWorkload {
    let name: String
    let goal = Goal.ratio(1.1)
    private let deletes: Bool
    private var count = 0
    private var twin: RawConnection?
    private var store: Engine?

    init(deletes: Bool) {
        self.deletes = deletes
        name = deletes ? "batch delete" : "batch update"
    }

    private var limit: Int { Sample.ranks(of: count) * 9 / 10 }

    func setUp(_ bench: Bench, rows: Int) throws -> Int {
        count = rows
        return rows
    }

    func prepare(_ bench: Bench) throws {
        twin = RawConnection(try bench.copy(.records, rows: count))
        store = try Engine(store: bench.copy(.records, rows: count), model: bench.model)
    }

    func raw() throws {
        let change = deletes ? "DELETE FROM ZRECORD" : "UPDATE ZRECORD SET ZCOUNT = ZCOUNT + 1, Z_OPT = Z_OPT + 1"
        twin?.transaction { twin?.run("\(change) WHERE ZRANK < \(limit)") }
    }

    func engine() throws {
        guard let context = store?.context else { return }
        _ = try context.performAndWait { try context.execute(request()) }
    }

    private func request() -> NSPersistentStoreRequest {
        let predicate = NSPredicate(format: "rank < %d", limit)
        if deletes {
            let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Record")
            fetch.predicate = predicate
            return NSBatchDeleteRequest(fetchRequest: fetch)
        }
        let request = NSBatchUpdateRequest(entityName: "Record")
        request.propertiesToUpdate = ["count": NSExpression(format: "count + 1")]
        request.predicate = predicate
        return request
    }

    func results() throws -> (raw: Digest, engine: Digest) { try Stored.digests(twin, store, ["ZRECORD"]) }
}
