import Testing
@testable import WorldClock

@Suite struct ParsingTests {
    private let countries = "# comment\nSE\tSweden\nAX\tÅland Islands\nFI\tFinland\n"

    @Test("Countries and zones are read; comments and empty lines are not")
    func tables() throws {
        let tables = try ZoneTables(
            iso3166: countries,
            zone1970: "# comment\n#@\tFI\tno zone\n\nFI,AX\t+6010+02458\tEurope/Helsinki\nSE\t+5920+01803\tAtlantic/Stock/Holm\tmost, of it\n")
        #expect(tables.countries.map(\.code) == ["SE", "AX", "FI"])
        #expect(tables.countries[1].name == "Åland Islands")
        #expect(tables.zones.map(\.name) == ["Europe/Helsinki", "Atlantic/Stock/Holm"])
        #expect(tables.zones.map(\.countryCodes) == [["FI", "AX"], ["SE"]])
        #expect(tables.zones.map(\.comments) == [nil, "most, of it"])
        #expect(tables.zones.map(\.region) == ["Europe", "Atlantic"])
        #expect(tables.zones.map(\.isAtSea) == [false, true])
    }

    @Test("Lines that end as on Windows are read")
    func carriageReturns() throws {
        let tables = try ZoneTables(iso3166: "SE\tSweden\r\n", zone1970: "SE\t+5920+01803\tEurope/Stockholm\r\n")
        #expect(tables.countries == [.init(code: "SE", name: "Sweden")])
        #expect(tables.zones.map(\.name) == ["Europe/Stockholm"])
    }

    private static let places: [(String, Double, Double)] = [
        ("+4230+00131", 42.5, 1.5166666667), ("-541612-0363204", -54.27, -36.5344444444), ("-0000+00000", 0, 0), ("+9000-18000", 90, -180),
    ]

    @Test("Coordinates are degrees, north and east positive", arguments: places)
    func coordinates(_ text: String, _ latitude: Double, _ longitude: Double) throws {
        let found = try #require(Coordinates(iso6709: text))
        #expect(abs(found.latitude - latitude) < 1e-9 && abs(found.longitude - longitude) < 1e-9)
    }

    @Test("What is no coordinates is none", arguments: [
        "", "+", "+-", "4230+00131", "+4230", "+423+00131", "+4230+0131", "+4260+00131", "+9001+00000", "+4230+18001", "+42a0+00131",
        "+４230+00131", "+423000000+00131",
    ])
    func noCoordinates(_ text: String) { #expect(Coordinates(iso6709: text) == nil) }

    @Test("A line that makes no sense is an error with file, line and reason", arguments: [
        ("SE Sweden", "", "iso3166.tab:1:"), ("SE\tSweden\nSWE\tSweden", "", "iso3166.tab:2:"), ("SE\t", "", "iso3166.tab:1:"),
        ("SE\tSweden", "SE\t+5920+01803", "zone1970.tab:1:"), ("SE\tSweden", "#\nXX\t+5920+01803\tA/B", "zone1970.tab:2: There is no country “XX”"),
        ("SE\tSweden", "SE\t5920\tA/B", "zone1970.tab:1: “5920” are no coordinates"), ("SE\tSweden", "SE\t+5920+01803\tUTC", "zone1970.tab:1: “UTC”"),
        ("SE\tSweden", "\t+5920+01803\tA/B", "zone1970.tab:1:"), ("SE\tSweden", "SE,\t+5920+01803\tA/B", "zone1970.tab:1:"),
    ])
    func errors(_ iso3166: String, _ zone1970: String, _ start: String) {
        let error = #expect(throws: TableError.self) { try ZoneTables(iso3166: iso3166, zone1970: zone1970) }
        #expect(error?.localizedDescription.hasPrefix(start) == true)
    }

    @Test("A folder without the tables names the file and the package that brings it")
    func missing() {
        let error = #expect(throws: ZoneFolder.Missing.self) { try ZoneFolder(path: "/nowhere").readTables() }
        #expect(error?.localizedDescription.contains("/nowhere/iso3166.tab is missing") == true)
        #expect(error?.localizedDescription.contains("apt-get install tzdata") == true)
    }
}
