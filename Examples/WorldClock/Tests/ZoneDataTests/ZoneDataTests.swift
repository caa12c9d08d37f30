import Foundation
import Testing
@testable import ZoneData

@Suite("Zone tables")
struct ZoneDataTests {
    @Test("Coordinates with and without seconds, in all four quarters", arguments: [
        ("+5230+01322", 52.5, 13.0 + 22.0 / 60), ("-3452-05613", -(34.0 + 52.0 / 60), -(56.0 + 13.0 / 60)),
        ("+513030-0000731", 51.0 + 30.0 / 60 + 30.0 / 3600, -(7.0 / 60 + 31.0 / 3600)),
    ])
    func coordinates(text: String, latitude: Double, longitude: Double) throws {
        let parsed = try #require(ZoneData.coordinates(text))
        #expect(abs(parsed.latitude - latitude) < 1e-9)
        #expect(abs(parsed.longitude - longitude) < 1e-9)
    }

    @Test("What is no coordinate is refused", arguments: ["", "+52", "5230+01322", "+5230", "+52x0+01322", "+523+01322"])
    func notCoordinates(text: String) { #expect(ZoneData.coordinates(text) == nil) }

    @Test("Comments and empty lines are passed over, several countries share a zone")
    func zones() throws {
        let zones = try ZoneData.zones(in: "# comment\n\nDE,DK,NO\t+5230+01322\tEurope/Berlin\tmost of Germany\nFJ\t-1808+17825\tPacific/Fiji\n")
        #expect(zones.map(\.name) == ["Europe/Berlin", "Pacific/Fiji"])
        #expect(zones[0].countryCodes == ["DE", "DK", "NO"])
        #expect(zones[0].comments == "most of Germany")
        #expect(zones[1].comments == nil)
        #expect(zones[1].areaName == "Pacific")
    }

    @Test("A broken line is named with its number")
    func broken() {
        #expect(throws: ZoneDataError.malformed(file: "zone1970.tab", line: 2, text: "DE\tnowhere\tEurope/Berlin")) {
            try ZoneData.zones(in: "# comment\nDE\tnowhere\tEurope/Berlin\n")
        }
    }

    @Test("Missing tables say which package brings them")
    func missing() {
        let error = #expect(throws: ZoneDataError.self) { try ZoneData(folder: URL(fileURLWithPath: "/nonexistent")) }
        #expect(error?.localizedDescription.contains("tzdata") == true)
    }
}
