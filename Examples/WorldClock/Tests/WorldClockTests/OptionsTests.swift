import Testing
@testable import WorldClock

@Suite struct OptionsTests {
    @Test("Options are read, values after a space or an equals sign")
    func options() throws {
        let options = try Options(["--where", "name == 'a=b'", "--sort=longitude", "--store", "s", "--seed=x=y", "--reset", "--json"])
        #expect(options.predicate == "name == 'a=b'")
        #expect(options.sortKey == "longitude" && options.store == "s" && options.seed == "x=y")
        #expect(options.reset && options.json && !options.help)
        #expect(try Options(["-h"]).help)
        #expect(try Options([]).sortKey == "name")
    }

    @Test("A command line that makes no sense is refused by name", arguments: [
        (["--there"], "“--there”"), (["where"], "“where”"), (["--where"], "--where needs a value"), (["--seed="], "--seed needs a value"),
        (["--reset=yes"], "--reset takes no value"),
    ])
    func problems(_ arguments: [String], _ text: String) {
        let problem = #expect(throws: Options.Problem.self) { try Options(arguments) }
        #expect(problem?.description.contains(text) == true)
    }
}
