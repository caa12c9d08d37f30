import CoreData
import CoreDataSchema
import CoreDataSQLStorage
import CoreDataTestSupport
import Foundation
import Testing

/// One rule of the file format (FORMAT.md) and what a file of ours must answer.
struct FormatRule: Sendable, CustomTestStringConvertible {
    let section: String
    let text: String
    let sql: String
    let answer: [String]
    var testDescription: String { "§\(section) \(text)" }

    init(_ section: String, _ text: String, _ sql: String, _ answer: [String]) {
        self.section = section
        self.text = text
        self.sql = sql
        self.answer = answer
    }

    static let all: [FormatRule] = [
        FormatRule("1", "UTF-8", "PRAGMA encoding", ["UTF-8"]),
        FormatRule("1", "user_version is never used", "PRAGMA user_version", ["0"]),
        FormatRule("1", "application_id is never used", "PRAGMA application_id", ["0"]),
        FormatRule("1", "incremental auto-vacuum", "PRAGMA auto_vacuum", ["2"]),
        FormatRule("1", "pages of 4096 bytes", "PRAGMA page_size", ["4096"]),
        FormatRule("1", "WAL", "PRAGMA journal_mode", ["wal"]),
        FormatRule("1", "entity tables, join tables, indexes, system tables, in this order",
                   "SELECT group_concat(kind, ' ') FROM (SELECT DISTINCT CASE WHEN name IN ('Z_PRIMARYKEY', 'Z_METADATA', 'Z_MODELCACHE') THEN name WHEN type = 'index' THEN 'index' WHEN name LIKE 'Z\\_%' ESCAPE '\\' THEN 'join' ELSE 'entity' END kind FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid)",
                   ["entity join index Z_PRIMARYKEY Z_METADATA Z_MODELCACHE"]),
        FormatRule("1", "no foreign keys, NOT NULL or CHECK", "SELECT COUNT(*) FROM sqlite_master WHERE sql LIKE '%NOT NULL%' OR sql LIKE '%REFERENCES%' OR sql LIKE '%CHECK%' OR sql LIKE '%DEFAULT%'", ["0"]),
        FormatRule("2", "Z_PRIMARYKEY, letter by letter", "SELECT sql FROM sqlite_master WHERE name = 'Z_PRIMARYKEY'",
                   ["CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)"]),
        FormatRule("2", "Z_METADATA, letter by letter", "SELECT sql FROM sqlite_master WHERE name = 'Z_METADATA'",
                   ["CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)"]),
        FormatRule("2", "Z_MODELCACHE, letter by letter", "SELECT sql FROM sqlite_master WHERE name = 'Z_MODELCACHE'", ["CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"]),
        FormatRule("2", "one row an entity, abstract ones included; depth first, names compared without case",
                   "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT",
                   ["1|Document|0", "2|Book|1", "3|Letter|1", "4|Page|0", "5|Sheet|0", "6|SyncableX|0", "7|SyncFeature|0", "8|Tag|0"]),
        FormatRule("2", "Z_MAX on the root's row only, and never lower after deletions", "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_MAX <> 0 ORDER BY 1",
                   ["Document|2", "Page|5", "Sheet|1", "Tag|3"]),
        FormatRule("2", "one row of metadata, version 1, an upper-case UUID", "SELECT COUNT(*), MAX(Z_VERSION), MAX(Z_UUID = upper(Z_UUID) AND length(Z_UUID) = 36) FROM Z_METADATA", ["1|1|1"]),
        FormatRule("2", "no model in the cache where its archived form is not known (a relationship without inverse)", "SELECT COUNT(*) FROM Z_MODELCACHE", ["0"]),
        FormatRule("3", "a table a root entity, columns by kind, keys and their entities, order columns",
                   "SELECT sql FROM sqlite_master WHERE name = 'ZPAGE'",
                   ["CREATE TABLE ZPAGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZB16 INTEGER, ZB32 INTEGER, ZB64 INTEGER, ZFLAG INTEGER, ZDOCUMENT INTEGER, Z1_DOCUMENT INTEGER, ZSHEET INTEGER, Z1COVERS INTEGER, Z_FOK_DOCUMENT INTEGER, ZDAY TIMESTAMP, ZHALF FLOAT, ZRATIO FLOAT, ZPRICE DECIMAL, ZNAME VARCHAR, ZLINK VARCHAR, ZTOKEN BLOB, ZTHING BLOB, ZIMAGE BLOB, ZRAW BLOB )"]),
        FormatRule("3", "subentities share the root's table; a name used twice gets a number", "SELECT sql FROM sqlite_master WHERE name = 'ZDOCUMENT'",
                   ["CREATE TABLE ZDOCUMENT ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZEXTRA INTEGER, ZTITLE VARCHAR, ZISBN VARCHAR, ZEXTRA1 VARCHAR )"]),
        FormatRule("3", "rows carry their own entity's number", "SELECT ZTITLE, Z_ENT FROM ZDOCUMENT ORDER BY 1", ["B|2", "L|3"]),
        FormatRule("3", "Z_OPT starts at 1 and counts updates", "SELECT ZNAME, Z_OPT FROM ZPAGE WHERE ZNAME IN ('O''Hara', 'p1') ORDER BY 1", ["O'Hara|3", "p1|1"]),
        FormatRule("3", "a key beside the number of the entity it leads to", "SELECT ZNAME, Z1_DOCUMENT FROM ZPAGE WHERE ZDOCUMENT IS NOT NULL ORDER BY 1", ["O'Hara|3", "p0|2", "p1|2"]),
        FormatRule("3", "one-to-one has a key on both sides", "SELECT (SELECT COUNT(*) FROM ZPAGE WHERE ZSHEET = 1), (SELECT COUNT(*) FROM ZSHEET WHERE ZPAGE = 1)", ["1|1"]),
        FormatRule("3", "a to-many without inverse is a key in its destination", "SELECT ZNAME FROM ZPAGE WHERE Z1COVERS = 2 OR Z1COVERS = 1", ["O'Hara"]),
        FormatRule("3", "integers and booleans", "SELECT ZB16, ZB32, ZB64, ZFLAG, typeof(ZB64), typeof(ZFLAG) FROM ZPAGE WHERE Z_PK = 1", ["3|70000|5000000000|1|integer|integer"]),
        FormatRule("3", "a Float is the float's value as a double", "SELECT ZHALF, typeof(ZHALF) FROM ZPAGE WHERE Z_PK = 1", ["1.33000004291534|real"]),
        FormatRule("3", "a Double is a real", "SELECT ZRATIO, typeof(ZRATIO) FROM ZPAGE WHERE Z_PK = 1", ["0.1|real"]),
        FormatRule("3", "a date counts seconds from 2001; whole ones become integers by affinity", "SELECT ZDAY, typeof(ZDAY) FROM ZPAGE WHERE Z_PK = 1", ["86400|integer"]),
        FormatRule("3", "a decimal ends up as a number", "SELECT ZPRICE, typeof(ZPRICE) FROM ZPAGE WHERE Z_PK = 1", ["10.11|real"]),
        FormatRule("3", "text as it is, a URI as its absolute text", "SELECT ZNAME, ZLINK, typeof(ZLINK) FROM ZPAGE WHERE Z_PK = 1", ["O'Hara|file:///a|text"]),
        FormatRule("3", "a UUID is its 16 bytes", "SELECT hex(ZTOKEN), typeof(ZTOKEN) FROM ZPAGE WHERE Z_PK = 1", ["00112233445566778899AABBCCDDEEFF|blob"]),
        FormatRule("3", "binary data as it is", "SELECT hex(ZRAW) FROM ZPAGE WHERE Z_PK = 1", ["0908"]),
        FormatRule("3", "a transformable is a keyed archive", "SELECT CAST(substr(ZTHING, 1, 8) AS TEXT), instr(ZTHING, CAST('$archiver' AS BLOB)) > 0 FROM ZPAGE WHERE Z_PK = 1", ["bplist00|1"]),
        FormatRule("3", "nil is NULL", "SELECT COUNT(*) FROM ZPAGE WHERE ZNAME = 'p1' AND ZDAY IS NULL AND ZTOKEN IS NULL AND ZIMAGE IS NULL AND ZFLAG IS NULL", ["1"]),
        FormatRule("4", "a join table, named after the side whose entity sorts first", "SELECT sql FROM sqlite_master WHERE name = 'Z_4TAGS'",
                   ["CREATE TABLE Z_4TAGS ( Z_4PAGES INTEGER, Z_8TAGS INTEGER, Z_FOK_8TAGS INTEGER, PRIMARY KEY (Z_4PAGES, Z_8TAGS) )"]),
        FormatRule("4", "its index turns the pair around", "SELECT sql FROM sqlite_master WHERE name = 'Z_4TAGS_Z_8TAGS_INDEX'", ["CREATE INDEX Z_4TAGS_Z_8TAGS_INDEX ON Z_4TAGS (Z_8TAGS, Z_4PAGES)"]),
        FormatRule("4", "its own inverse: REFLEXIVE, each pair both ways", "SELECT (SELECT sql FROM sqlite_master WHERE name = 'Z_4TWINS'), COUNT(*), SUM(Z_4TWINS <> REFLEXIVE) FROM Z_4TWINS",
                   ["CREATE TABLE Z_4TWINS ( Z_4TWINS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_4TWINS, REFLEXIVE) )|2|2"]),
        FormatRule("4", "order keys begin at 2048 and step by 1024", "SELECT Z_FOK_DOCUMENT FROM ZPAGE WHERE ZDOCUMENT = 1 ORDER BY 1", ["2048", "3072"]),
        FormatRule("4", "what moves takes the middle of its new neighbours", "SELECT Z_8TAGS, Z_FOK_8TAGS FROM Z_4TAGS ORDER BY Z_FOK_8TAGS", ["3|2048", "2|2560", "1|3072"]),
        FormatRule("5", "an index a key column", "SELECT sql FROM sqlite_master WHERE name = 'ZPAGE_ZDOCUMENT_INDEX'", ["CREATE INDEX ZPAGE_ZDOCUMENT_INDEX ON ZPAGE (ZDOCUMENT)"]),
        FormatRule("5", "an index over Z_ENT where there are subentities", "SELECT tbl_name FROM sqlite_master WHERE name LIKE '%Z\\_ENT\\_INDEX' ESCAPE '\\'", ["ZDOCUMENT"]),
        FormatRule("5", "a fetch index of several properties", "SELECT sql FROM sqlite_master WHERE name = 'Z_Page_byNameAndDay'",
                   ["CREATE INDEX Z_Page_byNameAndDay ON ZPAGE (ZNAME COLLATE BINARY ASC, ZDAY COLLATE BINARY DESC)"]),
        FormatRule("5", "one ascending property: the old name as well", "SELECT name FROM sqlite_master WHERE tbl_name = 'ZPAGE' AND name LIKE 'Z\\_Page\\_%lag' ESCAPE '\\' ORDER BY rowid", ["Z_Page_byFlag", "Z_Page_flag"]),
        FormatRule("5", "uniqueness is a unique index", "SELECT sql FROM sqlite_master WHERE name LIKE '%UNIQUE%'",
                   ["CREATE UNIQUE INDEX Z_Book_UNIQUE_isbn_title ON ZDOCUMENT (ZISBN COLLATE BINARY ASC, ZTITLE COLLATE BINARY ASC)"]),
        FormatRule("6", "no history tables unless asked for", "SELECT COUNT(*) FROM sqlite_master WHERE name LIKE 'A%'", ["0"]),
        FormatRule("8", "short external data stays, behind a 1", "SELECT hex(ZIMAGE) FROM ZPAGE WHERE Z_PK = 1", ["010908"]),
        FormatRule("8", "long external data: 2, the file's name, 0", "SELECT length(ZIMAGE), hex(substr(ZIMAGE, 1, 1)), hex(substr(ZIMAGE, 38, 1)), CAST(substr(ZIMAGE, 2, 36) AS TEXT) = upper(CAST(substr(ZIMAGE, 2, 36) AS TEXT)) FROM ZPAGE WHERE ZNAME = 'p2'", ["38|02|00|1"]),
    ]
}

@Suite("The file format, rule by rule")
struct FormatChecklistTests {
    private static let store = Result { UncheckedBox(try FormatStore()) }

    @Test("A store of ours keeps the rule", arguments: FormatRule.all)
    func rule(_ rule: FormatRule) throws {
        #expect(try Self.store.get().value.shell(rule.sql) == rule.answer)
    }

    @Test("§2: metadata is a binary property list with Apple's keys, their types, and no UUID in it")
    func metadata() throws {
        let store = try Self.store.get().value
        let (head, values) = try store.plist()
        #expect(head == "bplist00")
        #expect(values.keys.sorted() == [
            "NSPersistenceFrameworkVersion", "NSStoreModelVersionChecksumKey", "NSStoreModelVersionHashes", "NSStoreModelVersionHashesDigest",
            "NSStoreModelVersionHashesVersion", "NSStoreModelVersionIdentifiers", "NSStoreType", "_NSAutoVacuumLevel",
        ])
        #expect(values["NSStoreType"] as? String == "SQLite" && values["_NSAutoVacuumLevel"] as? String == "2")
        #expect(values["NSStoreModelVersionHashesVersion"] as? Int == 3 && values["NSStoreModelVersionIdentifiers"] as? [String] == ["v1"])
        let hashes = try #require(values["NSStoreModelVersionHashes"] as? [String: Data])
        #expect(hashes == store.model.entityVersionHashesByName && hashes.values.allSatisfy { $0.count == 32 })
        let bytes = hashes.mapValues { Array($0) }
        #expect(values["NSStoreModelVersionHashesDigest"] as? String == VersionHash.digest(bytes))
        #expect(values["NSStoreModelVersionChecksumKey"] as? String == VersionHash.checksum(bytes))
    }

    @Test("§8: the file of external data lies in .NAME_SUPPORT/_EXTERNAL_DATA under its name, with nothing before its bytes")
    func external() throws {
        let store = try Self.store.get().value
        let name = try #require(try store.shell("SELECT CAST(substr(ZIMAGE, 2, 36) AS TEXT) FROM ZPAGE WHERE ZNAME = 'p2'").first)
        let file = store.folder.file(".Format_SUPPORT/_EXTERNAL_DATA/\(name)")
        #expect(try Data(contentsOf: file) == Data(repeating: 5, count: 300_000))
    }

    @Test("§9: object IDs name store, concrete entity and key; unsaved ones a UUID")
    func identifiers() throws {
        let store = try Self.store.get().value
        try store.context.performAndWait {
            let letter = try #require(try store.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Letter")).first)
            #expect(letter.objectID.uriRepresentation().absoluteString == "x-coredata://\(store.identifier)/Letter/p2"
                || letter.objectID.uriRepresentation().absoluteString == "x-coredata://\(store.identifier)/Letter/p1")
            let new = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: store.context)
            #expect(new.objectID.uriRepresentation().absoluteString.hasPrefix("x-coredata:///Tag/t"))
            store.context.delete(new)
        }
    }

    @Test("§2: the model cache is raw DEFLATE of the keyed archive, and tells the whole model")
    func modelCache() throws {
        let folder = try TemporaryFolder()
        let model = NSManagedObjectModel()
        let note = ModelSamples.entity("Note", [ModelSamples.attribute("camelCase", .stringAttributeType, default: "x")])
        model.entities = [note]
        let url = folder.file("Notes.sqlite")
        _ = try openAppleStore(url, model: model)
        let archive = try #require(try StoreContents.read(url).modelArchive)
        #expect(archive.starts(with: Array("bplist00".utf8)))
        let stored = try StoredModel(url)
        #expect(stored.source == .modelCache)
        #expect(try stored.schema.entities == model.schema().entities)
    }
}
