import CoreData

/// A file of a hundred entities opened: by Core Data with a model no store has used yet, by the twin until it knows all tables.
final class OpenWorkload: PairedWorkload {
    let name = "open a store, 100 entities"
    let goal = Goal.extraMilliseconds(5)
    let grows = false
    private var url: URL?
    private var model = LargeModel.make()
    private var twin: RawConnection?
    private var store: Engine?
    private var found = (raw: Digest(), engine: Digest())

    func setUp(_ bench: Bench, rows: Int) throws -> Int {
        let url = bench.folder.appendingPathComponent("large.sqlite")
        try Engine(store: url, model: model).close()
        self.url = url
        return 1
    }

    func prepare(_ bench: Bench) throws { (model, twin, store, found) = (LargeModel.make(), nil, nil, (Digest(), Digest())) }

    func raw() throws {
        guard let url else { return }
        let twin = RawConnection(url)
        found.raw.rows = Int(twin.integer("SELECT COUNT(*) FROM Z_PRIMARYKEY WHERE Z_NAME LIKE 'Thing%'"))
        self.twin = twin
    }

    func engine() throws {
        guard let url else { return }
        store = try Engine(store: url, model: model)
        found.engine.rows = model.entities.count
    }

    func results() throws -> (raw: Digest, engine: Digest) { found }
}
