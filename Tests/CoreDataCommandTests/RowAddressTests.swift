import CoreDataTestSupport
import Foundation
import Testing
@testable import CoreDataCommand

@Suite("Rows as they are printed, in --where and --sort")
struct RowAddressTests {
    let library: Library

    init() throws {
        library = try Library()
        try library.fill()
    }

    func fetch(_ entity: String, _ words: String...) -> Outcome {
        run(["fetch", library.path, entity, "--model", library.modelPath, "--format", "csv"] + words)
    }
    func id(_ title: String) -> String { fetch("Book", "--where", "title == '\(title)'", "--columns", "$id").lines.last ?? "" }

    @Test("SELF, $id, to-ones and to-manys are compared with Entity/key, a URI, a number, a list")
    func addressed() throws {
        let first = id("First"), key = try #require(first.split(separator: "/").last)
        let uuid = try #require(try coredata("inspect", library.path, "--json").object()["uuid"] as? String)
        for predicate in [
            "SELF == '\(first)'", "self = '\(first)'", "'\(first)' == SELF", "$id == '\(first)'", "$id == \(key)", "\(key) == $id",
            "SELF == 'x-coredata://\(uuid)/Book/p\(key)'", "SELF IN {'\(first)', 'Book/999'}", "$id IN {\(key), 999}",
            "SELF != '\(id("Second"))' AND pages == 300", "sequel == '\(id("Second"))'", "sequel.prequel == '\(first)'",
        ] {
            let outcome = fetch("Book", "--where", predicate, "--columns", "title")
            #expect(outcome.output == "title\nFirst\n", "\(predicate): \(outcome)")
        }
        #expect(fetch("Author", "--where", "ANY books == '\(first)'", "--columns", "name").output == "name\nAnn\n")
        #expect(fetch("Author", "--where", "'\(first)' IN books", "--columns", "name").output == "name\nAnn\n")
        // A row of a subentity by its own name and by its parent's.
        let novel = id("Zoo")
        #expect(novel.hasPrefix("Novel/"))
        #expect(fetch("Book", "--where", "SELF == '\(novel.replacing("Novel", with: "Book"))'", "--columns", "title").output == "title\nZoo\n")
        #expect(coredata("explain", library.path, "Book", "SELF == '\(first)'", "--model", library.modelPath).output.contains("Z_PK"))
    }

    @Test("What is no row is a usage error that says how to write one")
    func misaddressed() {
        for (predicate, message) in [
            ("SELF == 'First'", "write it as “Book/6”"), ("SELF == 'Bok/6'", "Did you mean “Book”?"), ("author == 'Book/1'", "is for rows of Author"),
            ("SELF == 'x-coredata://1234/Book/p1'", "another store"), ("FUNCTION(title, 'nope') == 1", "error:"),
        ] {
            let outcome = fetch("Book", "--where", predicate)
            #expect(outcome.code == 2 && outcome.errors.contains(message), "\(predicate): \(outcome)")
        }
    }

    @Test("--sort '$id', --columns '*', and columns without a name")
    func columns() {
        let rising = fetch("Book", "--sort", "$id", "--columns", "$id").lines.dropFirst(), falling = fetch("Book", "--sort", "$id:desc", "--columns", "$id").lines.dropFirst()
        let keys = rising.compactMap { $0.split(separator: "/").last.flatMap { Int($0) } }
        #expect(keys.count == 4 && keys == keys.sorted() && Array(falling) == rising.reversed())
        #expect(fetch("Book", "--columns", "*").output == fetch("Book").output)
        #expect(fetch("Author", "--columns", "*, books.@count").lines.first == "$id,born,name,ownShelf,books.@count")
        for list in ["", ",", "title,,pages"] { #expect(fetch("Book", "--columns", list).code == 2) }
        #expect(fetch("Book", "--json").code == 2)
    }
}
