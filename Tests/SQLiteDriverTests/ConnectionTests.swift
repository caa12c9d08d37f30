import Foundation
import SQLiteDriver
import Testing

struct TemporaryFolder: ~Copyable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("sqlite-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    deinit { try? FileManager.default.removeItem(at: url) }
}

@Suite struct ConnectionTests {
    @Test("Opening a missing file for reading is an error with its code, and creates nothing")
    func missing() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("none.sqlite")
        let error = #expect(throws: SQLiteError.self) { try SQLiteConnection(path: path, access: .readOnly) }
        #expect(error?.isCannotOpen == true)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("A file that has lost its content keeps its log: it is no database, however it is opened")
    func emptied() throws {
        let folder = try TemporaryFolder(), path = folder.path("a.sqlite"), log = Data(repeating: 7, count: 4000)
        try Data().write(to: URL(fileURLWithPath: path))
        try log.write(to: URL(fileURLWithPath: path + "-wal"))
        for access: SQLiteConnection.Access in [.readOnly, .readWrite, .create, .readOnlyWithoutSharedMemory, .readOnlyAlone, .immutable] {
            let error = #expect(throws: SQLiteError.self) { try SQLiteConnection(path: path, access: access) }
            #expect(error?.isNotADatabase == true)
        }
        #expect(FileManager.default.contents(atPath: path + "-wal") == log && FileManager.default.contents(atPath: path) == Data())
    }

    @Test("Paths with %, ? and # name the file they say")
    func oddPath() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("50% of a#b?mode=ro é.sqlite")
        let connection = try SQLiteConnection(path: path, access: .create)
        try connection.execute("CREATE TABLE t (a)")
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test("Values come back as they were bound, empty text and blob are not NULL")
    func roundTrip() throws {
        let connection = try SQLiteConnection(path: ":memory:", access: .create)
        try connection.execute("CREATE TABLE t (i INTEGER, r FLOAT, s VARCHAR, b BLOB, e VARCHAR, z BLOB, n VARCHAR)")
        let insert = try connection.prepare("INSERT INTO t VALUES (?,?,?,?,?,?,?)")
        let text = Array("stays put".utf8)
        try text.withUnsafeBytes { bytes in
            try insert.bind(1, Int64.min)
            try insert.bind(2, 0.1)
            try insert.bindTextStatic(3, bytes)
            try insert.bindBlob(4, bytes)
            try insert.bind(5, "")
            try insert.bindBlobStatic(6, UnsafeRawBufferPointer(start: nil, count: 0))
            try insert.bindNull(7)
            try insert.run()
        }
        try connection.withStatement("SELECT * FROM t") { row in
            let first = try row.step()
            #expect(first)
            #expect(row.integer(0) == .min)
            #expect(row.real(1) == 0.1)
            #expect(row.text(2) == "stays put")
            #expect(row.blob(3) == text)
            #expect(row.text(4) == "")
            #expect(row.blob(5) == [])
            #expect(row.isNull(6) && row.text(6) == nil && row.blob(6) == nil)
            let second = try row.step()
            #expect(!second)
        }
    }

    @Test("A statement's text is prepared once, and a nested use of the same text gets its own")
    func cache() throws {
        let connection = try SQLiteConnection(path: ":memory:", access: .create)
        try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1), (2)")
        for _ in 0..<3 { _ = try connection.integer("SELECT a FROM t") }
        #expect(connection.cachedStatementCount == 1)
        var pairs = 0
        try connection.withStatement("SELECT a FROM t") { outer in
            while try outer.step() {
                try connection.withStatement("SELECT a FROM t") { inner in while try inner.step() { pairs += 1 } }
            }
        }
        #expect(pairs == 4)
    }

    @Test("A refused statement says its code, its message and its text, and the connection goes on")
    func errors() throws {
        let connection = try SQLiteConnection(path: ":memory:", access: .create)
        try connection.execute("CREATE TABLE t (a UNIQUE)")
        let syntax = #expect(throws: SQLiteError.self) { try connection.prepare("SELEKT 1") }
        #expect(syntax?.sql == "SELEKT 1")
        #expect(syntax?.message.contains("syntax error") == true)
        try connection.execute("INSERT INTO t VALUES (1)")
        let twice = #expect(throws: SQLiteError.self) { try connection.prepare("INSERT INTO t VALUES (1)").run() }
        #expect(twice?.isUniquenessViolation == true)
        #expect(try connection.integer("SELECT COUNT(*) FROM t") == 1)
    }

    @Test("A transaction is rolled back when its body throws or asks for it, and kept otherwise")
    func transactions() throws {
        struct Stop: Error {}
        let connection = try SQLiteConnection(path: ":memory:", access: .create)
        try connection.execute("CREATE TABLE t (a)")
        #expect(throws: Stop.self) {
            try connection.transaction(.immediate) { () -> (Void, SQLiteConnection.TransactionEnd) in
                try connection.execute("INSERT INTO t VALUES (1)")
                throw Stop()
            }
        }
        try connection.transaction(.immediate) { (try connection.execute("INSERT INTO t VALUES (2)"), .rollBack) }
        #expect(!connection.isInTransaction)
        #expect(try connection.integer("SELECT COUNT(*) FROM t") == 0)
        try connection.transaction(.immediate) { (try connection.execute("INSERT INTO t VALUES (3)"), .commit) }
        #expect(try connection.integer("SELECT a FROM t") == 3)
    }

    @Test("A second writer gets SQLITE_BUSY after the timeout, not a hang")
    func busy() throws {
        let folder = try TemporaryFolder()
        let first = try SQLiteConnection(path: folder.path("a.sqlite"), access: .create)
        try first.applyStandardPragmas()
        try first.execute("CREATE TABLE t (a); BEGIN IMMEDIATE; INSERT INTO t VALUES (1)")
        let second = try SQLiteConnection(path: folder.path("a.sqlite"), access: .readWrite)
        second.setBusyTimeout(milliseconds: 20)
        let error = #expect(throws: SQLiteError.self) {
            try second.transaction(.immediate) { ((), .commit) }
        }
        #expect(error?.isBusy == true)
        #expect(try second.integer("SELECT COUNT(*) FROM t") == 0, "readers are not held up by a writer")
    }

    @Test("Functions get their arguments, keep what they prepared, and report errors")
    func functions() throws {
        final class Counter: @unchecked Sendable { var made = 0 }
        final class Box { let text: String; init(_ text: String) { self.text = text } }
        let counter = Counter()
        let connection = try SQLiteConnection(path: ":memory:", access: .create)
        try connection.register(function: "joined", argumentCount: 2) { call in
            guard let left = call.text(0) else { return call.resultNull() }
            let right = call.prepared(1, as: Box.self) {
                counter.made += 1
                return Box(call.text(1) ?? "")
            }
            call.result(left + (right?.text ?? ""))
        }
        try connection.register(function: "fails", argumentCount: 0) { $0.result(error: "no way") }
        try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES ('x'), (NULL), ('z')")
        var seen: [String?] = []
        try connection.withStatement("SELECT joined(a, '!') FROM t") { while try $0.step() { seen.append($0.text(0)) } }
        #expect(seen == ["x!", nil, "z!"])
        #expect(counter.made == 1)
        let error = #expect(throws: SQLiteError.self) { try connection.prepare("SELECT fails()").run() }
        #expect(error?.message == "no way")
    }

    @Test("A registered collation sorts")
    func collations() throws {
        let connection = try SQLiteConnection(path: ":memory:", access: .create)
        try connection.register(collation: "by_length") { $0.count - $1.count }
        try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES ('ccc'), ('b'), ('aa')")
        var seen: [String] = []
        try connection.withStatement("SELECT a FROM t ORDER BY a COLLATE by_length") {
            while try $0.step() { seen.append($0.text(0) ?? "") }
        }
        #expect(seen == ["b", "aa", "ccc"])
    }

    @Test("A backup holds what only the write-ahead log had")
    func backup() throws {
        let folder = try TemporaryFolder()
        let source = try SQLiteConnection(path: folder.path("a.sqlite"), access: .create)
        try source.applyStandardPragmas()
        try source.execute("CREATE TABLE t (a); INSERT INTO t VALUES (42)")
        let target = try SQLiteConnection(path: folder.path("b.sqlite"), access: .create)
        try source.backUp(to: target)
        target.close()
        #expect(try SQLiteConnection(path: folder.path("b.sqlite"), access: .readOnly).integer("SELECT a FROM t") == 42)
    }

    @Test("Interrupting from another thread ends a long statement")
    func interrupt() throws {
        let connection = try SQLiteConnection(path: ":memory:", access: .create)
        let thread = Thread { Thread.sleep(forTimeInterval: 0.05); connection.interrupt() }
        thread.start()
        let error = #expect(throws: SQLiteError.self) {
            try connection.integer("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n")
        }
        #expect(error?.isInterrupt == true)
    }

    @Test("A closed connection refuses politely")
    func closed() throws {
        let connection = try SQLiteConnection(path: ":memory:", access: .create)
        connection.close()
        connection.close()
        #expect(throws: SQLiteError.self) { try connection.execute("SELECT 1") }
        #expect(connection.changes == 0)
    }
}
