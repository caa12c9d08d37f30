import CoreDataSchema
import CoreDataStorage
import Foundation
import Testing

@testable import CoreDataSQLStorage

@Suite struct StoreFilesTests {
    @Test("A copy of an open store holds what only the log has, and external blobs; it is refused where a file is")
    func copy() throws {
        let fixture = try StoreFixture()
        let big = Data(repeating: 7, count: 200_000)
        try fixture.insert("File", ["name": .string("big"), "body": .data(big)])
        let target = fixture.folder.appendingPathComponent("Copy.sqlite")
        try StoreFiles.copy(from: fixture.url, to: target)
        #expect(throws: StoreError.self) { try StoreFiles.copy(from: fixture.url, to: target) }
        #expect(throws: StoreError.self) { try StoreFiles.copy(from: fixture.folder.appendingPathComponent("none"), to: fixture.folder.appendingPathComponent("x")) }
        let store = try SQLiteRowStore.open(target, model: fixture.model)
        guard case .rows(let rows) = try store.fetch(FetchPlan(entity: try fixture.entity("File").index)) else { throw Unexpected("no rows") }
        #expect(try fixture.value(try #require(rows.first), "body") == .data(big))
        #expect(store.metadata.identifier == fixture.store.metadata.identifier)
        try store.close()
        // Copying must not have loosened the locks of the open store.
        try fixture.insert("File", ["name": .string("after")])
    }

    @Test("Replacing takes the place of a store with its log; destroying leaves nothing behind")
    func replaceAndDestroy() throws {
        let fixture = try StoreFixture()
        try fixture.insert("Tag", ["name": .string("new")])
        let target = fixture.folder.appendingPathComponent("Old.sqlite")
        let old = try SQLiteRowStore.open(target, model: fixture.model)
        var batch = ChangeBatch()
        batch.inserted = [try fixture.row("File", ["body": .data(Data(repeating: 1, count: 150_000))])]
        _ = try old.commit(batch)
        try old.close()
        try StoreFiles.replace(target, with: fixture.url)
        let store = try SQLiteRowStore.open(target, model: fixture.model)
        guard case .count(let files) = try store.fetch(countPlan(try fixture.entity("File").index)) else { throw Unexpected("no count") }
        guard case .count(let tags) = try store.fetch(countPlan(try fixture.entity("Tag").index)) else { throw Unexpected("no count") }
        #expect(files == 0 && tags == 1)
        try store.close()
        try fixture.store.close()
        for url in [target, fixture.url] {
            try StoreFiles.destroy(url)
            #expect(!StoreFiles.exists(url))
            try StoreFiles.destroy(url)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path) == [])
        #expect(throws: StoreError.self) { try StoreFiles.destroy(fixture.folder.appendingPathComponent("none/a.sqlite")) }
    }

    @Test("A file that is no database is neither destroyed nor replaced, unless forced")
    func foreignFiles() throws {
        let fixture = try StoreFixture()
        let letter = fixture.folder.appendingPathComponent("letter.txt")
        let text = Data("Dear database, this is not for you to delete.".utf8)
        try text.write(to: letter)
        #expect(throws: StoreError.self) { try StoreFiles.destroy(letter) }
        #expect(throws: StoreError.self) { try StoreFiles.replace(letter, with: fixture.url) }
        #expect(try Data(contentsOf: letter) == text)
        // An empty file is what SQLite itself begins with.
        let empty = fixture.folder.appendingPathComponent("empty.sqlite")
        try Data().write(to: empty)
        try StoreFiles.destroy(empty)
        #expect(!StoreFiles.exists(empty))
        try StoreFiles.destroy(letter, isForced: true)
        #expect(!StoreFiles.exists(letter))
    }

    private func countPlan(_ entity: Int) -> FetchPlan {
        var plan = FetchPlan(entity: entity)
        plan.result = .count
        return plan
    }

    @Test("TY15: external blobs: inline with a prefix byte when short, a file when long, gone when replaced")
    func external() throws {
        let fixture = try StoreFixture()
        let folder = StoreFiles.externalFolder(of: fixture.url)
        func files() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }
        let big = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        let small = try fixture.insert("File", ["body": .data(Data([9, 8]))])
        let large = try fixture.insert("File", ["body": .data(big)])
        #expect(try fixture.shell("SELECT hex(ZBODY) FROM ZFILE WHERE Z_PK = 1") == ["010908"])
        #expect(files().count == 1)
        #expect(try fixture.shell("SELECT substr(ZBODY, 2, 36), length(ZBODY) FROM ZFILE WHERE Z_PK = 2") == [files()[0] + "|38"])
        try fixture.reopen()
        let rows = try fixture.store.rows(for: [small.key, large.key], staleAfter: 0).sorted { $0.key.primaryKey < $1.key.primaryKey }
        #expect(try fixture.value(rows[0], "body") == .data(Data([9, 8])))
        #expect(try fixture.value(rows[1], "body") == .data(big))
        var batch = ChangeBatch()
        batch.updated = [try fixture.update(rows[1], ["body": .data(Data([1]))])]
        _ = try fixture.committed(batch)
        #expect(files().isEmpty)
        // A commit that fails leaves no file behind.
        batch = ChangeBatch()
        batch.updated = [try fixture.update(rows[1], ["body": .data(big)])]
        guard case .conflicts = try fixture.store.commit(batch) else { throw Unexpected("no conflict") }
        #expect(files().isEmpty)
    }

    @Test("FORMAT §8: A file's value is not read with its row; rows of a read-only store and a copy have it")
    func lazyExternal() throws {
        let fixture = try StoreFixture()
        let slot = try fixture.reference("File", "body").slot
        try fixture.execute("INSERT INTO ZFILE (Z_PK, Z_ENT, Z_OPT, ZBODY) VALUES (1, 2, 1, X'01414243')")
        let name = UUID().uuidString
        let stored = "02" + name.utf8.map { String($0, radix: 16) }.joined() + "00"
        try fixture.execute("INSERT INTO ZFILE (Z_PK, Z_ENT, Z_OPT, ZBODY) VALUES (2, 2, 1, X'\(stored)')")
        let folder = StoreFiles.externalFolder(of: fixture.url)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("long".utf8).write(to: folder.appendingPathComponent(name))
        let copy = fixture.folder.appendingPathComponent("Copy.sqlite")
        try StoreFiles.copy(from: fixture.url, to: copy)
        var options = SQLiteStoreOptions()
        options.isReadOnly = true
        for url in [fixture.url, copy] {
            let store = try SQLiteRowStore.open(url, model: fixture.model, options: options)
            defer { try? store.close() }
            guard case .rows(let rows) = try store.fetch(FetchPlan(entity: try fixture.entity("File").index)) else { return }
            let byKey = Dictionary(rows.map { ($0.key.primaryKey, $0) }) { first, _ in first }
            #expect(byKey[1]?.external(slot) == nil && byKey[1]?.data(slot) == Data("ABC".utf8))
            #expect(byKey[2]?.external(slot)?.name == name && byKey[2]?.isNull(slot) == false)
            #expect(byKey[2]?.withBytes(slot) { $0.count } == 0)
            #expect(byKey[2]?.data(slot) == Data("long".utf8))
        }
    }
}
