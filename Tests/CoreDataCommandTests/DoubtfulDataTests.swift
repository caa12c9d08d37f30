import CoreDataTestSupport
import Foundation
import Testing
@testable import CoreDataCommand

@Suite("Data that cannot be meant, and data from anywhere")
struct DoubtfulDataTests {
    let library: Library
    let folder: TemporaryFolder

    init() throws {
        library = try Library()
        folder = try TemporaryFolder()
    }

    func path(_ name: String) -> String { folder.file(name).path }
    func seed(_ bytes: some Sequence<UInt8>, _ name: String = "d.json", _ words: String...) throws -> Outcome {
        try Data(bytes).write(to: folder.file(name))
        return run(["seed", library.modelPath, path(name), "-o", path("New.sqlite"), "--force"] + words)
    }
    func column(_ entity: String, _ columns: String) -> String {
        coredata("fetch", path("New.sqlite"), entity, "--model", library.modelPath, "--columns", columns, "--format", "csv").output
    }

    /// Data of which no row is taken, and what is said.
    static let refused: [(String, String)] = [
        // One-to-ones and to-manys whose members belong to one row.
        (#"{"Shelf":[{"label":"a","owner":"p"},{"label":"b","owner":"p"}],"Author":[{"$id":"p","name":"x"}]}"#, "“Shelf.owner” leads to a row that another"),
        ("{\"Shelf\":[{\"label\":\"a\",\"owner\":\"p\"},\n{\"label\":\"b\",\"owner\":\"p\"}],\"Author\":[{\"$id\":\"p\",\"name\":\"x\"}]}", ":2: “Shelf.owner”"),
        (#"{"Author":[{"name":"x","ownShelf":"s"},{"name":"y","ownShelf":"s"}],"Shelf":[{"$id":"s","label":"a"}]}"#, "can belong to one only"),
        (#"{"Author":[{"$id":"p","name":"x","ownShelf":"s"},{"$id":"q","name":"y"}],"Shelf":[{"$id":"s","label":"a","owner":"q"}]}"#, "whose “Shelf.owner” is another row"),
        (#"{"Book":[{"$id":1,"title":"a","sequel":2},{"$id":2,"title":"b","prequel":3},{"$id":3,"title":"c"}]}"#, "can belong to one only"),
        (#"{"Author":[{"$id":"p","name":"x"},{"$id":"q","name":"y","books":["v"]}],"Book":[{"$id":"v","title":"t","author":"p"}]}"#, "“Author.books” leads to a row whose “Book.author” is another row"),
        (#"{"Author":[{"name":"x","books":["v"]},{"name":"y","books":["v"]}],"Book":[{"$id":"v","title":"t"}]}"#, "“Author.books”"),
        // Keys that stand twice.
        (#"{"Author":[{"name":"x","name":"y"}]}"#, "“name” stands twice"),
        (#"{"$entity":"Author","name":"x","$entity":"Book"}"#, "“$entity” stands twice"),
        (#"[{"$entity":"Author","name":"x","n\u0061me":"x"}]"#, "“name” stands twice"),
        // Values.
        (#"{"Book":[{"title":"x","isRead":2}]}"#, "Book.isRead 2 is neither true nor false"),
        (#"{"Book":[{"title":"x","isRead":"-1"}]}"#, "is neither true nor false"),
        (#"{"Book":[{"title":"x","link":"not a url at all %%"}]}"#, "is no URI"),
        (#"{"Book":[{"title":"x","weight":1e300}]}"#, "is out of range"),
        (#"{"Book":[{"title":"x","rating":1e999}]}"#, "is no number"),
        (#"{"Book":[{"title":"x","rating":"0x10"}]}"#, "is no number"),
        (#"{"Book":[{"title":"x","price":"0x10"}]}"#, "is no number"),
        (#"{"Book":[{"title":"x","price":"1e300"}]}"#, "is out of range"),
        // The row is named where a line holds several.
        (#"{"Book":[{"title":"x"},{"title":"y"},{"titel":"z"}]}"#, ":1 (row 3): Book has no property"),
        (#"{"Book":[{"$id":0,"title":"x"}],"Novel":[{"$id":0,"title":"y"}]}"#, "There is a row “Book/0” already"),
    ]

    @Test("Contradictions, keys that stand twice and values that are none are refused", arguments: refused)
    func refuses(_ text: String, _ message: String) throws {
        let outcome = try seed(text.utf8)
        #expect(outcome.code == 4 && outcome.errors.contains(message), "\(outcome)")
        #expect(!FileManager.default.fileExists(atPath: path("New.sqlite")))
    }

    @Test("What both sides say alike is taken")
    func agreeing() throws {
        let text = #"""
            {"Author":[{"$id":"p","name":"x","ownShelf":"s","books":["v","w"]}],"Shelf":[{"$id":"s","label":"a","owner":"p"}],
            "Book":[{"$id":"v","title":"1","author":"p","sequel":"w"},{"$id":"w","title":"2","author":null,"prequel":"v"}]}
            """#
        let outcome = try seed(text.utf8)
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome)")
        #expect(column("Author", "name,books.title,ownShelf.label") == "name,books.title,ownShelf.label\nx,\"[\"\"1\"\",\"\"2\"\"]\",a\n")
        #expect(coredata("check", path("New.sqlite"), "--model", library.modelPath).code == 0)
    }

    @Test("An import takes nothing away from the store's rows; free ones can be had")
    func storedRows() throws {
        #expect(try seed(#"{"Author":[{"$id":"p","name":"x","books":["v"]}],"Shelf":[{"label":"taken","owner":"p"},{"label":"free"}],"Book":[{"$id":"v","title":"1"},{"title":"2"}]}"#.utf8).code == 0)
        let store = path("New.sqlite")
        let inspected = try coredata("inspect", store, "--json").object()
        let uuid = try #require((inspected["uuid"] ?? inspected["identifier"]) as? String, "\(inspected.keys)")
        func add(_ text: String) throws -> Outcome {
            try Data(text.replacing("U/", with: "x-coredata://\(uuid)/").utf8).write(to: folder.file("more.json"))
            return coredata("import", store, path("more.json"), "--model", library.modelPath)
        }
        let before = coredata("export", store, "--model", library.modelPath).output
        for text in [
            #"{"Author":[{"name":"y","ownShelf":"U/Shelf/p1"}]}"#, #"{"Shelf":[{"label":"n","owner":"U/Author/p1"}]}"#,
            #"{"Author":[{"name":"y","books":["U/Book/p1"]}]}"#,
        ] {
            let outcome = try add(text)
            #expect(outcome.code == 4 && outcome.errors.contains("row of the store that belongs to another one"), "\(text): \(outcome)")
            #expect(coredata("export", store, "--model", library.modelPath).output == before)
        }
        #expect(try add(#"{"Author":[{"name":"y","ownShelf":"U/Shelf/p2","books":["U/Book/p2"]}]}"#).code == 0)
        #expect(coredata("check", store, "--model", library.modelPath).code == 0)
        #expect(column("Author", "name,ownShelf.label,books.title").hasSuffix("y,free,\"[\"\"2\"\"]\"\n"))
    }

    @Test("Text that is not UTF-8 is refused, in JSON and in CSV")
    func encoding() throws {
        let json = try seed(Array("{\"Author\":[{\"name\":\"J".utf8) + [0xFC] + Array("rgen\"}]}".utf8))
        #expect(json.code == 4 && json.errors.contains(":1: ") && json.errors.contains("not UTF-8"), "\(json)")
        let escaped = try seed(Array("{\"Author\":[{\"name\":\"\\n".utf8) + [0xC3] + Array("\"}]}".utf8))
        #expect(escaped.code == 4 && escaped.errors.contains("not UTF-8"))
        let csv = try seed(Array("name\na\nJ".utf8) + [0xFC] + Array("rgen\n".utf8), "Author.csv")
        #expect(csv.code == 4 && csv.errors.contains("Author.csv:3: ") && csv.errors.contains("not UTF-8"), "\(csv)")
    }

    @Test("CSV: lines end with LF, CR LF or CR; doubtful headings and quotes are refused", arguments: ["\n", "\r\n", "\r"])
    func lineEnds(_ end: String) throws {
        for last in ["", end] {
            let text = ["name,born", "Ann,2024-01-01", "\"B\(end)o,\"\"b\",", "\"\","].joined(separator: end) + last
            let outcome = try seed(text.utf8, "Author.csv")
            #expect(outcome.code == 0 && outcome.output.hasPrefix("3 rows"), "\(outcome)")
            let names = try #require(try coredata("fetch", path("New.sqlite"), "Author", "--model", library.modelPath, "--json").json() as? [[String: Any]])
            #expect(names.map { $0["name"] as? String } == ["Ann", "B\(end)o,\"b", ""])
        }
        let long = try seed(["name", "a", "\"b\(end)c\"", "d,e"].joined(separator: end).utf8, "Author.csv")
        #expect(long.code == 4 && long.errors.contains("Author.csv:5: this row has 2 fields"), "\(long)")
        #expect(try seed("name,name\(end)a,b\(end)".utf8, "Author.csv").errors.contains("Author.csv:1: two columns are called “name”"))
        #expect(try seed("name\(end)\"a\"b\(end)".utf8, "Author.csv").code == 4)
        #expect(try seed("name\(end)\"a\(end)".utf8, "Author.csv").errors.contains("Author.csv:2: the file ends within quotes"))
    }

    @Test("A decimal of which the store drops digits is said to be so")
    func decimals() throws {
        let kept = ["123456789.012345", "1234567890123450000000000", "9007199254740993", "0.1", "-5e-20", "1.10000000000000000000"]
        let rows = kept.map { "{\"title\":\"x\",\"price\":\($0)}" }.joined(separator: ",")
        let exact = try seed("{\"Book\":[\(rows)]}".utf8)
        #expect(exact.code == 0 && exact.errors.isEmpty, "\(exact)")
        let read = column("Book", "price").split(separator: "\n").dropFirst().map { Decimal(string: String($0)) }
        #expect(read == kept.map { Decimal(string: $0) })
        let outcome = try seed(#"{"Book":[{"title":"x","price":"1234567890.123456789"},{"title":"y","price":99999999999999999999}]}"#.utf8)
        #expect(outcome.code == 0 && outcome.errors.contains("Book.price \"1234567890.123456789\" is kept with 15 digits"), "\(outcome)")
        #expect(outcome.errors.components(separatedBy: "warning:").count == 3)
    }

    @Test("Data from a pipe, a FIFO, /dev/stdin or an open file is read whole")
    func pipes() throws {
        let rows = (1...20_000).map { "{\"$id\":\($0),\"name\":\"n\($0)\"}" }.joined(separator: ",\n")
        try Data("{\"Book\":[{\"title\":\"x\",\"author\":7}],\"Author\":[\(rows)]}".utf8).write(to: folder.file("d.json"))
        try Data("name\nAnn\nBob\n".utf8).write(to: folder.file("Author.txt"))
        let lines = [
            ("coredata seed $M <(cat d.json) -o n.sqlite --force", "20001 rows"), ("coredata seed $M - -o n.sqlite --force < d.json", "20001 rows"),
            ("cat d.json | coredata seed $M - -o n.sqlite --force", "20001 rows"), ("cat d.json | coredata seed $M /dev/stdin -o n.sqlite --force", "20001 rows"),
            ("coredata seed $M /dev/stdin -o n.sqlite --force < d.json", "20001 rows"), ("coredata seed $M /dev/fd/5 -o n.sqlite --force 5< d.json", "20001 rows"),
            ("mkfifo pipe; cat d.json > pipe & coredata seed $M pipe -o n.sqlite --force", "20001 rows"),
            ("coredata seed $M <(cat Author.txt) --format csv --entity Author -o n.sqlite --force", "2 rows"),
            ("mkfifo Author.csv; cat Author.txt > Author.csv & coredata seed $M Author.csv -o n.sqlite --force", "2 rows"),
            ("coredata import n.sqlite <(echo '{\"Author\":[{\"name\":\"z\"}]}') --model $M", "1 row "),
        ]
        for (line, said) in lines {
            let outcome = try shell(line.replacing("mkfifo", with: "sleep 0; mkfifo"), in: folder.url, environment: ["M": library.modelPath])
            #expect(outcome.code == 0 && outcome.output.hasPrefix(said), "\(line): \(outcome)")
        }
    }

    @Test("A required to-one that neither side fills is named with its line")
    func requiredToOne() throws {
        let model = folder.file("P.xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data("""
            <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0"><entity name="Person">
            <relationship name="passport" optional="YES" maxCount="1" destinationEntity="Passport" inverseName="owner" inverseEntity="Passport"/></entity>
            <entity name="Passport"><relationship name="owner" maxCount="1" destinationEntity="Person" inverseName="passport" inverseEntity="Person"/></entity></model>
            """.utf8).write(to: model.appendingPathComponent("contents"))
        try Data("{\"Passport\":[{\"$id\":1},\n{\"$id\":2}],\n\"Person\":[{\"passport\":1}]}".utf8).write(to: folder.file("p.json"))
        let outcome = coredata("seed", model.path, path("p.json"), "-o", path("P.sqlite"))
        #expect(outcome.code == 4 && outcome.errors.contains("p.json:2: Passport.owner must not be nil, and is in 1 row."), "\(outcome)")
    }

    @Test("What is no store at all is called what it is")
    func noStore() throws {
        try Data().write(to: folder.file("zero.sqlite"))
        for (store, message) in [(path("zero.sqlite"), "is an empty file"), ("/dev/null", "is no regular file"), ("", "is an empty text")] {
            for words in [["inspect", store], ["fetch", store, "Book"], ["export", store], ["check", store]] {
                let outcome = run(words)
                #expect(outcome.code == 3 && outcome.errors.contains(message), "\(outcome)")
            }
        }
    }
}
