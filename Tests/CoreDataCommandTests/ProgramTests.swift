import CoreDataTestSupport
import Foundation
import Testing
@testable import CoreDataCommand

@Suite("The program")
struct ProgramTests {
    @Test("Every command explains itself")
    func help() {
        for command in CommandProgram.commands {
            let outcome = run(command.spec.path + ["--help"])
            #expect(outcome.code == 0)
            #expect(outcome.errors.isEmpty)
            #expect(outcome.output.contains("Usage: coredata \(command.spec.name)"))
            for option in command.spec.allOptions { #expect(outcome.output.contains("--\(option.name)"), "\(command.spec.name)") }
            for line in outcome.lines { #expect(line.count <= 120, "\(command.spec.name): \(line)") }
            #expect(run(["help"] + command.spec.path).output == outcome.output)
        }
        #expect(coredata("--help").output.contains("Exit codes:"))
        #expect(coredata("model", "--help").output.contains("model hashes"))
        #expect(coredata("--version").output == "coredata \(CommandProgram.version) (NLCoreData)\n" && CommandProgram.version.first?.isNumber == true)
    }

    @Test("Without a command the list goes to standard error, and the code is 2")
    func nothing() {
        let outcome = coredata()
        #expect(outcome.code == 2 && outcome.output.isEmpty && outcome.errors.contains("inspect"))
    }

    @Test("Unknown commands: the nearest is named")
    func unknown() {
        let outcome = coredata("inspekt", "x")
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("There is no command “inspekt”. Did you mean “inspect”?"))
        #expect(coredata("model", "shwo", "x").errors.contains("Did you mean “show”?"))
        #expect(coredata("model").code == 2)
    }

    @Test("With --json errors are JSON too")
    func jsonErrors() throws {
        let outcome = coredata("inspect", "/nowhere/x.sqlite", "--json")
        #expect(outcome.code == 3 && outcome.output.isEmpty)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(outcome.errors.utf8)) as? [String: [String: Any]])
        #expect(object["error"]?["code"] as? Int == 3)
        #expect((object["error"]?["message"] as? String)?.contains("/nowhere/x.sqlite") == true)
    }

    @Test("The built program: codes, streams, a pipe nobody reads, colours on terminals only")
    func process() throws {
        let folder = try TemporaryFolder()
        try Data("not a store at all, only text".utf8).write(to: folder.file("letter.txt"))
        #expect(try shell("coredata --help", in: folder.url).code == 0)
        #expect(try shell("coredata", in: folder.url).code == 2)
        let letter = try shell("coredata inspect letter.txt", in: folder.url)
        #expect(letter.code == 3 && letter.output.isEmpty && letter.errors.hasPrefix("coredata: error: "))
        #expect(try shell("coredata inspect lettre.txt", in: folder.url).errors.contains("Did you mean “letter.txt”?"))
        let closed = try shell("coredata --help | head -1", in: folder.url)
        #expect(closed.code == 0 && closed.output.split(separator: "\n").count == 1 && closed.errors.isEmpty)
        #expect(try !shell("coredata --help", in: folder.url).output.contains("\u{1B}"))
        #expect(coredata("--help", asTerminal: true).output.contains("\u{1B}[1m"))
        #expect(!coredata("--help", asTerminal: true, environment: ["NO_COLOR": "1"]).output.contains("\u{1B}"))
    }
}
