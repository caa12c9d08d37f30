import CoreData
import CoreDataTestSupport
import Foundation
import SQLiteDriver
import Testing
@testable import CoreDataCommand

@Suite("What cannot be done is said with what to do")
struct AdviceTests {
    let library: Library

    init() throws {
        library = try Library()
        try library.fill()
    }

    private func model(_ name: String, _ xml: String) throws -> String {
        let url = library.folder.file(name + ".xcdatamodel")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data("<model type=\"com.apple.IDECoreDataModeler.DataModel\" documentVersion=\"1.0\">\(xml)</model>".utf8)
            .write(to: url.appendingPathComponent("contents"))
        return url.path
    }

    private func file(_ name: String, _ text: String) throws -> String {
        let url = library.folder.file(name)
        try Data(text.utf8).write(to: url)
        return url.path
    }

    @Test("Derivations that cannot be kept are flagged each with its line")
    func derivationLines() throws {
        let path = try model("D", """

            <entity name="A" representedClassName="A">
            <attribute name="good" optional="YES" attributeType="String" derived="YES" derivationExpression="uppercase:(name)"/>
            <attribute name="bad" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="foo.@count"/>
            <attribute name="name" optional="YES" attributeType="String"/>
            <attribute name="worse" optional="YES" attributeType="String" derived="YES" derivationExpression="name.length"/>
            </entity>
            """)
        let lines = coredata("model", "validate", path, "--errors-only").lines
        #expect(lines.contains { $0.contains("contents:4: error:") && $0.contains("foo.@count") } && lines.contains { $0.contains("contents:6: error:") }, "\(lines)")
    }

    @Test("Decimals are written out in plain digits")
    func decimals() throws {
        let data = try file("d.json", #"{"Book": [{"title": "a", "price": "1.0e-20"}, {"title": "b", "price": "5.0"}, {"title": "c", "price": "1e20"}]}"#)
        let store = library.folder.file("d.sqlite").path
        #expect(coredata("seed", library.modelPath, data, "-o", store).code == 0)
        let words = ["fetch", store, "Book", "--model", library.modelPath, "--columns", "price", "--sort", "title", "--format", "csv"]
        #expect(run(words).output == "price\n0.00000000000000000001\n5\n100000000000000000000\n")
        let export = coredata("export", store, "--model", library.modelPath).output
        #expect(export.contains(#""price":"0.00000000000000000001""#) && export.contains(#""price":"100000000000000000000""#))
    }

    @Test("A transient relationship in data is refused with file and line, and model show marks it")
    func transient() throws {
        let model = try model("T", """
            <entity name="A" representedClassName="A"><relationship name="bs" optional="YES" transient="YES" toMany="YES" deletionRule="Nullify" destinationEntity="B" inverseName="as" inverseEntity="B"/></entity>
            <entity name="B" representedClassName="B"><relationship name="as" optional="YES" transient="YES" toMany="YES" deletionRule="Nullify" destinationEntity="A" inverseName="bs" inverseEntity="A"/></entity>
            """)
        let data = try file("t.json", "{\"A\":[\n{\"bs\":[\"x\"]}],\"B\":[{\"$id\":\"x\"}]}")
        let outcome = coredata("seed", model, data, "-o", library.folder.file("t.sqlite").path)
        #expect(outcome.code == 4 && outcome.errors.contains("t.json:2: A.bs is not kept in stores"), "\(outcome.errors)")
        #expect(coredata("model", "show", model).output.contains("transient"))
        #expect(coredata("model", "show", model, "--json").output.contains("\"isTransient\": true"))
    }

    @Test("An import that means a row of the store is told how to name it, and then finds it")
    func storedRow() throws {
        let outcome = coredata("import", library.path, try file("i.json", #"{"Book":[{"title":"New","author":"Author/1"}]}"#))
        #expect(outcome.code == 4 && outcome.errors.contains("The store has one: say --existing") && outcome.errors.contains("refer to it as “x-coredata://"), "\(outcome.errors)")
        let uri = try #require(outcome.errors.split(separator: "“").last?.split(separator: "”").first)
        let again = coredata("import", library.path, try file("i.json", "{\"Book\":[{\"title\":\"New\",\"author\":\"\(uri)\"}]}"))
        #expect(again.code == 0, "\(again.errors)")
        let missing = coredata("import", library.path, try file("i.json", #"{"Book":[{"title":"New","author":"Author/77"}]}"#))
        #expect(missing.code == 4 && !missing.errors.contains("x-coredata"), "\(missing.errors)")
    }

    @Test("What is no model is called so; a store is one")
    func noModel() throws {
        #expect(coredata("model", "validate", library.path).output == "Nothing to flag.\n")
        for (path, said) in [
            (try file("text.sqlite", "hello there"), "neither a model nor a store"), (try file("zero.sqlite", ""), "an empty file"),
            ("/dev/null", "no regular file"),
        ] {
            for command in ["show", "validate"] {
                let outcome = coredata("model", command, path)
                #expect(outcome.code == 3 && outcome.errors.contains(said) && !outcome.errors.contains("merge conflict"), "\(outcome.errors)")
            }
        }
    }

    @Test("inspect says when the model named is not the store’s")
    func otherModel() throws {
        let other = try model("O", "<entity name=\"Author\" representedClassName=\"Author\"><attribute name=\"x\" optional=\"YES\" attributeType=\"String\"/></entity>")
        let outcome = coredata("inspect", library.path, "--model", other)
        #expect(outcome.code == 1 && outcome.errors.contains("Author is another") && outcome.errors.contains("Book is not in the model"), "\(outcome.errors)")
        #expect(coredata("inspect", library.path, "--model", library.modelPath).code == 0)
    }

    @Test("A column named twice stands once; an empty sort key is refused")
    func columns() {
        let outcome = coredata("fetch", library.path, "Author", "--columns", "name,*,name", "--format", "csv")
        #expect(outcome.output.hasPrefix("name,$id,born,ownShelf\n"), "\(outcome.output)")
        #expect(coredata("fetch", library.path, "Author", "--sort", "").code == 2)
    }
}
