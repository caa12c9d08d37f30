import CoreDataTestSupport
import Foundation
import SQLiteDriver
import Testing
@testable import CoreDataCommand

@Suite("coredata export, import, seed")
struct TransferTests {
    let library: Library
    let folder: TemporaryFolder

    init() throws {
        library = try Library()
        try library.fill()
        folder = try TemporaryFolder()
    }

    func path(_ name: String) -> String { folder.file(name).path }
    func write(_ text: String, _ name: String) throws -> String {
        try Data(text.utf8).write(to: folder.file(name))
        return path(name)
    }
    func export(_ store: String, _ words: String...) throws -> String {
        let outcome = run(["export", store, "--model", library.modelPath] + words)
        #expect(outcome.code == 0, "\(outcome.errors)")
        return outcome.output
    }
    func fetched(_ entity: String, _ columns: String, _ store: String) -> String {
        let first = String(columns.prefix { $0 != "," })
        return run(["fetch", store, entity, "--model", library.modelPath, "--columns", columns, "--sort", first, "--json"]).output
    }
    @discardableResult
    func seed(_ data: String, _ words: String..., store: String = "New.sqlite") -> Outcome {
        run(["seed", library.modelPath, data, "-o", path(store)] + words)
    }
    func rows(_ entity: String, _ columns: String, store: String? = nil) throws -> [[String: Any]] {
        let output = fetched(entity, columns, store ?? path("New.sqlite"))
        return try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]])
    }

    @Test("Export, import, export gives the same JSON: every type, order, inheritance, each shape of relationship", arguments: ["json", "jsonl"])
    func roundTrip(_ format: String) throws {
        let first = try export(library.path, "--format", format)
        #expect(throws: Never.self) { if format == "json" { _ = try JSONSerialization.jsonObject(with: Data(first.utf8)) } }
        let file = try write(first, "first.json")
        let outcome = seed(file)
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        if format == "json" { #expect(try export(path("New.sqlite")) == first) }
        #expect(try rows("Author", "name,books.title,friends.name,ownShelf.label")[0]["books.title"] as? [String] == ["Second", "First", "Zoo"])
        #expect(try rows("Shelf", "label,books.title,owner.name")[0]["books.title"] as? [String] == ["Zoo", "First", "Third"])
        #expect(coredata("check", path("New.sqlite"), "--model", library.modelPath).output == "Nothing found that is wrong.\n")
        // One file, ready to be shipped, and the long value beside it.
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(names == [".New_SUPPORT", "New.sqlite", "first.json"])
    }

    @Test("A folder with some of the tables: errors name the table, and --existing takes the other rows from the store")
    func someTables() throws {
        let tables = path("some")
        #expect(run(["export", library.path, "--model", library.modelPath, "--format", "csv", "-o", tables]).code == 0)
        for name in ["Author", "Shelf", "Novel"] { try FileManager.default.removeItem(atPath: "\(tables)/\(name).csv") }
        let store = path("Copy.sqlite")
        try FileManager.default.copyItem(atPath: library.path, toPath: store)
        let refused = run(["import", store, tables, "--model", library.modelPath])
        #expect(refused.code == 4 && refused.errors.contains("some/Book.csv:2: ") && refused.errors.contains("--existing"), "\(refused.errors)")
        let taken = run(["import", store, tables, "--model", library.modelPath, "--existing"])
        #expect(taken.code == 0, "\(taken.errors)")
        let ann = run(["fetch", store, "Author", "--model", library.modelPath, "--where", "name == 'Ann'", "--columns", "books.@count", "--format", "csv"]).output
        #expect(ann == "books.@count\n5\n", "\(ann)")
    }

    @Test("CSV tables carry the same")
    func csv() throws {
        let tables = path("tables")
        #expect(run(["export", library.path, "--model", library.modelPath, "--format", "csv", "-o", tables]).code == 0)
        let outcome = seed(tables)
        #expect(outcome.code == 0, "\(outcome.errors)")
        // Keys are given anew, so rows are compared by what they say.
        for (entity, columns) in [
            ("Book", "title,pages,price,rating,weight,isRead,published,cover,code,link,notes,author.name,shelves.label,sequel.title,prequel.title"),
            ("Author", "name,born,books.title,friends.name,ownShelf.label"), ("Shelf", "label,books.title,owner.name"),
        ] {
            #expect(fetched(entity, columns, path("New.sqlite")) == fetched(entity, columns, library.path))
        }
    }

    @Test("Data written by hand: names, either side of a relationship, rows in any order, defaults")
    func byHand() throws {
        let file = try write("""
            {"Shelf": [{"label": "S", "books": ["b2", "Novel/n", "Book/b1"], "owner": "ann"}],
             "Author": [{"$id": "ann", "name": "Ann", "books": ["b1", "n"], "friends": ["bob"]}, {"$id": "bob", "name": "Bob"}],
             "Book": [{"$id": "b1", "title": "One", "sequel": "b2"}, {"$id": "b2", "title": "Two", "author": "bob", "published": "2024-02-29", "pages": "12"}],
             "Novel": [{"$id": "n", "title": "N"}]}
            """, "hand.json")
        let outcome = seed(file)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let books = try rows("Book", "title,author.name,shelves.label,sequel.title,prequel.title,pages,published,price")
        #expect(books.map { $0["title"] as? String } == ["N", "One", "Two"])
        #expect(books.map { $0["author.name"] as? String } == ["Ann", "Ann", "Bob"])
        #expect(books[2]["prequel.title"] as? String == "One")
        #expect(books[2]["pages"] as? Int == 12 && books[1]["pages"] as? Int == 0 && books[1]["price"] as? String == "0")
        #expect(try rows("Author", "name,books.title,friends.name,ownShelf.label")[0]["books.title"] as? [String] == ["One", "N"])
        #expect(try rows("Author", "name,friends.name")[1]["friends.name"] as? [String] == ["Ann"])
        #expect(try rows("Author", "name,ownShelf.label")[0]["ownShelf.label"] as? String == "S")
        #expect(try rows("Shelf", "label,books.title")[0]["books.title"] as? [String] == ["Two", "N", "One"])
        #expect(coredata("check", path("New.sqlite"), "--model", library.modelPath).code == 0)
    }

    /// Data and what is said about it.
    static let misfits: [(String, String)] = [
        ("{\"Bok\": [\n{\"title\": \"x\"}]}", ":1: The model has no entity “Bok”. Did you mean “Book”?"),
        ("{\"title\": \"x\"}", "This row does not say"),
        ("[{\"$entity\": \"Bok\"}]", ":1: The model has no entity “Bok”. Did you mean “Book”?"),
        ("{\"Book\": [\n{\"title\": \"x\"},\n{\"titel\": \"y\"}]}", ":3: Book has no property “titel”. Did you mean “title”?"),
        ("{\"Book\": [\n{\"title\": \"x\", \"pages\": \"many\"}]}", ":2: Book.pages \"many\" is no whole number."),
        ("{\"Book\": [{\"title\": \"x\", \"pages\": 3000000000}]}", "is out of range"),
        ("{\"Book\": [{\"title\": \"x\", \"published\": \"2023-02-29\"}]}", "is no date"),
        ("{\"Book\": [{\"title\": \"x\", \"cover\": \"&\"}]}", "is no base64"),
        ("{\"Book\": [{\"pages\": 1}]}", "Book.title must not be nil."),
        ("{\"Book\": [{\"title\": \"x\", \"author\": \"nobody\"}]}", "leads to “nobody”, a row the data does not have"),
        ("{\"Author\": [{\"$id\": 1, \"name\": \"a\"}], \"Book\": [{\"title\": \"x\", \"sequel\": \"Author/1\"}]}", "leads to Book, and “Author/1” is of Author"),
        ("{\"Shelf\": [{\"label\": \"a\"}, {\"label\": \"a\"}]}", "label"),
        ("{\"Author\": [{\"$id\": 1, \"name\": \"a\"}, {\"$id\": 1, \"name\": \"b\"}]}", "There is a row “Author/1” already"),
        ("{\"Book\": [{\"title\": \"x\"}", ":1: this is not JSON as it should be"),
        ("{\"Book\": [{\"title\": \"x\",}]}", "a key in quotes is expected"),
        ("{\"$coredata\": {\"version\": 2}}", "newer coredata"),
    ]

    @Test("What does not fit is refused with file, line and the nearest name, and nothing is left behind", arguments: misfits)
    func refused(_ text: String, _ message: String) throws {
        let outcome = seed(try write(text, "bad.json"))
        #expect(outcome.code == 4 && outcome.output.isEmpty, "\(outcome.errors)")
        #expect(outcome.errors.lowercased().contains(message.lowercased()), "\(outcome.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["bad.json"])
    }

    @Test("An import adds to what is there, all or nothing; --dry-run writes nothing")
    func adding() throws {
        let before = try export(library.path)
        let file = try write("{\"Author\": [{\"$id\": \"eve\", \"name\": \"Eve\"}], \"Book\": [{\"title\": \"Fifth\", \"author\": \"eve\"}]}", "more.json")
        #expect(coredata("import", library.path, file, "--model", library.modelPath, "--dry-run").output.hasPrefix("2 rows would be written"))
        #expect(try export(library.path) == before)
        let bad = try write("{\"Author\": [{\"name\": \"Eve\"}], \"Shelf\": [{\"label\": \"Top\"}]}", "bad.json")
        #expect(coredata("import", library.path, bad, "--model", library.modelPath).code == 4)
        #expect(try export(library.path) == before)
        let done = try coredata("import", library.path, file, "--model", library.modelPath, "--json").object()
        #expect(done["rows"] as? Int == 2)
        #expect(try rows("Book", "title,author.name", store: library.path).map { $0["title"] as? String } == ["Fifth", "First", "Second", "Third", "Zoo"])
        // The same export twice: keys are moved out of the way.
        let whole = try write(before.replacing("\"Top\"", with: "\"Other\""), "whole.json")
        let again = coredata("import", library.path, whole, "--model", library.modelPath)
        #expect(again.code == 0, "\(again.errors)")
        #expect(coredata("fetch", library.path, "Book", "--count", "--model", library.modelPath).output == "9\n")
        #expect(coredata("check", library.path, "--model", library.modelPath).code == 0)
    }

    @Test("An export is taken as it is: what breaks the model's rules is a warning")
    func lenient() throws {
        let text = try export(library.path).replacing("\"title\":\"Third\"", with: "\"title\":null")
        let outcome = seed(try write(text, "export.json"))
        #expect(outcome.code == 0 && outcome.errors.contains("warning:") && outcome.errors.contains("Book.title must not be nil."))
        #expect(try export(path("New.sqlite")) == text)
    }

    @Test("seed replaces a store only when told to, and reads standard input")
    func standardInput() throws {
        let text = try export(library.path)
        #expect(seed(try write(text, "a.json")).code == 0)
        #expect(seed(path("a.json")).code == 3)
        let outcome = try shell(
            "coredata export '\(library.path)' --model '\(library.modelPath)' | coredata seed '\(library.modelPath)' - -o New.sqlite --force", in: folder.url)
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try export(path("New.sqlite")) == text)
    }

    @Test("Export to a pipe that closes is no failure")
    func closedPipe() throws {
        let outcome = try shell("coredata export '\(library.path)' --model '\(library.modelPath)' | head -c 10", in: folder.url)
        #expect(outcome.code == 0 && outcome.output.utf8.count == 10 && outcome.errors.isEmpty)
    }

    @Test("A missing file of a binary value is null, with a warning and code 1")
    func missingFile() throws {
        let external = library.folder.url.appendingPathComponent(".Library_SUPPORT/_EXTERNAL_DATA")
        for name in try FileManager.default.contentsOfDirectory(atPath: external.path) {
            try FileManager.default.removeItem(at: external.appendingPathComponent(name))
        }
        let outcome = run(["export", library.path, "--model", library.modelPath])
        #expect(outcome.code == 1 && outcome.errors.contains("a value is null because its file is missing"))
        let check = try coredata("check", library.path, "--model", library.modelPath, "--json").object()
        #expect((check["findings"] as? [[String: Any]])?.map { $0["kind"] as? String } == ["missingFile"])
    }
}
