import CoreDataTestSupport
import Foundation
import Testing
@testable import CoreDataCommand

@Suite("Where results go")
struct OutputTests {
    let library: Library
    let folder: TemporaryFolder

    init() throws {
        library = try Library()
        try library.fill()
        folder = try TemporaryFolder()
    }

    func path(_ name: String) -> String { folder.file(name).path }
    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() } }
    func text(_ name: String) -> String? { FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) } }
    func export(_ words: String...) -> Outcome { run(["export", library.path, "--model", library.modelPath] + words) }
    /// A line of the shell with the store and its model as `$S` and `$M`.
    func line(_ line: String) throws -> Outcome {
        try shell(line, in: folder.url, environment: ["S": library.path, "M": library.modelPath])
    }

    @Test("An export never goes into the store it reads, by whatever name, nor beside it, nor into another database, forced or not")
    func stores() throws {
        let files = FileManager.default
        let other = path("Other.sqlite")
        try files.copyItem(atPath: library.path, toPath: other)
        try files.createSymbolicLink(atPath: path("link"), withDestinationPath: library.path)
        try files.createSymbolicLink(atPath: path("folder"), withDestinationPath: library.folder.url.path)
        try files.linkItem(atPath: library.path, toPath: path("hard"))
        let before = try (InspectTests.listing(library.folder.url), files.contents(atPath: library.path), files.contents(atPath: other))
        let places = [
            library.path, library.folder.url.path + "/./Library.sqlite", path("link"), path("folder/Library.sqlite"), path("hard"),
            library.path + "-wal", library.path + "-shm", library.path + "-journal", path("folder/Library.sqlite-wal"),
            library.folder.file(".Library_SUPPORT/_EXTERNAL_DATA/x").path, library.modelPath + "/contents", library.modelPath + "/new",
            other, other + "-wal",
        ]
        for place in places {
            for words in [[], ["--force"]] {
                let outcome = run(["export", library.path, "--model", library.modelPath, "-o", place] + words)
                #expect(outcome.code == 3 && outcome.errors.contains("“\(place)”"), "\(place): \(outcome)")
            }
        }
        #expect(coredata("model", "diagram", library.modelPath, "--format", "dot", "-o", library.path, "--force").code == 3)
        #expect(coredata("model", "diagram", library.modelPath, "--format", "dot", "-o", library.modelPath + "/contents", "--force").code == 3)
        #expect(coredata("seed", library.path, "/dev/null", "-o", library.path, "--force").code == 3)
        let after = try (InspectTests.listing(library.folder.url), files.contents(atPath: library.path), files.contents(atPath: other))
        #expect(after.0 == before.0 && after.1 == before.1 && after.2 == before.2)
        #expect(try names == ["Other.sqlite", "folder", "hard", "link"])
    }

    @Test("A file that is there is replaced only with --force, and keeps its mode; a link is followed")
    func existing() throws {
        try Data("letter".utf8).write(to: folder.file("a.json"))
        chmod(path("a.json"), 0o640)
        try FileManager.default.createSymbolicLink(atPath: path("link.json"), withDestinationPath: "a.json")
        try FileManager.default.createSymbolicLink(atPath: path("new"), withDestinationPath: "b.json")
        for name in ["a.json", "link.json"] {
            let outcome = export("-o", path(name))
            #expect(outcome.code == 3 && outcome.errors.contains("--force") && outcome.errors.contains(name), "\(outcome)")
            #expect(text("a.json") == "letter")
        }
        #expect(export("-o", path("new")).code == 0)
        #expect(export("-o", path("link.json"), "--force").code == 0)
        #expect(text("a.json")?.hasPrefix("{\n\"$coredata\"") == true && text("b.json") == text("a.json"))
        #expect(try FileManager.default.attributesOfItem(atPath: path("a.json"))[.posixPermissions] as? Int == 0o640)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("link.json")) == "a.json")
        #expect(try names == ["a.json", "b.json", "link.json", "new"])
        #expect(export("-o", folder.url.path).errors.contains("is a folder"))
        #expect(export("-o", path("none/x.json")).code == 3)
        #expect(export("-o", "").code == 2)
    }

    @Test("“-” is standard output; devices, pipes and open files are written into")
    func special() throws {
        let whole = export().output
        for place in ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
            let outcome = try line("coredata export $S --model $M -o \(place)")
            #expect(outcome.code == 0 && outcome.output == whole, "\(place): \(outcome.errors)")
            #expect(try line("coredata export $S --model $M -o \(place) > out.json").code == 0)
            #expect(text("out.json") == whole)
        }
        #expect(try line("coredata export $S --model $M -o out.json > out.json").code == 0)
        #expect(text("out.json") == whole)
        let full = try line("coredata export $S --model $M -o /dev/full")
        #expect(full.code == 3 && full.errors.contains("No space left"))
        #expect(try line("coredata --help > /dev/full").code == 3 && line("coredata model schema $M > /dev/full").code == 3)
        #expect(try line("coredata export $S --model $M -o /dev/null").code == 0)
        let pipe = try line("mkfifo pipe; cat pipe & coredata export $S --model $M -o pipe; code=$?; wait; [ -p pipe ] && exit $code")
        #expect(pipe.code == 0 && pipe.output == whole)
        #expect(try line("coredata export $S --model $M -o >(cat)").output == whole)
        #expect(try line("coredata model diagram $M --format dot -o -").output.hasPrefix("digraph"))
        #expect(try names == ["out.json", "pipe"])
    }

    @Test("CSV: the files of one export are in the folder, no others; one entity may go into a file")
    func tables() throws {
        #expect(export("--format", "csv", "-o", path("tables")).code == 0)
        let again = export("--format", "csv", "-o", path("tables"))
        #expect(again.code == 3 && again.errors.contains("--force"))
        try Data("x".utf8).write(to: folder.file("tables/Old.csv"))
        let stale = export("--format", "csv", "-o", path("tables"))
        #expect(stale.code == 3 && stale.errors.contains("Old.csv"))
        let forced = export("--format", "csv", "-o", path("tables"), "--force")
        #expect(forced.code == 0 && forced.errors.contains("warning:") && forced.errors.contains("Old.csv"))
        let one = export("--format", "csv", "--entity", "Shelf", "-o", path("shelves.csv"))
        #expect(one.code == 0 && text("shelves.csv") == text("tables/Shelf.csv"))
        #expect(export("--format", "csv", "--entity", "Shelf", "-o", "-").output == text("shelves.csv"))
        let file = export("--format", "csv", "-o", path("shelves.csv"))
        #expect(file.code == 3 && file.errors.contains("shelves.csv"))
    }

    @Test("seed: an unfit place is refused by its kind; a link leads to the new store")
    func seeds() throws {
        try Data("{}".utf8).write(to: folder.file("d.json"))
        try Data("letter".utf8).write(to: folder.file("letter.txt"))
        func seed(_ place: String, _ words: String...) -> Outcome { run(["seed", library.modelPath, path("d.json"), "-o", place] + words) }
        #expect(seed(folder.url.path).errors.contains("is a folder"))
        #expect(seed("/dev/null", "--force").errors.contains("no regular file"))
        #expect(seed("-").code == 2 && seed("").code == 2)
        #expect(seed(path("letter.txt"), "--force").code == 3 && text("letter.txt") == "letter")
        #expect(seed(path("d.json"), "--force").code == 3 && text("d.json") == "{}")
        #expect(seed(path("none/x.sqlite")).code == 3)
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: "New.sqlite")
        #expect(seed(path("link")).code == 0)
        #expect(seed(path("link")).code == 3)
        #expect(seed(path("link"), "--force").code == 0)
        #expect(try names == ["New.sqlite", "d.json", "letter.txt", "link"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path("link")) == "New.sqlite")
    }

    @Test("generate replaces what was generated, and nothing written by hand")
    func generate() throws {
        let output = path("G")
        #expect(coredata("generate", library.modelPath, "-o", output).code == 0)
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: output).sorted().first)
        try Data("// Generated by coredata-generate from an older model.".utf8).write(to: folder.file("G/" + name))
        #expect(coredata("generate", library.modelPath, "-o", output).code == 0)
        try Data("// mine".utf8).write(to: folder.file("G/" + name))
        let refused = coredata("generate", library.modelPath, "-o", output)
        #expect(refused.code == 3 && refused.errors.contains(name) && text("G/" + name) == "// mine")
        #expect(coredata("generate", library.modelPath, "-o", output, "--force").code == 0 && text("G/" + name) != "// mine")
        let file = coredata("generate", library.modelPath, "-o", path("G/" + name))
        #expect(file.code == 3 && file.errors.contains(name))
    }

    @Test("A limit on the size of files is an error that says so, and leaves nothing")
    func limited() throws {
        let data = (0..<3000).map { #"{"title":"\#(String(repeating: "x", count: 50)) \#($0)"}"# }.joined(separator: ",")
        try Data("{\"Book\":[\(data)]}".utf8).write(to: folder.file("large.json"))
        let before = try names
        for command in ["ulimit -f 20; coredata seed \"$M\" large.json -o limited.sqlite", "ulimit -f 0; coredata export \"$S\" --model \"$M\" -o limited.json"] {
            let outcome = try line(command)
            #expect(outcome.code == 3 && outcome.errors.hasPrefix("coredata: error: "), "\(outcome.code) \(outcome.errors)")
        }
        #expect(try names == before)
    }

    @Test("What is interrupted leaves nothing, and what was there stays", arguments: ["INT", "TERM", "HUP"])
    func interrupted(_ signal: String) throws {
        let code = Int32(["INT": 130, "TERM": 143, "HUP": 129][signal] ?? 0)
        // Waits until the process has a file of its own in the folder, then ends it.
        let wait = "for i in $(seq 500); do ls -A | grep -q part && break; sleep 0.01; done; sleep 0.05; kill -\(signal) $!; wait $!; echo $?; ls -A"
        // A list that is long enough to be interrupted in.
        let many = try line("python3 -c \"print('{\\\"Author\\\":[' + ','.join(['{\\\"name\\\":\\\"x\\\"}'] * 60000) + ']}')\" > many.json")
        #expect(many.code == 0)
        func lines(_ command: String) throws -> [String] {
            // Without job control a background process ignores SIGINT.
            try line("set -m; \(command) & \(wait)").lines
        }
        #expect(try lines("'\(builtProgram.path)' seed $M many.json -o new.sqlite 2>/dev/null") == ["\(code)", "many.json"])
        try Data("{\"Author\":[{\"name\":\"old\"}]}".utf8).write(to: folder.file("one.json"))
        #expect(try line("coredata seed $M one.json -o old.sqlite").code == 0)
        #expect(try lines("'\(builtProgram.path)' seed $M many.json -o old.sqlite --force 2>/dev/null") == ["\(code)", "many.json", "old.sqlite", "one.json"])
        #expect(coredata("fetch", path("old.sqlite"), "Author", "--columns", "name", "--format", "csv", "--model", library.modelPath).output == "name\nold\n")
    }
}
