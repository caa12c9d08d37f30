import CoreData

/// Every object deleted, and one save. The objects were fetched before.
final class DeleteWorkload<Object: RecordValues>: PairedWorkload {
    let name: String
    let goal: Goal
    private let table: RawTable
    private let content: Bench.Content
    private var count = 0
    private var twin: RawRecords?
    private var store: Engine?
    private var rows: [RawRecord] = []
    private var objects: [Object] = []

    init(_ name: String, _ table: RawTable, of content: Bench.Content, goal: Goal) {
        (self.name, self.table, self.content, self.goal) = (name, table, content, goal)
    }

    func setUp(_ bench: Bench, rows: Int) throws -> Int {
        count = rows
        return rows
    }

    func prepare(_ bench: Bench) throws {
        (rows, objects) = ([], [])
        let twin = RawRecords(RawConnection(try bench.copy(content, rows: count)), table)
        let store = try Engine(store: bench.copy(content, rows: count), model: bench.model)
        rows = twin.all()
        objects = try store.fetch()
        (self.twin, self.store) = (twin, store)
    }

    func raw() throws { twin?.delete(rows) }

    func engine() throws { try store?.delete(objects) }

    func results() throws -> (raw: Digest, engine: Digest) { try Stored.digests(twin?.connection, store, [table.name, "ZOWNER"]) }
}
