import CoreDataSchema
import CoreDataStorage
import Foundation
import SQLiteDriver
import Testing

@testable import CoreDataSQLStorage

/// Books with pages, of two tables, one with a subentity.
private enum BookModel {
    static func attribute(_ name: String, _ type: AttributeType, derived format: String? = nil) -> AttributeSchema {
        var attribute = AttributeSchema(name: name, type: type)
        attribute.isOptional = true
        attribute.derivationFormat = format
        return attribute
    }

    static func model(_ derived: [String: [AttributeSchema]]) throws -> ResolvedModel {
        var book = EntitySchema(name: "Book")
        book.attributes = [attribute("title", .string)] + (derived["Book"] ?? [])
        var pages = RelationshipSchema(name: "pages", destinationName: "Page")
        (pages.maxCount, pages.inverseName, pages.isOptional) = (0, "book", true)
        book.relationships = [pages]
        var novel = EntitySchema(name: "GraphicNovel")
        novel.superentityName = "Book"
        novel.attributes = derived["GraphicNovel"] ?? []
        var page = EntitySchema(name: "Page")
        page.attributes = [attribute("number", .integer32), attribute("weight", .double)] + (derived["Page"] ?? [])
        var owner = RelationshipSchema(name: "book", destinationName: "Book")
        (owner.inverseName, owner.isOptional) = ("pages", true)
        page.relationships = [owner]
        var schema = ModelSchema()
        schema.entities = [book, novel, page]
        return try ResolvedModel(schema)
    }
}

@Suite struct DerivedTriggerTests {
    private let count = BookModel.attribute("pagesCount", .integer64, derived: "pages.@count")

    @Test("FORMAT §7: A count's triggers are Apple's, letter by letter")
    func asApple() throws {
        let fixture = try StoreFixture(try BookModel.model(["Book": [count]]))
        #expect(try fixture.shell("SELECT sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid") == [
            "CREATE TRIGGER Z_DA_ZPAGE_Book_pagesCount_PARAMETER_INSERT AFTER INSERT ON ZPAGE FOR EACH ROW WHEN (NEW.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = IFNULL(ZPAGESCOUNT, 0) + 1 WHERE Z_PK = NEW.ZBOOK; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pagesCount', ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = NEW.ZBOOK; END",
            "CREATE TRIGGER Z_DA_ZPAGE_Book_pagesCount_PARAMETER_UPDATE_INCREMENT AFTER UPDATE OF ZBOOK ON ZPAGE FOR EACH ROW WHEN (NEW.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = ZPAGESCOUNT + 1 WHERE Z_PK = NEW.ZBOOK; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pagesCount', ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = NEW.ZBOOK; END",
            "CREATE TRIGGER Z_DA_ZPAGE_Book_pagesCount_PARAMETER_UPDATE_DECREMENT AFTER UPDATE OF ZBOOK ON ZPAGE FOR EACH ROW WHEN (OLD.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = ZPAGESCOUNT - 1 WHERE Z_PK = OLD.ZBOOK; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pagesCount', ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = OLD.ZBOOK; END",
            "CREATE TRIGGER Z_DA_ZPAGE_Book_pagesCount_PARAMETER_DELETE AFTER DELETE ON ZPAGE FOR EACH ROW WHEN (OLD.ZBOOK NOT NULL) BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = ZPAGESCOUNT - 1 WHERE Z_PK = OLD.ZBOOK; SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pagesCount', ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = OLD.ZBOOK; END",
            "CREATE TRIGGER Z_DA_ZBOOK_Book_pagesCount_SOURCE_INSERT AFTER INSERT ON ZBOOK FOR EACH ROW BEGIN UPDATE ZBOOK SET ZPAGESCOUNT = (SELECT IFNULL(COUNT(ZBOOK), 0) FROM ZPAGE WHERE ZBOOK = NEW.Z_PK) WHERE Z_PK = NEW.Z_PK; SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pagesCount', ZPAGESCOUNT) FROM ZBOOK WHERE Z_PK = NEW.Z_PK; END",
        ])
    }

    @Test("Triggers that call functions of ours are not in the file, others could not write to it then")
    func functionsStayOut() throws {
        let fixture = try StoreFixture(try BookModel.model([
            "Book": [BookModel.attribute("search", .string, derived: "canonical:(title)"), BookModel.attribute("touched", .date, derived: "now()")],
            "Page": [BookModel.attribute("loud", .string, derived: "uppercase:(book.title)"), BookModel.attribute("title", .string, derived: "book.title")],
        ]))
        #expect(try fixture.shell("SELECT name FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid") == [
            "Z_DA_ZBOOK_Book_touched_INSERT", "Z_DA_ZBOOK_Book_touched_UPDATE", "Z_DA_ZPAGE_Page_title_SOURCE_INSERT",
            "Z_DA_ZPAGE_Page_title_SOURCE_UPDATE", "Z_DA_ZBOOK_Page_title_PARAMETER_INSERT", "Z_DA_ZBOOK_Page_title_PARAMETER_UPDATE",
        ])
        let book = try fixture.insert("Book", ["title": .string("Éa")])
        let page = try fixture.insert("Page", ["book": .reference(book.key)])
        #expect(try fixture.value(book, "search") == .string("ea"))
        #expect(try fixture.value(page, "loud") == .string("ÉA"))
        #expect(try fixture.value(page, "title") == .string("Éa"))
        try fixture.reopen()
        var batch = ChangeBatch()
        batch.updated = [try fixture.update(book, ["title": .string("Ñ")])]
        let receipt = try fixture.committed(batch)
        #expect(try fixture.value(try #require(receipt.updated.first), "search") == .string("n"))
        #expect(receipt.derived.map(\.primaryKey) == [page.key.primaryKey])
        #expect(try fixture.shell("SELECT ZLOUD, ZTITLE, Z_OPT FROM ZPAGE") == ["Ñ|Ñ|1"])
    }

    @Test("A subentity's derived attribute leaves rows of its relatives alone")
    func subentity() throws {
        let fixture = try StoreFixture(try BookModel.model(["GraphicNovel": [count]]))
        let book = try fixture.insert("Book", [:]), novel = try fixture.insert("GraphicNovel", [:])
        for owner in [book, novel] { try fixture.insert("Page", ["book": .reference(owner.key)]) }
        #expect(try fixture.shell("SELECT ZPAGESCOUNT FROM ZBOOK ORDER BY Z_PK") == ["NULL", "1"])
    }

    @Test("A sum of doubles does not gather rounding errors")
    func doubles() throws {
        let fixture = try StoreFixture(try BookModel.model(["Book": [BookModel.attribute("total", .double, derived: "pages.weight.@sum")]]))
        let book = try fixture.insert("Book", [:])
        for _ in 0..<3 {
            let pages = try [0.1, 0.2, 1e17].map { try fixture.insert("Page", ["book": .reference(book.key), "weight": .real($0)]) }
            var batch = ChangeBatch()
            batch.deleted = pages.map { DeletedRow(key: $0.key, expectedVersion: $0.version) }
            _ = try fixture.committed(batch)
        }
        #expect(try fixture.shell("SELECT ZTOTAL FROM ZBOOK") == ["0.0"])
    }

    @Test("Another program's write changes the values and no version; the next read shows them, to faults that hold the row too")
    func foreign() throws {
        let fixture = try StoreFixture(try BookModel.model(["Book": [count]]))
        let book = try fixture.insert("Book", [:])
        let generation = fixture.store.rowCache.generation
        let other = try SQLiteConnection(path: fixture.url.path, access: .readWrite)
        defer { other.close() }
        for name in SQLFunctions.noting { try other.register(function: name, argumentCount: -1) { $0.resultNull() } }
        try other.execute("INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT, ZBOOK) VALUES (77, 3, 1, \(book.key.primaryKey))")
        guard case .rows(let rows) = try fixture.store.fetch(FetchPlan(entity: Int(book.key.entity))) else { return }
        let row = try #require(rows.first)
        #expect(row.version == 1)
        #expect(try fixture.value(row, "pagesCount") == .integer(1))
        #expect(fixture.store.rowCache.generation > generation)
    }

    @Test("A file without the triggers is kept by the connection's own, and stays as it is")
    func missing() throws {
        let fixture = try StoreFixture(try BookModel.model(["Book": [count]]))
        for name in try fixture.shell("SELECT name FROM sqlite_master WHERE type = 'trigger'") { try fixture.execute("DROP TRIGGER \(name)") }
        try fixture.reopen()
        let book = try fixture.insert("Book", [:])
        try fixture.insert("Page", ["book": .reference(book.key)])
        #expect(try fixture.shell("SELECT ZPAGESCOUNT FROM ZBOOK") == ["1"])
        #expect(try fixture.shell("SELECT name FROM sqlite_master WHERE type = 'trigger'").isEmpty)
    }

    @Test("A trigger of Apple's that calls a function nobody documented computes what the model says")
    func unknownFunctions() throws {
        let fixture = try StoreFixture(try BookModel.model(["Book": [BookModel.attribute("search", .string, derived: "canonical:(title)")]]))
        try fixture.execute("CREATE TRIGGER Z_DA_ZBOOK_Book_search_INSERT AFTER INSERT ON ZBOOK FOR EACH ROW BEGIN UPDATE ZBOOK SET ZSEARCH = NSCoreDataSomething(ZTITLE) WHERE Z_PK = NEW.Z_PK; END")
        try fixture.reopen()
        try fixture.insert("Book", ["title": .string("Ä")])
        #expect(try fixture.shell("SELECT ZSEARCH FROM ZBOOK") == ["a"])
    }

    @Test("A commit that is rolled back leaves nothing of its triggers, neither in the file nor in the cache")
    func rolledBack() throws {
        let fixture = try StoreFixture(try BookModel.model(["Book": [count]]))
        let book = try fixture.insert("Book", [:])
        let page = try fixture.insert("Page", ["book": .reference(book.key)])
        var batch = ChangeBatch()
        var stale = try fixture.update(page, ["number": .integer(1)])
        stale.expectedVersion = 9
        batch.inserted = [try fixture.row("Page", ["book": .reference(book.key)])]
        batch.updated = [stale]
        guard case .conflicts = try fixture.store.commit(batch) else { return #expect(Bool(false), "no conflict") }
        #expect(try fixture.shell("SELECT ZPAGESCOUNT FROM ZBOOK") == ["1"])
        let row = try #require(try fixture.store.rows(for: [book.key], staleAfter: -1).first)
        #expect(try fixture.value(row, "pagesCount") == .integer(1))
    }
}
