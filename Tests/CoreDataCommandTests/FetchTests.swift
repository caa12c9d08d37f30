import CoreDataTestSupport
import Foundation
import Testing
@testable import CoreDataCommand

@Suite("coredata fetch")
struct FetchTests {
    let library: Library

    init() throws {
        library = try Library()
        try library.fill()
    }

    func fetch(_ words: String...) -> Outcome { run(["fetch", library.path] + words + ["--model", library.modelPath]) }

    func rows(_ words: String...) throws -> [[String: Any]] {
        let outcome = run(["fetch", library.path] + words + ["--model", library.modelPath, "--json"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        return try #require(try outcome.json() as? [[String: Any]])
    }

    @Test("Predicates, orders, windows; subentities unless --only")
    func selecting() throws {
        #expect(try rows("Book", "--sort", "title", "--columns", "title").map { $0["title"] as? String } == ["First", "Second", "Third", "Zoo"])
        #expect(try rows("Book", "--only", "--sort", "title:desc", "--columns", "title").map { $0["title"] as? String } == ["Third", "Second", "First"])
        #expect(try rows("Book", "--where", "pages > 100", "--sort", "pages", "--columns", "pages").map { $0["pages"] as? Int } == [120, 300])
        #expect(try rows("Book", "--sort", "title", "--limit", "2", "--offset", "1", "--columns", "title").map { $0["title"] as? String } == ["Second", "Third"])
        #expect(try rows("Book", "--where", "author.name == 'Ann' AND ANY shelves.label == 'Top'", "--sort", "title", "--columns", "title").count == 2)
        #expect(fetch("Book", "--count").output == "4\n")
    }

    @Test("Dates and UUIDs may be written as text in predicates")
    func literals() throws {
        #expect(fetch("Book", "--count", "--where", "published > '2024-01-01' AND published < '2024-01-02T00:00:01Z'").output == "1\n")
        #expect(fetch("Book", "--count", "--where", "published BETWEEN {'2024-01-03', '2025-01-01'}").output == "0\n")
        #expect(fetch("Book", "--count", "--where", "code == 'f0e1d2c3-b4a5-9687-7869-5a4b3c2d1e0f'").output == "1\n")
    }

    @Test("Columns follow relationships; to-manys are lists in their order, or counts")
    func columns() throws {
        let authors = try rows("Author", "--sort", "name", "--columns", "name,books.title,books.@count,ownShelf.label,$id")
        #expect(authors[0]["books.title"] as? [String] == ["Second", "First", "Zoo"])
        #expect(authors[0]["books.@count"] as? Int == 3)
        #expect(authors[0]["ownShelf.label"] as? String == "Top")
        #expect(authors[1]["ownShelf.label"] is NSNull)
        #expect((authors[0]["$id"] as? String)?.hasPrefix("Author/") == true)
        let shelf = try rows("Shelf", "--columns", "books.author.name,books")
        #expect(shelf[0]["books.author.name"] as? [String] == ["Ann", "Ann", "Bob, “the \"Writer\"”\nof lines"])
        #expect((shelf[0]["books"] as? [String])?.first?.hasPrefix("Novel/") == true)
    }

    @Test("All types, in JSON and CSV")
    func types() throws {
        let first = try #require(try rows("Book", "--where", "title == 'First'").first)
        #expect(first["pages"] as? Int == 300)
        #expect(first["price"] as? String == "12.35")
        #expect(first["rating"] as? Double == 0.1)
        #expect(first["weight"] as? Double == 1.33)
        #expect(first["isRead"] as? Bool == true)
        #expect(first["published"] as? String == "2024-01-02T00:00:00.123Z")
        #expect(first["cover"] as? String == "AAH+/w==")
        #expect(first["code"] as? String == "F0E1D2C3-B4A5-9687-7869-5A4B3C2D1E0F")
        #expect(first["link"] as? String == "https://example.org/first?x=1")
        #expect((first["author"] as? String)?.hasPrefix("Author/") == true)
        let csv = fetch("Author", "--sort", "name", "--format", "csv", "--columns", "name,born")
        #expect(csv.output == "name,born\nAnn,1969-04-24T22:13:19.75Z\n\"Bob, “the \"\"Writer\"\"”\nof lines\",\n")
    }

    @Test("A table for people: numbers at the right, bytes counted, lines kept together")
    func table() throws {
        let outcome = fetch("Book", "--sort", "title", "--columns", "title,pages,cover")
        #expect(outcome.lines == [
            "title   pages  cover", "First     300  4 bytes", "Second    120  195 KB", "Third       0", "Zoo        80", "4 rows",
        ].map { $0 })
        #expect(fetch("Author", "--sort", "name:desc", "--columns", "name").lines[1] == "Bob, “the \"Writer\"”⏎of lines")
    }

    @Test("Mistakes: the nearest name, code 2, nothing on standard output")
    func mistakes() {
        for (words, text) in [
            (["Boook"], "There is no entity “Boook”. Did you mean “Book”?"),
            (["Book", "--columns", "titel"], "Book has no property “titel”. Did you mean “title”?"),
            (["Book", "--where", "titel == 'x'"], "keypath titel not found in entity <Book>. Did you mean “title”?"),
            (["Book", "--where", "title == "], "Unable to parse the format string"),
            (["Book", "--sort", "title:up"], "--sort takes KEY, KEY:asc or KEY:desc"),
            (["Book", "--limit", "x"], "--limit takes a whole number from 1 up"),
            (["Book", "--columns", "title.x"], "“title” of Book is no relationship"),
            (["Book", "--format", "jsn"], "Did you mean “json”?"),
        ] {
            let outcome = run(["fetch", library.path] + words + ["--model", library.modelPath])
            #expect(outcome.code == 2 && outcome.output.isEmpty, "\(words)")
            #expect(outcome.errors.contains(text), "\(outcome.errors)")
        }
    }

    @Test("Without a model: the store is read all the same, and nothing on disk changes")
    func withoutModel() throws {
        let before = try InspectTests.listing(library.folder.url)
        let outcome = coredata("fetch", library.path, "Book", "--count")
        #expect(outcome.output == "4\n", "\(outcome.errors)")
        #expect(try InspectTests.listing(library.folder.url) == before)
    }

    @Test("Another model is refused with what differs")
    func otherModel() throws {
        let other = library.folder.file("Other.xcdatamodel")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        let text = Library.model.replacing("<attribute name=\"genre\" optional=\"YES\" attributeType=\"String\"/>", with: "")
        try Data(text.utf8).write(to: other.appendingPathComponent("contents"))
        let outcome = coredata("fetch", library.path, "Book", "--model", other.path)
        #expect(outcome.code == 3 && outcome.errors.contains("Novel"), "\(outcome.errors)")
    }
}
