import CoreDataSchema
import CoreDataStorage
import Foundation
import SQLiteDriver
import Testing

@testable import CoreDataSQLStorage

@Suite struct OpeningTests {
    /// Names and contents of every file in a folder.
    private func state(_ folder: URL) throws -> [String: Data] {
        var result: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            result[name] = (try? Data(contentsOf: folder.appendingPathComponent(name))) ?? Data("folder".utf8)
        }
        return result
    }

    private func refused(_ prepare: (StoreFixture) throws -> URL) throws -> StoreError {
        let fixture = try StoreFixture()
        try fixture.store.close()
        let url = try prepare(fixture)
        let before = try state(fixture.folder)
        let error = #expect(throws: StoreError.self) { try SQLiteRowStore.open(url, model: fixture.model) }
        #expect(try state(fixture.folder) == before, "nothing may change on disk")
        return try #require(error)
    }

    @Test("SM10: a file that is not SQLite is refused and left alone", arguments: [5, 4096, 100_000])
    func notADatabase(_ size: Int) throws {
        let error = try refused { fixture in
            let url = fixture.folder.appendingPathComponent("text.sqlite")
            try Data(repeating: 65, count: size).write(to: url)
            return url
        }
        guard case .notADatabase = error else { throw Unexpected("\(error)") }
    }

    @Test("SM10: a truncated store is refused and left alone")
    func truncated() throws {
        _ = try refused { fixture in
            let data = try Data(contentsOf: fixture.url)
            try data.prefix(data.count / 3).write(to: fixture.url)
            return fixture.url
        }
    }

    @Test("A SQLite database without Core Data's tables is refused and left alone, in either journal mode", arguments: ["WAL", "DELETE"])
    func notAStore(_ mode: String) throws {
        let error = try refused { fixture in
            let url = fixture.folder.appendingPathComponent("other.sqlite")
            let connection = try SQLiteConnection(path: url.path, access: .create)
            try connection.execute("PRAGMA journal_mode=\(mode); CREATE TABLE t (a)")
            connection.close()
            return url
        }
        guard case .notACoreDataStore(_, let reason) = error else { throw Unexpected("\(error)") }
        #expect(reason.contains("Z_METADATA"))
    }

    @Test("A store whose log holds everything is read without touching it when it is refused, with and without the log's index", arguments: [
        ["", "-wal"], ["", "-wal", "-shm"],
    ])
    func refusedWithLog(_ suffixes: [String]) throws {
        let fixture = try StoreFixture()
        try fixture.insert("Tag", [:])
        let other = fixture.folder.appendingPathComponent("copy")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        for suffix in suffixes {
            try FileManager.default.copyItem(atPath: fixture.url.path + suffix, toPath: other.appendingPathComponent("S.sqlite" + suffix).path)
        }
        var schema = StaffModel.schema()
        schema.entities.removeLast()
        let before = try state(other)
        #expect(before.count == suffixes.count)
        let error = #expect(throws: StoreError.self) { try SQLiteRowStore.open(other.appendingPathComponent("S.sqlite"), model: ResolvedModel(schema)) }
        guard case .incompatibleModel = error else { throw Unexpected("\(String(describing: error))") }
        #expect(try state(other) == before)
    }

    @Test("A store of another model is refused with both hash lists and what differs")
    func otherModel() throws {
        let fixture = try StoreFixture()
        try fixture.store.close()
        var schema = StaffModel.schema()
        schema.entities[4].attributes.append(AttributeSchema(name: "colour", type: .string))
        schema.entities.removeLast()
        let before = try state(fixture.folder)
        let error = #expect(throws: StoreError.self) { try SQLiteRowStore.open(fixture.url, model: ResolvedModel(schema)) }
        guard case .incompatibleModel(_, let differences, let stored, let model) = error else { throw Unexpected("\(String(describing: error))") }
        #expect(differences.count == 2 && differences[0].hasPrefix("File: in the store") && differences[1].hasPrefix("Tag: "))
        #expect(stored.count == 7 && model.count == 6 && stored["Tag"] != model["Tag"])
        #expect(try state(fixture.folder) == before)
    }

    @Test("Missing folders, folders in place of files, and read-only opening of nothing are refused")
    func badPlaces() throws {
        let fixture = try StoreFixture()
        for name in ["none/a.sqlite", ".", "Staff.sqlite/a.sqlite"] {
            let error = #expect(throws: StoreError.self) {
                try SQLiteRowStore.open(fixture.folder.appendingPathComponent(name), model: fixture.model)
            }
            guard case .cannotOpen = error else { throw Unexpected("\(name): \(String(describing: error))") }
        }
        var options = SQLiteStoreOptions()
        options.isReadOnly = true
        let url = fixture.folder.appendingPathComponent("new.sqlite")
        #expect(throws: StoreError.self) { try SQLiteRowStore.open(url, model: fixture.model, options: options) }
        #expect(!StoreFiles.exists(url))
    }

    @Test("SM06: a read-only store fetches, refuses to save, and its file does not change")
    func readOnly() throws {
        let fixture = try StoreFixture()
        try fixture.insert("Tag", ["name": .string("x")])
        try fixture.store.close()
        let before = try Data(contentsOf: fixture.url)
        var options = SQLiteStoreOptions()
        options.isReadOnly = true
        try fixture.reopen(options: options)
        #expect(try fixture.names("Tag") == ["x"])
        #expect(try fixture.names("Tag", "name IN %@", [.list((0..<1000).map { .string("\($0)") } + [.string("x")])]) == ["x"])
        let error = #expect(throws: StoreError.self) { try fixture.insert("Tag", [:]) }
        guard case .readOnly = error else { throw Unexpected("\(String(describing: error))") }
        try fixture.store.close()
        #expect(try Data(contentsOf: fixture.url) == before)
    }

    @Test("SM01, SM04: metadata is Apple's, and the UUID stays")
    func metadata() throws {
        let fixture = try StoreFixture()
        let first = fixture.store.metadata
        #expect(first.identifier == first.identifier.uppercased() && UUID(uuidString: first.identifier) != nil)
        #expect(first.type == "SQLite")
        for key in ["NSStoreType", "NSStoreModelVersionHashes", "NSStoreModelVersionHashesVersion", "NSStoreModelVersionHashesDigest",
                    "NSStoreModelVersionChecksumKey", "NSStoreModelVersionIdentifiers", "NSPersistenceFrameworkVersion", "_NSAutoVacuumLevel"] {
            #expect(first.values[key] != nil, "\(key)")
        }
        #expect(first.values["NSStoreUUID"] == nil)
        #expect(try fixture.shell("SELECT Z_VERSION, Z_UUID, substr(Z_PLIST, 1, 8) FROM Z_METADATA") == ["1|\(first.identifier)|bplist00"])
        try fixture.reopen()
        #expect(fixture.store.metadata.identifier == first.identifier)
    }

    @Test("SM02, SM03: metadata set on a store waits for a commit, set on a file is there at once")
    func settingMetadata() throws {
        let fixture = try StoreFixture()
        var metadata = fixture.store.metadata
        metadata.values = ["mine": "kept"]
        fixture.store.setMetadata(metadata)
        #expect(try StoreFiles.readMetadata(fixture.url).values["mine"] == nil)
        try fixture.reopen()
        #expect(fixture.store.metadata.values["mine"] == nil)
        fixture.store.setMetadata(metadata)
        _ = try fixture.committed(ChangeBatch())
        #expect(try StoreFiles.readMetadata(fixture.url).values["mine"] as? String == "kept")
        try fixture.reopen()
        #expect(fixture.store.metadata.values["mine"] as? String == "kept")
        metadata = try StoreFiles.readMetadata(fixture.url)
        metadata.values["mine"] = "other"
        try StoreFiles.writeMetadata(metadata, to: fixture.url)
        #expect(try StoreFiles.readMetadata(fixture.url).values["mine"] as? String == "other")
    }

    @Test("Pragmas of the caller's win; something that is no pragma is refused")
    func pragmas() throws {
        let fixture = try StoreFixture()
        var options = SQLiteStoreOptions()
        options.pragmas = ["journal_mode": "DELETE"]
        try fixture.reopen(options: options)
        #expect(try fixture.shell("PRAGMA journal_mode") == ["delete"])
        options.pragmas = ["foo": "1; DROP TABLE ZTAG"]
        #expect(throws: StoreError.self) { try fixture.reopen(options: options) }
    }

    @Test("FORMAT §7, §10: extra tables, columns and triggers, other column order and join table names do not matter")
    func tolerance() throws {
        let fixture = try StoreFixture()
        let person = try fixture.insert("Person", ["name": .string("A")]).key
        let tag = try fixture.insert("Tag", ["name": .string("t")]).key
        try fixture.store.close()
        try fixture.execute("""
            ALTER TABLE ZTAG RENAME TO ZOLD; CREATE TABLE ZTAG (ZNAME VARCHAR, ZSTALE BLOB, Z_OPT INTEGER, Z_PK INTEGER PRIMARY KEY, ZWEIGHT INTEGER, Z_ENT INTEGER);
            INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT Z_PK, Z_ENT, Z_OPT, ZNAME FROM ZOLD; DROP TABLE ZOLD;
            DROP TABLE Z_4TAGS; CREATE TABLE Z_7OWNERS (Z_7TAGS1 INTEGER, Z_4OWNERS INTEGER, Z_FOK_4OWNERS INTEGER, PRIMARY KEY (Z_7TAGS1, Z_4OWNERS));
            DROP INDEX ZPERSON_ZDEPT_INDEX; CREATE TABLE APP_EXTRA (a);
            CREATE TRIGGER Z_DA_T AFTER INSERT ON ZTAG BEGIN SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZTAG', 7, NEW.Z_PK, 'name', NEW.ZNAME); END;
            """)
        try fixture.reopen()
        #expect(try fixture.names("Tag") == ["t"])
        var batch = ChangeBatch()
        batch.inserted = [try fixture.row("Tag", ["name": .string("u")])]
        batch.links = [LinkChange(owner: person, relationship: try fixture.reference("Person", "tags"), added: [tag, batch.inserted[0].key], removed: [])]
        _ = try fixture.committed(batch)
        #expect(try fixture.shell("SELECT Z_4OWNERS, Z_7TAGS1 FROM Z_7OWNERS ORDER BY 2") == ["1|1", "1|2"])
        #expect(try fixture.names("Person", "ANY tags.name == 'u'") == ["A"])
    }

    @Test("A store whose table or column is missing is refused with its name")
    func missingColumn() throws {
        let fixture = try StoreFixture()
        try fixture.store.close()
        try fixture.execute("ALTER TABLE ZTAG DROP COLUMN ZWEIGHT; DROP TABLE ZNOTE")
        let error = #expect(throws: StoreError.self) { try SQLiteRowStore.open(fixture.url, model: fixture.model) }
        #expect(error?.description.contains("ZTAG.ZWEIGHT") == true && error?.description.contains("ZNOTE") == true)
    }

    @Test("Z_ENT is what the file says, not what the model would give")
    func foreignNumbers() throws {
        let fixture = try StoreFixture()
        try fixture.insert("Note", ["text": .string("x")])
        try fixture.store.close()
        try fixture.execute("UPDATE Z_PRIMARYKEY SET Z_ENT = 93 WHERE Z_NAME = 'Note'; UPDATE ZNOTE SET Z_ENT = 93")
        try fixture.reopen()
        let plan = try fixture.plan("Note", "text == 'x'")
        guard case .rows(let rows) = try fixture.store.fetch(plan) else { throw Unexpected("no rows") }
        #expect(rows.count == 1)
        try fixture.insert("Note", [:])
        #expect(try fixture.shell("SELECT Z_ENT FROM ZNOTE") == ["93", "93"])
        #expect(try fixture.shell("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 93") == ["2"])
    }

    @Test("An empty file becomes a store; a closed store refuses")
    func emptyAndClosed() throws {
        let fixture = try StoreFixture()
        let url = fixture.folder.appendingPathComponent("empty.sqlite")
        try Data().write(to: url)
        let store = try SQLiteRowStore.open(url, model: fixture.model)
        try store.close()
        try store.close()
        let error = #expect(throws: StoreError.self) { try store.fetch(FetchPlan(entity: 0)) }
        guard case .closed = error else { throw Unexpected("\(String(describing: error))") }
    }
}
