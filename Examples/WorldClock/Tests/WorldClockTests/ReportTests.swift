import NLCoreData
import Testing
@testable import WorldClock

@Suite struct ReportTests {
    private let answers = Answers(
        countries: 3, zones: 2, continents: [.init(name: "Europe", zones: 12)], oceans: [.init(name: "Indian", zones: 1)],
        shared: [.init(zone: "Europe/Helsinki", countries: ["Finland", "Åland Islands"])],
        times: [
            ZoneTime(zone: "A/B", country: "Åland", comments: "north", time: "Mon 01:02", offset: "UTC+00:00"),
            ZoneTime(zone: "A/Longer", country: "X", comments: nil, time: nil, offset: nil),
        ])

    @Test("Columns are aligned, lines have no blanks at their end")
    func report() {
        let lines = Report(answers, question: "x > 1", width: 36).text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[0].hasSuffix("World Clock · 3 countries · 2 zones") || lines[0].contains("\u{1B}"))
        #expect(lines.contains("  Europe  12  " + String(repeating: "█", count: 40)))
        #expect(lines.contains("  Indian   1  ████"))
        #expect(lines.contains("  Europe/Helsinki  Finland, Åland") && lines.contains("                   Islands"))
        #expect(lines.contains("  Mon 01:02  UTC+00:00  A/B       Åland  north"))
        #expect(lines.contains("  unknown    here       A/Longer  X"))
    }

    @Test("No match is said")
    func noMatch() {
        var none = answers
        none.times = []
        #expect(Report(none, question: nil).text.hasSuffix("No zone matches."))
    }

    @Test("Offsets are hours and minutes from UTC", arguments: [
        (0, "UTC+00:00"), (19800, "UTC+05:30"), (-12600, "UTC-03:30"), (50400, "UTC+14:00"),
    ])
    func offsets(_ seconds: Int, _ text: String) { #expect(ZoneTime.offset(seconds) == text) }

    @Test("A predicate that cannot be parsed is shown with a mark where it went wrong")
    func mark() throws {
        let error = #expect(throws: (any Error).self) { try NSPredicate(validating: "name BEGINSWITH[c 'S'") }
        let lines = ErrorReport.text(try #require(error)).split(separator: "\n").map(String.init)
        #expect(lines.first?.contains("position 18") == true)
        #expect(lines.suffix(2) == ["    name BEGINSWITH[c 'S'", "    " + String(repeating: " ", count: 18) + "^"])
    }
}
