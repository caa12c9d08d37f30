import CoreDataTestSupport
import Foundation
import SQLiteDriver
import Testing
@testable import CoreDataCommand

@Suite("An export tells everything, or says what it does not")
struct ExactExportTests {
    let library: Library

    init() throws {
        library = try Library()
        try library.fill()
    }

    func sql(_ text: String, _ path: String? = nil) throws {
        let connection = try SQLiteConnection(path: path ?? library.path, access: .readWrite)
        defer { connection.close() }
        try connection.execute(text)
    }

    @Test("Composite values are written, nested ones too, and read back", arguments: ["json", "jsonl", "csv"])
    func composites(_ format: String) throws {
        let folder = try TemporaryFolder(), model = folder.file("C.xcdatamodel"), data = folder.file("d.json")
        let store = folder.file("c.sqlite").path, again = folder.file("again.sqlite").path, out = folder.file("Place." + format).path
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data("""
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
              <entity name="Place" representedClassName="Place">
                <attribute name="name" attributeType="String"/>
                <attribute name="location" optional="YES" attributeType="Composite" composite="Location"/>
              </entity>
              <composite name="Location">
                <attribute name="x" optional="YES" attributeType="Double" usesScalarValueType="NO"/>
                <attribute name="y" optional="YES" attributeType="Double" usesScalarValueType="NO"/>
              </composite>
            </model>
            """.utf8).write(to: model.appendingPathComponent("contents"))
        try Data(#"{"Place":[{"name":"a","location":{"x":1.5,"y":2}},{"name":"b"}]}"#.utf8).write(to: data)
        let seeded = coredata("seed", model.path, data.path, "-o", store)
        #expect(seeded.code == 0, "\(seeded.errors)")
        let exported = coredata("export", store, "--model", model.path, "--format", format, "--entity", "Place", "-o", out)
        #expect(exported.code == 0, "\(exported.errors)")
        #expect(coredata("seed", model.path, out, "-o", again).code == 0)
        for path in [store, again] {
            let connection = try SQLiteConnection(path: path, access: .readOnly)
            defer { connection.close() }
            #expect(try connection.text("SELECT group_concat(quote(ZLOCATION_X) || quote(ZLOCATION_Y)) FROM ZPLACE") == "1.52.0,NULLNULL")
        }
    }

    /// What a column has that its attribute has not, and what is said of it.
    static let doubts = [
        ("UPDATE ZBOOK SET Z_ENT = 99 WHERE ZTITLE = 'Third'", "left out: Book: 1 row"),
        ("UPDATE ZBOOK SET ZPAGES = 'abc' WHERE ZTITLE = 'Third'", "Book.pages"), ("UPDATE ZBOOK SET ZPAGES = 1.5 WHERE ZTITLE = 'Third'", "Book.pages"),
        ("UPDATE ZBOOK SET ZPUBLISHED = 'yesterday' WHERE ZTITLE = 'Third'", "Book.published"),
        ("UPDATE ZBOOK SET ZCODE = x'01' WHERE ZTITLE = 'Third'", "Book.code"),
        ("UPDATE ZBOOK SET ZTITLE = CAST(x'41FF42' AS TEXT) WHERE ZTITLE = 'Third'", "Book.title"),
        ("UPDATE ZBOOK SET ZRATING = 'much' WHERE ZTITLE = 'Third'", "Book.rating"),
        ("UPDATE ZBOOK SET ZAUTHOR = '1abc' WHERE ZTITLE = 'Third'", "Book.author"),
    ]

    @Test("A value that is told otherwise is named, with exit code 1", arguments: doubts.indices, ["json", "jsonl", "csv"])
    func doubtful(_ index: Int, _ format: String) throws {
        let (damage, said) = ExactExportTests.doubts[index]
        try sql(damage)
        let outcome = coredata("export", library.path, "--format", format, "-o", library.folder.file("out").path)
        #expect(outcome.code == 1 && outcome.errors.contains(said), "\(outcome.errors)")
        let other = coredata("export", library.path, "--entity", "Shelf")
        #expect(other.code == 0 && other.errors.isEmpty, "\(other.errors)")
    }

    @Test("An empty file of a binary value is no value", arguments: ["json", "csv"])
    func emptyFile(_ format: String) throws {
        let folder = library.folder.url.appendingPathComponent(".Library_SUPPORT/_EXTERNAL_DATA")
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) { try Data().write(to: file) }
        let outcome = coredata("export", library.path, "--format", format, "--entity", "Book", "--entity", "Shelf", "-o", library.folder.file("out").path)
        #expect(outcome.code == 1 && outcome.errors.contains("missing or empty"), "\(outcome.errors)")
    }

    @Test("What the store lacks is named and the rest is written, with the model it keeps", arguments: [
        ("DROP TABLE ZSHELF", "ZSHELF", "Book"), ("DROP TABLE Z_1FRIENDS", "Z_1FRIENDS", "Author"), ("ALTER TABLE ZBOOK DROP COLUMN ZGENRE", "ZGENRE", "Novel"),
        ("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Shelf'", "Shelf", "Book"), ("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Novel'", "Book: 1 row", "Book"),
    ])
    func lacking(_ damage: String, _ named: String, _ left: String) throws {
        try sql(damage)
        let outcome = coredata("export", library.path)
        #expect(outcome.code == 1 && outcome.errors.contains(named) && !outcome.errors.contains("keeps no model"), "\(outcome.errors)")
        #expect((try outcome.object()[left] as? [Any])?.isEmpty == false, "\(outcome.output)")
        #expect((try outcome.object()["Author"] as? [[String: Any]])?.first?["books"] is [Any], "\(outcome.output)")
        let name = named.contains(":") ? "Novel" : named, fetched = coredata("fetch", library.path, left)
        #expect(fetched.code == 3 && fetched.errors.contains(name), "\(fetched.errors)")
        let shown = coredata("model", "show", library.path)
        #expect(shown.code == 0 && shown.output.contains("ordered to-many Book") && shown.errors.contains(name), "\(shown.errors)")
        #expect(!coredata("check", library.path).output.contains("belong"))
    }

    @Test("A model that is kept and damaged is not said to be none")
    func damagedModel() throws {
        try sql("UPDATE Z_MODELCACHE SET Z_CONTENT = x'0102'")
        let outcome = coredata("export", library.path)
        #expect(outcome.errors.contains("the model this store keeps is damaged"), "\(outcome.errors)")
        #expect(coredata("check", library.path).output.contains("is damaged"))
    }

    /// What an export holds and the model forbids.
    static let odd = [
        "UPDATE ZBOOK SET ZTITLE = NULL WHERE ZTITLE = 'Third'", "UPDATE ZBOOK SET ZISREAD = 7 WHERE ZTITLE = 'Third'",
        "UPDATE ZBOOK SET ZWEIGHT = 1e300 WHERE ZTITLE = 'Third'", "UPDATE ZBOOK SET ZLINK = 'ht tp://[bad' WHERE ZTITLE = 'Third'",
        "UPDATE ZBOOK SET ZPAGES = 70000000000 WHERE ZTITLE = 'Third'", "UPDATE ZBOOK SET ZPRICE = 9e999 WHERE ZTITLE = 'Third'",
        "UPDATE ZBOOK SET ZPUBLISHED = -9e999 WHERE ZTITLE = 'Third'", "UPDATE ZBOOK SET ZPRICE = 'cheap' WHERE ZTITLE = 'Third'",
        "UPDATE ZBOOK SET ZLINK = '' WHERE ZTITLE = 'Third'", "UPDATE ZAUTHOR SET ZOWNSHELF = 1",
    ]

    @Test("What breaks the model’s rules comes back through every form of an export", arguments: odd, ["json", "jsonl", "csv"])
    func again(_ damage: String, _ format: String) throws {
        try sql(damage)
        let out = library.folder.file("out." + format).path, made = library.folder.file("made.sqlite").path
        #expect(coredata("export", library.path, "--format", format, "-o", out).code <= 1)
        let seeded = coredata("seed", library.modelPath, out, "-o", made)
        #expect(seeded.code == 0, "\(seeded.errors)")
        func rows(_ path: String) throws -> String? {
            let connection = try SQLiteConnection(path: path, access: .readOnly)
            defer { connection.close() }
            return try connection.text("""
                SELECT group_concat(r, char(10)) FROM (SELECT quote(ZTITLE) || quote(ZISREAD) || quote(ZWEIGHT) || quote(ZLINK) || quote(ZPAGES) || quote(ZPRICE)
                || quote(ZPUBLISHED) AS r FROM ZBOOK ORDER BY r)
                """)
        }
        #expect(try rows(made) == rows(library.path))
    }

    @Test("Data by hand is refused as ever, though it has the properties of an export in another order")
    func byHand() throws {
        let csv = library.folder.file("Shelf.csv")
        try Data("$id,books,label,owner\n1,,,\n".utf8).write(to: csv)
        let made = library.folder.file("made.sqlite").path
        #expect(coredata("seed", library.modelPath, csv.path, "-o", made).code == 4)
    }

    @Test("An ordered relationship that is its own inverse has each pair both ways")
    func reflexive() throws {
        let folder = try TemporaryFolder(), model = folder.file("S.xcdatamodel"), data = folder.file("d.json"), store = folder.file("s.sqlite").path
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data("""
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
              <entity name="Comment" representedClassName="Comment">
                <attribute name="text" optional="YES" attributeType="String"/>
                <relationship name="comments" optional="YES" toMany="YES" deletionRule="Nullify" ordered="YES" destinationEntity="Comment" inverseName="comments" inverseEntity="Comment"/>
              </entity>
            </model>
            """.utf8).write(to: model.appendingPathComponent("contents"))
        try Data(#"{"Comment":[{"$id":"a","text":"a"},{"$id":"b","text":"b","comments":["c","a"]},{"$id":"c","text":"c"}]}"#.utf8).write(to: data)
        #expect(coredata("seed", model.path, data.path, "-o", store).code == 0)
        let checked = coredata("check", store, "--model", model.path)
        #expect(checked.code == 0, "\(checked.output)")
        let fetched = coredata("fetch", store, "Comment", "--model", model.path, "--columns", "text,comments.text", "--format", "csv", "--sort", "text")
        #expect(fetched.output == "text,comments.text\na,\"[\"\"b\"\"]\"\nb,\"[\"\"c\"\",\"\"a\"\"]\"\nc,\"[\"\"b\"\"]\"\n", "\(fetched.output)")
    }

    @Test("A derived value that is out of date is found")
    func derived() throws {
        let folder = try TemporaryFolder(), model = folder.file("D.xcdatamodel"), data = folder.file("d.json"), store = folder.file("s.sqlite").path
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data("""
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
              <entity name="Manga" representedClassName="Manga">
                <attribute name="chapterCount" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="chapters.@count" usesScalarValueType="YES"/>
                <relationship name="chapters" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Chapter" inverseName="manga" inverseEntity="Manga"/>
              </entity>
              <entity name="Chapter" representedClassName="Chapter">
                <relationship name="manga" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Manga" inverseName="chapters" inverseEntity="Chapter"/>
              </entity>
            </model>
            """.utf8).write(to: model.appendingPathComponent("contents"))
        try Data(#"{"Manga":[{"$id":"m"}],"Chapter":[{"manga":"m"},{"manga":"m"}]}"#.utf8).write(to: data)
        #expect(coredata("seed", model.path, data.path, "-o", store).code == 0)
        #expect(coredata("check", store, "--model", model.path).output == "Nothing found that is wrong.\n")
        try sql("UPDATE ZMANGA SET ZCHAPTERCOUNT = 55", store)
        let outcome = coredata("check", store, "--model", model.path)
        #expect(outcome.code == 1 && outcome.output.contains("Manga.chapterCount"), "\(outcome.output)")
    }
}

@Suite("An export of a damaged database")
struct SalvageTests {
    @Test("Gives the rows that can be read and names those that cannot", arguments: ["json", "jsonl", "csv"])
    func salvage(_ format: String) throws {
        let library = try Library()
        try library.fill()
        let rows = (1...3000).map { "{\"$id\":\($0),\"title\":\"Book \($0) \(String(repeating: "x", count: 40))\",\"cover\":\"AAAA\"}" }
        let data = library.folder.file("d.json"), store = library.folder.file("s.sqlite").path, out = library.folder.file("out").path
        try Data("{\"Book\":[\(rows.joined(separator: ","))],\"Shelf\":[{\"label\":\"a\",\"books\":[1,2,3000]}]}".utf8).write(to: data)
        #expect(coredata("seed", library.modelPath, data.path, "-o", store).code == 0)
        // Pages of the table in the middle of its keys; the others are whole.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: store))
        let pages = try ["Book 500 x", "Book 560 x", "Book 2000 x"].map { try #require(bytes.range(of: Data($0.utf8))).lowerBound / 4096 }
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: store))
        for page in pages {
            try handle.seek(toOffset: UInt64(page * 4096))
            try handle.write(contentsOf: Data(repeating: 0xAB, count: 200))
        }
        try handle.close()
        let outcome = coredata("export", store, "--format", format, "-o", out)
        #expect(outcome.code == 1, "\(outcome.errors)")
        #expect(outcome.errors.components(separatedBy: "damaged database does not give: Book/").count == 4, "\(outcome.errors)")
        let file = format == "csv" ? out + "/Book.csv" : out
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let count = text.components(separatedBy: "Book ").count - 1
        #expect(count > 2500 && count < 3000, "\(count)")
        #expect(text.contains("Book 1 ") && text.contains("Book 3000 "))
        let checked = coredata("check", store, "--repair")
        #expect(checked.code == 1 && checked.errors.contains("coredata export"), "\(checked)")
    }
}
