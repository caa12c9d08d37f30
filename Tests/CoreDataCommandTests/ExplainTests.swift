import CoreDataTestSupport
import Foundation
import Testing
@testable import CoreDataCommand

@Suite("coredata explain")
struct ExplainTests {
    let library: Library

    init() throws {
        library = try Library()
        try library.fill()
    }

    func explain(_ words: String...) throws -> [String: Any] {
        try run(["explain", library.path, "Book"] + words + ["--model", library.modelPath, "--json"]).object()
    }

    @Test("SQL, bindings and plan; a full scan is marked and an index suggested that SQLite would use")
    func scan() throws {
        let json = try explain("pages > 100 AND title == 'First'")
        #expect((json["sql"] as? String)?.hasPrefix("SELECT") == true)
        #expect((json["bindings"] as? [String])?.contains("'First'") == true)
        #expect((json["plan"] as? [[String: Any]])?.contains { $0["isFullScan"] as? Bool == true } == true)
        let index = try #require(json["suggestedIndex"] as? [String: Any])
        #expect(index["entity"] as? String == "Book" && index["attributes"] as? [String] == ["title", "pages"])
        let text = coredata("explain", library.path, "Book", "title == 'First'", "--model", library.modelPath)
        #expect(text.output.contains("← reads the whole table") && text.output.contains("CREATE INDEX Z_Book_byTitle ON ZBOOK (ZTITLE COLLATE BINARY ASC);"))
    }

    @Test("A search by entity alone is marked, for it reads all of the entity's rows, and an index is suggested")
    func entity() throws {
        let text = coredata("explain", library.path, "Novel", "genre == 'fable'", "--model", library.modelPath)
        #expect(text.output.contains("(Z_ENT=?)  ← reads all rows of the entity"), "\(text.output)")
        #expect(text.output.contains("CREATE INDEX Z_Novel_byGenre ON ZBOOK (ZGENRE COLLATE BINARY ASC);"), "\(text.output)")
        let json = try coredata("explain", library.path, "Novel", "genre == 'fable'", "--model", library.modelPath, "--json").object()
        #expect((json["plan"] as? [[String: Any]])?.contains { $0["isFullScan"] as? Bool == true } == true)
        #expect(!coredata("explain", library.path, "Novel", "--model", library.modelPath).output.contains("←"))
    }

    @Test("A fetch that an index serves is not marked")
    func indexed() throws {
        let shelf = try coredata("explain", library.path, "Shelf", "label == 'Top'", "--model", library.modelPath, "--json").object()
        #expect((shelf["plan"] as? [[String: Any]])?.allSatisfy { $0["isFullScan"] as? Bool == false } == true)
        #expect(shelf["suggestedIndex"] == nil)
    }

    @Test("Without a predicate nothing is marked; mistakes are usage errors")
    func everything() throws {
        let json = try explain("--sort", "title")
        #expect(json["suggestedIndex"] == nil)
        #expect(coredata("explain", library.path, "Book", "titel == 1", "--model", library.modelPath).code == 2)
    }
}
