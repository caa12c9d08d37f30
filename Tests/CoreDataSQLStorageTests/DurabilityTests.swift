import CoreDataSchema
import CoreDataStorage
import Foundation
import SQLiteDriver
import Testing

@testable import CoreDataSQLStorage

@Suite struct DurabilityTests {
    /// The files as another process would find them if this one were killed now.
    private func killed(_ fixture: StoreFixture) throws -> URL {
        let folder = fixture.folder.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: fixture.url.path + suffix) {
            try FileManager.default.copyItem(atPath: fixture.url.path + suffix, toPath: folder.appendingPathComponent("Staff.sqlite").path + suffix)
        }
        return folder.appendingPathComponent("Staff.sqlite")
    }

    @Test("A commit is in the files when it returns")
    func afterCommit() throws {
        let fixture = try StoreFixture()
        for name in ["a", "b", "c"] {
            try fixture.insert("Tag", ["name": .string(name)])
            let store = try SQLiteRowStore.open(try killed(fixture), model: fixture.model)
            guard case .rows(let rows) = try store.fetch(try fixture.plan("Tag", sort: ["-name"])) else { throw Unexpected("no rows") }
            #expect(try rows.first.map { try fixture.value($0, "name") } == .string(name))
            try store.close()
        }
    }

    @Test("SM11: files cut off anywhere in the log hold all of a save or none of it")
    func tornLog() throws {
        let fixture = try StoreFixture()
        try fixture.insert("Tag", ["name": .string("first")])
        var batch = ChangeBatch()
        batch.inserted = try (0..<500).map { try fixture.row("Tag", ["name": .string("second \($0)")]) }
        _ = try fixture.committed(batch)
        let full = try killed(fixture)
        let log = try Data(contentsOf: URL(fileURLWithPath: full.path + "-wal"))
        for part in 1...8 {
            let url = try killed(fixture)
            try log.prefix(log.count * part / 8 - 7).write(to: URL(fileURLWithPath: url.path + "-wal"))
            guard let store = try? SQLiteRowStore.open(url, model: fixture.model) else { continue }
            var plan = try fixture.plan("Tag")
            plan.result = .count
            guard case .count(let count) = try store.fetch(plan) else { throw Unexpected("no count") }
            #expect([0, 1, 501].contains(count))
            try store.close()
        }
    }

    @Test("A store locked by another connection is busy after the timeout, and works again afterwards")
    func busy() throws {
        var options = SQLiteStoreOptions()
        options.busyTimeout = 0.05
        let fixture = try StoreFixture(options: options)
        let other = try SQLiteConnection(path: fixture.url.path, access: .readWrite)
        try other.execute("BEGIN IMMEDIATE")
        let error = #expect(throws: StoreError.self) { try fixture.insert("Tag", ["name": .string("x")]) }
        guard case .busy(_, let seconds) = error else { throw Unexpected("\(String(describing: error))") }
        #expect(seconds == 0.05)
        #expect(try fixture.names("Tag") == [])
        try other.execute("ROLLBACK")
        try fixture.insert("Tag", ["name": .string("x")])
        #expect(try fixture.names("Tag") == ["x"])
    }

    @Test("A full disk is an error that keeps nothing of the save, and the store goes on")
    func full() throws {
        var options = SQLiteStoreOptions()
        options.pragmas = ["max_page_count": "40"]
        let fixture = try StoreFixture(options: options)
        try fixture.insert("Tag", ["name": .string("small")])
        var batch = ChangeBatch()
        batch.inserted = [try fixture.row("Tag", ["name": .string("other")]), try fixture.row("Person", ["photo": .data(Data(repeating: 1, count: 400_000))])]
        let error = #expect(throws: StoreError.self) { try fixture.store.commit(batch) }
        guard case .diskFull = error else { throw Unexpected("\(String(describing: error))") }
        #expect(try fixture.names("Tag") == ["small"])
        try fixture.insert("Tag", ["name": .string("next")])
        #expect(try fixture.names("Tag") == ["small", "next"])
    }

    @Test("Threads share a store: every commit counts once, and readers never see half of one")
    func threads() throws {
        let fixture = try StoreFixture()
        let store = fixture.store
        let entity = Int32(try fixture.entity("Tag").index)
        let plan = try { var plan = FetchPlan(entity: Int(entity)); _ = try fixture.entity("Tag"); plan.result = .count; return plan }()
        let failures = Failures()
        DispatchQueue.concurrentPerform(iterations: 8) { worker in
            for step in 0..<10 {
                do {
                    var batch = ChangeBatch()
                    for row in 0..<5 {
                        let key = RowKey(primaryKey: -Int64(1 + worker * 1000 + step * 10 + row), entity: entity)
                        batch.inserted.append(InsertedRow(key: key, values: ContiguousArray(repeating: .null, count: 3)))
                    }
                    guard case .committed = try store.commit(batch), case .count(let count) = try store.fetch(plan) else { throw Unexpected("not committed") }
                    if count % 5 != 0 { failures.add("saw \(count) rows") }
                } catch {
                    failures.add("\(error)")
                }
            }
        }
        #expect(failures.all == [])
        #expect(try fixture.shell("SELECT COUNT(*), COUNT(DISTINCT Z_PK), (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag') FROM ZTAG") == ["400|400|400"])
    }

    /// Unchecked Sendable: guarded by its lock.
    private final class Failures: @unchecked Sendable {
        private let lock = NSLock()
        private var messages: [String] = []
        func add(_ message: String) { lock.withLock { messages.append(message) } }
        var all: [String] { lock.withLock { messages } }
    }
}
