import CoreDataTestSupport
import Foundation
import Testing
@testable import CoreDataCommand

@Suite("Dates as text")
struct DateTextTests {
    @Test("Dates are ISO 8601 in UTC", arguments: [
        (0.0, "2001-01-01T00:00:00Z"), (0.5, "2001-01-01T00:00:00.5Z"), (-0.25, "2000-12-31T23:59:59.75Z"),
        (-978_307_200, "1970-01-01T00:00:00Z"), (725_846_400.123, "2024-01-02T00:00:00.123Z"), (-63_113_904_000, "0001-01-01T00:00:00Z"), (-63_114_076_800, "0000-12-30T00:00:00Z"),
        (1.5e-05, "2001-01-01T00:00:00.000015Z"), (189_302_399, "2006-12-31T23:59:59Z"),
    ])
    func iso(_ seconds: Double, _ text: String) {
        #expect(DateText.iso(seconds) == text)
        #expect(DateText.seconds(text) == seconds)
    }

    @Test("Every date reads back as the same number")
    func roundTrip() {
        var generator = SeededGenerator(7)
        for _ in 0..<20_000 {
            let seconds = Double.random(in: -6e10...2e11, using: &generator) / pow(10, Double(Int.random(in: 0...14, using: &generator)))
            #expect(DateText.iso(seconds).flatMap(DateText.seconds) == seconds)
        }
    }

    @Test("Dates with zones, without times, and what is no date")
    func forms() {
        #expect(DateText.seconds("2001-01-01") == 0)
        #expect(DateText.seconds("2001-01-01T02:00:00+02:00") == 0)
        #expect(DateText.seconds("2000-12-31 19:30:00-0430") == 0)
        #expect(DateText.seconds("2001-01-01T00:00Z") == 0)
        for text in ["2001-02-29", "2001-13-01", "yesterday", "2001-01-01T25:00:00Z", "2001-01-01x", "2001-1-1", ""] {
            #expect(DateText.seconds(text) == nil, "\(text)")
        }
        #expect(DateText.iso(1e20) == nil)
        #expect(DateText.iso(.infinity) == nil)
    }
}
