import CoreDataSchema
import CoreDataStorage
import Foundation
import Testing

@testable import CoreDataSQLStorage

@Suite struct DefinitionTests {
    @Test("FORMAT §2–§5: tables, columns, join tables and indexes of a model with every shape")
    func staff() throws {
        let fixture = try StoreFixture()
        let tables = try fixture.shell("SELECT sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid")
        #expect(tables == [
            "CREATE TABLE ZDEPARTMENT ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCODE INTEGER, ZBOSS INTEGER, Z4_BOSS INTEGER, ZBUDGET DECIMAL, ZNAME VARCHAR )",
            "CREATE TABLE ZFILE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR, ZBODY BLOB )",
            "CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, Z1NOTES INTEGER, ZTEXT VARCHAR )",
            "CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAGE INTEGER, ZISACTIVE INTEGER, ZNUMBER INTEGER, ZDEPT INTEGER, ZLEADS INTEGER, ZMENTOR INTEGER, ZRANKEDIN INTEGER, ZLEVEL1 INTEGER, Z_FOK_RANKEDIN INTEGER, ZHEIGHT FLOAT, ZHIRED TIMESTAMP, ZWEIGHT FLOAT, ZWAGE DECIMAL, ZNAME VARCHAR, ZLEVEL VARCHAR, ZSITE VARCHAR, ZTOKEN BLOB, ZEXTRA BLOB, ZPHOTO BLOB )",
            "CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZWEIGHT INTEGER, ZNAME VARCHAR )",
            "CREATE TABLE Z_4FRIENDS ( Z_4FRIENDS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_4FRIENDS, REFLEXIVE) )",
            "CREATE TABLE Z_4TAGS ( Z_4OWNERS INTEGER, Z_7TAGS INTEGER, Z_FOK_4OWNERS INTEGER, PRIMARY KEY (Z_4OWNERS, Z_7TAGS) )",
            "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
            "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
            "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
        ])
        let indexes = try fixture.shell("SELECT sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL ORDER BY rowid")
        #expect(indexes == [
            "CREATE INDEX ZDEPARTMENT_ZBOSS_INDEX ON ZDEPARTMENT (ZBOSS)",
            "CREATE UNIQUE INDEX Z_Department_UNIQUE_code ON ZDEPARTMENT (ZCODE COLLATE BINARY ASC)",
            "CREATE INDEX ZNOTE_Z1NOTES_INDEX ON ZNOTE (Z1NOTES)",
            "CREATE INDEX ZPERSON_ZDEPT_INDEX ON ZPERSON (ZDEPT)", "CREATE INDEX ZPERSON_ZLEADS_INDEX ON ZPERSON (ZLEADS)",
            "CREATE INDEX ZPERSON_ZMENTOR_INDEX ON ZPERSON (ZMENTOR)", "CREATE INDEX ZPERSON_ZRANKEDIN_INDEX ON ZPERSON (ZRANKEDIN)",
            "CREATE INDEX ZPERSON_Z_ENT_INDEX ON ZPERSON (Z_ENT)",
            "CREATE INDEX Z_Person_byName ON ZPERSON (ZNAME COLLATE BINARY ASC)", "CREATE INDEX Z_Person_name ON ZPERSON (ZNAME COLLATE BINARY ASC)",
            "CREATE INDEX Z_4FRIENDS_REFLEXIVE_INDEX ON Z_4FRIENDS (REFLEXIVE, Z_4FRIENDS)",
            "CREATE INDEX Z_4TAGS_Z_7TAGS_INDEX ON Z_4TAGS (Z_7TAGS, Z_4OWNERS)",
        ])
        #expect(try fixture.shell("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY 1")
            == ["1|Department|0|0", "2|File|0|0", "3|Note|0|0", "4|Person|0|0", "5|Clerk|4|0", "6|Manager|4|0", "7|Tag|0|0"])
        #expect(try fixture.shell("PRAGMA auto_vacuum") == ["2"])
        #expect(try fixture.shell("PRAGMA journal_mode") == ["wal"])
        #expect(try fixture.shell("PRAGMA page_size") == ["4096"])
    }

    @Test("A partial index's predicate is its WHERE; one that needs more than the row is left out")
    func partialIndexes() throws {
        var schema = StaffModel.schema()
        let person = try #require(schema.entities.firstIndex { $0.name == "Person" })
        func index(_ name: String, _ format: String) -> FetchIndexSchema {
            FetchIndexSchema(
                name: name, elements: [FetchIndexElementSchema(propertyName: "age", isAscending: false)], partialPredicateFormat: format)
        }
        schema.entities[person].indexes = [
            index("a", "isActive == YES AND name != 'O\\'Hara'"), index("b", "dept.name == 'x'"), index("c", "name CONTAINS[c] 'x'"),
            index("d", "tags.@count > 0"), index("e", "name =="),
        ]
        let fixture = try StoreFixture(try ResolvedModel(schema))
        #expect(try fixture.shell("SELECT sql FROM sqlite_master WHERE name GLOB 'Z_Person_*'")
            == ["CREATE INDEX Z_Person_a ON ZPERSON (ZAGE COLLATE BINARY DESC) WHERE (ZISACTIVE = 1) AND (ZNAME <> 'O''Hara')"])
        try fixture.insert("Person", ["name": .string("x"), "isActive": .integer(1)])
    }

    @Test("A configuration's store holds its entities and their ancestors only, numbered from 1")
    func configuration() throws {
        var schema = StaffModel.schema()
        schema.configurations = [ConfigurationSchema(name: "Other", entityNames: ["Tag", "Manager"])]
        let model = try ResolvedModel(schema)
        let fixture = try StoreFixture(model)
        let url = fixture.folder.appendingPathComponent("Other.sqlite")
        let store = try SQLiteRowStore.open(url, model: model, configuration: "Other")
        #expect(store.schema.tables.map(\.name) == ["ZPERSON", "ZTAG"])
        #expect(store.schema.entityNumbers == [0, 0, 0, 1, 0, 2, 3])
        let hashes = try #require(store.metadata.values["NSStoreModelVersionHashes"] as? [String: Data])
        #expect(hashes.keys.sorted() == ["Manager", "Person", "Tag"])
        var batch = ChangeBatch()
        batch.inserted = [try fixture.row("Note", [:])]
        #expect(throws: StoreError.self) { try store.commit(batch) }
        try store.close()
        try SQLiteRowStore.open(url, model: model, configuration: "Other").close()
        #expect(throws: StoreError.self) { try SQLiteRowStore.open(url, model: model) }
        #expect(throws: StoreError.self) { try SQLiteRowStore.open(url, model: model, configuration: "None") }
    }

    @Test("Composite attributes are one column an element and come back whole")
    func composites() throws {
        var schema = ModelSchema()
        schema.composites = [
            CompositeSchema(name: "Place", elements: [AttributeSchema(name: "city", type: .string), {
                var inner = AttributeSchema(name: "at", type: .composite)
                inner.compositeName = "Point"
                return inner
            }()]),
            CompositeSchema(name: "Point", elements: [AttributeSchema(name: "x", type: .double), AttributeSchema(name: "y", type: .integer16)]),
        ]
        var shop = EntitySchema(name: "Shop")
        var address = AttributeSchema(name: "address", type: .composite)
        address.compositeName = "Place"
        shop.attributes = [AttributeSchema(name: "name", type: .string), address]
        schema.entities = [shop]
        let fixture = try StoreFixture(try ResolvedModel(schema))
        let value = AttributeValue.composite(["city": .string("Graz"), "at": .composite(["x": .real(1.5), "y": .integer(2)])])
        let key = try fixture.insert("Shop", ["name": .string("A"), "address": value]).key
        try fixture.insert("Shop", ["name": .string("B")])
        #expect(try fixture.shell("SELECT ZADDRESS_CITY, ZADDRESS_AT_X, ZADDRESS_AT_Y FROM ZSHOP") == ["Graz|1.5|2", "NULL|NULL|NULL"])
        try fixture.reopen()
        let row = try #require(try fixture.store.rows(for: [key], staleAfter: -1).first)
        #expect((row.object(1)?.value as? CompositeBox)?.value == value || row.value(0) == value || row.value(1) == value)
        #expect(try fixture.names("Shop", "address.at.x > 1 AND address.city BEGINSWITH 'G'") == ["A"])
        #expect(throws: StoreError.self) { try fixture.names("Shop", "address.street == 'x'") }
    }
}
