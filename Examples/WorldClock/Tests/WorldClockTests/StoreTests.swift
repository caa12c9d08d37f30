import NLCoreData
import Testing
@testable import WorldClock

/// From tables to answers, over real stores. On the main actor: an import needs the main thread.
@MainActor @Suite struct StoreTests {
    private let tables: ZoneTables
    private let folder: URL

    init() throws {
        tables = try ZoneTables(
            iso3166: "FI\tFinland\nAX\tÅland Islands\nSE\tSweden\nIS\tIceland\n",
            zone1970: """
                FI,AX\t+6010+02458\tEurope/Helsinki
                SE\t+5920+01803\tEurope/Stockholm\tall of it
                IS\t+6409-02151\tAtlantic/Reykjavik
                """)
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("WorldClockTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private func stack(_ name: String = "Test") -> NLCoreData {
        NLCoreData(modelName: "WorldClock", storeURL: folder.appendingPathComponent("\(name).sqlite"))
    }

    private func withStack<Result>(_ body: (NLCoreData) throws -> Result) rethrows -> Result {
        let stack = stack()
        return try NLCoreData.withStack(stack) { try body(stack) }
    }

    /// As the program, but awaiting: tests share the main thread.
    private func fill(_ stack: NLCoreData, with tables: ZoneTables? = nil) async throws {
        let job = ImportJob(tables ?? self.tables)
        try job.start(in: stack)
        while job.outcome == nil { try await Task.sleep(for: .milliseconds(5)) }
        #expect(job.fraction > 0.5 && job.fraction <= 1)
        try job.outcome?.get()
    }

    @Test("An import fills the store, and the main thread's context sees it")
    func imports() async throws {
        let stack = stack()
        let isFilled = try NLCoreData.withStack(stack) { try stack.holdsZones() }
        #expect(!isFilled)
        try await fill(stack)
        try NLCoreData.withStack(stack) {
            #expect(try stack.holdsZones())
            let found = try Zone.fetchSingle("name == %@", "Europe/Helsinki")
            let helsinki = try #require(found)
            #expect(helsinki.country?.code == "FI" && Set(helsinki.countries.map(\.code)) == ["FI", "AX"])
            #expect(helsinki.region is Continent && helsinki.region?.name == "Europe")
            #expect(try Country.fetchSingle("code == 'AX'")?.zones == [helsinki])
            #expect(try Region.fetch(sortedBy: [SortDescriptor(\.name)]).map(\.name) == ["Atlantic", "Europe"])
            #expect(try Ocean.count() == 1)
            #expect(try Continent.count() == 1)
        }
        let isFound = try withStack { try $0.holdsZones() }
        #expect(isFound, "Another run finds it")
    }

    @Test("An import that cannot be saved is an error and leaves nothing")
    func failingImport() async throws {
        var doubled = tables
        doubled.countries.append(tables.countries[0])
        let stack = stack()
        await #expect(throws: (any Error).self) { try await fill(stack, with: doubled) }
        let isFilled = try NLCoreData.withStack(stack) { try stack.holdsZones() }
        #expect(!isFilled)
        try await fill(stack)
        let isFilledNow = try NLCoreData.withStack(stack) { try stack.holdsZones() }
        #expect(isFilledNow)
    }

    @Test("The store answers: zones per region, shared zones, times sorted by a key")
    func answers() async throws {
        try await fill(stack())
        try withStack { _ in
            let answers = try Answers(
                where: NSPredicate(validating: "latitude > 60"), sortedByKey: "longitude", at: Date(timeIntervalSince1970: 1_750_000_000))
            #expect(answers.countries == 4 && answers.zones == 3)
            #expect(answers.continents == [.init(name: "Europe", zones: 2)])
            #expect(answers.oceans == [.init(name: "Atlantic", zones: 1)])
            #expect(answers.shared == [.init(zone: "Europe/Helsinki", countries: ["Finland", "Åland Islands"])])
            #expect(answers.times.map(\.zone) == ["Atlantic/Reykjavik", "Europe/Helsinki"])
            #expect(answers.times.map(\.time) == ["Sun 15:06", "Sun 18:06"])
            #expect(answers.times.map(\.offset) == ["UTC+00:00", "UTC+03:00"])
            #expect(try JSONDecoder().decode(Answers.self, from: Data(answers.json().utf8)) == answers)
        }
    }

    @Test("A key that zones do not have is an error that names the nearest")
    func unknownKey() async throws {
        try await fill(stack())
        try withStack { _ in
            for predicate in ["nme == 'x'", "country.nme == 'x'"] {
                let error = #expect(throws: (any Error).self) {
                    try Answers(where: NSPredicate(validating: predicate), sortedByKey: "name", at: .now)
                }
                #expect(error?.localizedDescription.contains("“name”") == true)
            }
        }
    }

    @Test("A store starts from a seed; a reset comes first when one is there")
    func seeding() async throws {
        try await fill(stack("Seed"))
        let seed = folder.appendingPathComponent("Seed.sqlite").path
        try withStack { stack in
            try StorePreparation(stack: stack, seed: seed).run()
            #expect(try Zone.count() == 3)
            #expect(throws: NLCoreDataError.storeExists(path: stack.storePath)) { try StorePreparation(stack: stack, seed: seed).run() }
            try StorePreparation(stack: stack, seed: seed, reset: true).run()
            #expect(try Zone.count() == 3)
            try StorePreparation(stack: stack, reset: true).run()
            #expect(!stack.storeExists)
        }
    }

    @Test("What cannot be done is refused before anything is thrown away")
    func refusals() async throws {
        try await fill(stack())
        let text = folder.appendingPathComponent("notes.txt")
        try Data("my notes".utf8).write(to: text)
        try withStack { stack in
            for seed in [stack.storePath, text.path, folder.appendingPathComponent("none").path] {
                #expect(throws: (any Error).self) { try StorePreparation(stack: stack, seed: seed, reset: true).run() }
                let count = try Zone.count()
                #expect(count == 3)
            }
        }
        withStack { stack in
            #expect(throws: (any Error).self) { try StorePreparation(stack: stack, store: text.path, reset: true).run() }
        }
        #expect(try String(contentsOf: text, encoding: .utf8) == "my notes")
    }
}
