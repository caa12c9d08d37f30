import CoreDataSchema
import CoreDataStorage
import Foundation
import Synchronization
import Testing

@testable import CoreDataSQLStorage

@Suite("Reading beside the store's connection")
struct ReadLaneTests {
    /// A fetch of all tags by name, known by its shape as a context's requests are.
    private func plan(_ fixture: StoreFixture, _ result: FetchResultKind, of entity: String = "Tag") throws -> FetchPlan {
        var plan = FetchPlan(entity: try fixture.entity(entity).index)
        plan.sort = [SortTerm(keyPath: ["name"], isAscending: true)]
        plan.result = result
        plan.take(try #require(RequestShape(nil, sort: plan.sort)), [])
        return plan
    }

    /// Runs `body` while another thread holds the store's connection.
    private func whileBusy<Result>(_ store: SQLiteRowStore, _ body: () throws -> Result) rethrows -> Result {
        let entered = DispatchSemaphore(value: 0), leave = DispatchSemaphore(value: 0), left = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            store.lock.lock()
            entered.signal()
            leave.wait()
            store.lock.unlock()
            left.signal()
        }
        entered.wait()
        defer {
            leave.signal()
            left.wait()
        }
        return try body()
    }

    private func names(_ fixture: StoreFixture, _ outcome: FetchOutcome?) throws -> [String]? {
        guard case .rows(let rows) = outcome else { return nil }
        return try rows.map { row in if case .string(let name) = try fixture.value(row, "name") { name } else { "" } }
    }

    @Test("A fetch does not wait for the store's connection, and sees what was committed last")
    func besideAnother() throws {
        let fixture = try StoreFixture()
        for name in ["b", "a"] { try fixture.insert("Tag", ["name": .string(name)]) }
        let rows = try plan(fixture, .rows), keys = try plan(fixture, .keys), count = try plan(fixture, .count)
        #expect(fixture.store.fetchBeside(rows) == nil, "The connection is free")
        for expected in [["a", "b"], ["a", "b", "c"]] {
            let outcomes = whileBusy(fixture.store) { [rows, keys, count].map(fixture.store.fetchBeside) }
            #expect(try names(fixture, outcomes[0]) == expected)
            if case .keys(let found) = outcomes[1] { #expect(found.count == expected.count) } else { Issue.record("no keys") }
            if case .count(let found) = outcomes[2] { #expect(found == expected.count) } else { Issue.record("no count") }
            try fixture.insert("Tag", ["name": .string("c")])
        }
        #expect(fixture.store.lanes.count == 1)
    }

    @Test("Rows read while something was committed do not replace those of the commit")
    func clock() throws {
        let fixture = try StoreFixture()
        let row = try fixture.insert("Tag", ["name": .string("a")])
        let rows = try plan(fixture, .rows), store = fixture.store
        store.clock.begin()
        #expect(whileBusy(store) { store.fetchBeside(rows) } == nil, "Something is becoming visible")
        store.clock.end()
        #expect(whileBusy(store) { store.fetchBeside(rows) } != nil)
        let time = try #require(store.clock.now), generation = store.rowCache.generation
        var batch = ChangeBatch()
        batch.updated = [try fixture.update(row, ["name": .string("b")])]
        let new = try #require(try fixture.committed(batch).updated.first)
        #expect(!store.clock.ifStill(time) { true }, "A commit is noticed")
        #expect(!store.rowCache.adopt([row], ifStillAt: generation))
        #expect(store.rowCache.row(for: row.key)?.version == new.version)
    }

    @Test("Readers beside a writer: each sees whole commits, what was committed before it began, and never older rows of the cache")
    func readersBesideAWriter() throws {
        let fixture = try StoreFixture()
        var batch = ChangeBatch()
        batch.inserted = try (0..<20).map { try fixture.row("Tag", ["name": .string("\($0)"), "weight": .integer(0)]) }
        var current = try fixture.committed(batch).inserted
        let keys = current.map(\.key), slot = try #require(try fixture.entity("Tag").slotByName["weight"])
        let plan = try plan(fixture, .rows), store = fixture.store
        let committed = Atomic<Int>(0), isDone = Atomic<Bool>(false)
        let failures = Mutex<Set<String>>([])
        let readers = DispatchGroup()
        for _ in 0..<4 {
            readers.enter()
            Thread.detachNewThread {
                defer { readers.leave() }
                while !isDone.load(ordering: .acquiring) {
                    let before = committed.load(ordering: .acquiring)
                    guard case .rows(let rows) = try? store.fetch(plan) else { return failures.withLock { _ = $0.insert("not read") } }
                    let weights = Set(rows.map { $0.integer(slot) })
                    if rows.count != 20 || weights.count != 1 { failures.withLock { _ = $0.insert("half a commit") } }
                    if (weights.min() ?? -1) < before { failures.withLock { _ = $0.insert("an older state") } }
                    let then = committed.load(ordering: .acquiring)
                    let cached = (try? store.rows(for: keys, staleAfter: -1)) ?? []
                    if cached.count != 20 || cached.contains(where: { $0.integer(slot) < then }) { failures.withLock { _ = $0.insert("an older row") } }
                }
            }
        }
        whileBusy(store) {
            for _ in 0..<1_000 where store.lanes.count == 0 { usleep(10_000) }
        }
        #expect(store.lanes.count > 0, "Nobody reads beside the connection")
        defer { isDone.store(true, ordering: .releasing) }
        for step in 1...40 {
            var batch = ChangeBatch()
            batch.updated = try current.map { try fixture.update($0, ["weight": .integer(Int64(step))]) }
            current = try fixture.committed(batch).updated
            committed.store(step, ordering: .releasing)
        }
        isDone.store(true, ordering: .releasing)
        readers.wait()
        #expect(failures.withLock { $0 } == [])
    }

    @Test("Closing a store closes its lanes: nothing is left beside the file, and fetches say that it is closed")
    func closing() throws {
        let fixture = try StoreFixture()
        try fixture.insert("Tag", ["name": .string("a")])
        let rows = try plan(fixture, .rows)
        #expect(whileBusy(fixture.store) { fixture.store.fetchBeside(rows) } != nil)
        try fixture.store.close()
        #expect(fixture.store.lanes.count == 0)
        #expect(whileBusy(fixture.store) { fixture.store.fetchBeside(rows) } == nil)
        #expect(throws: StoreError.self) { try fixture.store.fetch(rows) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path).filter { $0.hasPrefix("Staff") } == ["Staff.sqlite"])
    }

    @Test("No lane reads another file of the store's name, a store in memory, one with pragmas of its own, or values in files")
    func refusals() throws {
        let fixture = try StoreFixture()
        let rows = try plan(fixture, .rows), files = try plan(fixture, .rows, of: "File")
        #expect(whileBusy(fixture.store) { fixture.store.fetchBeside(files) } == nil)
        var options = SQLiteStoreOptions()
        options.pragmas = ["journal_mode": "DELETE"]
        let other = try StoreFixture(options: options)
        #expect(whileBusy(other.store) { other.store.fetchBeside(rows) } == nil)
        let memory = try SQLiteRowStore.open(URL(fileURLWithPath: "/dev/null"), model: fixture.model)
        #expect(whileBusy(memory) { memory.fetchBeside(rows) } == nil)
        try memory.close()

        let moved = try StoreFixture()
        try FileManager.default.moveItem(at: moved.url, to: moved.folder.appendingPathComponent("elsewhere"))
        try FileManager.default.copyItem(at: moved.folder.appendingPathComponent("elsewhere"), to: moved.url)
        #expect(whileBusy(moved.store) { moved.store.fetchBeside(rows) } == nil)
    }
}
