import Testing
@testable import CoreDataCommand

@Suite("The words of a command")
struct ArgumentsTests {
    let spec = CommandSpec(
        path: ["try"], summary: "", operands: [OperandSpec("STORE", "the store’s file"), OperandSpec("FILE", "a file", isOptional: true)],
        options: [OptionSpec("limit", short: "l", value: "N", "rows"), OptionSpec("all", short: "a", "everything"),
            OptionSpec("sort", short: "s", value: "KEY", isRepeatable: true, "order"), OptionSpec("quick", short: "q", "")])

    func message(_ words: String...) -> String? {
        do throws(UsageError) { _ = try Arguments(words, for: spec) } catch { return error.message }
        return nil
    }

    @Test("Options may stand anywhere, attached or not; those that count once are not given two values")
    func reading() throws {
        let arguments = try Arguments(["-s3", "a", "-aq", "-l5", "b", "--sort=x"], for: spec)
        #expect(arguments.operands == ["a", "b"])
        #expect(try arguments.integer("limit") == 5)
        #expect(arguments.flag("all") && arguments.flag("quick") && !arguments.flag("json"))
        #expect(arguments.all("sort") == ["3", "x"])
        #expect(message("a", "--limit", "3", "-l5") == "--limit is given 2 times, and counts once." && message("a", "--limit", "3", "-l3") == nil)
        #expect(try Arguments(["-l", "7", "a"], for: spec).integer("limit") == 7)
        #expect(try Arguments(["a", "--limit", "--all"], for: spec).value("limit") == "--all")
    }

    @Test("“--” ends the options, “-” is an operand")
    func operands() throws {
        #expect(try Arguments(["--", "--limit", "-x"], for: spec).operands == ["--limit", "-x"])
        #expect(try Arguments(["a", "-"], for: spec).operands == ["a", "-"])
    }

    @Test("What is wrong is said, with the nearest name")
    func mistakes() {
        #expect(message("--limits", "3", "a") == "“coredata try” has no option “--limits”. Did you mean “--limit”?")
        #expect(message("-z", "a")?.hasPrefix("“coredata try” has no option “-z”.") == true)
        #expect(message("a", "--limit") == "--limit needs a value: --limit N.")
        #expect(message("a", "--all=1") == "--all takes no value.")
        #expect(message() == "STORE is missing: the store’s file.")
        #expect(message("a", "b", "c") == "“c” is one word too many.")
        #expect(message("--help") == nil)
    }

    @Test("Numbers and choices are checked")
    func values() throws {
        let arguments = try Arguments(["a", "--limit", "-1"], for: spec)
        #expect(throws: UsageError.self) { try arguments.integer("limit") }
        #expect(throws: UsageError.self) { try arguments.choice("limit", among: ["json", "csv"]) }
    }
}
