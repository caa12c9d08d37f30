import Foundation

/// The folder with the machine's time zone database.
struct ZoneFolder {
    var path: String

    /// `TZDIR`, as the C library has it, or the usual place.
    static var ofThisMachine: ZoneFolder {
        let chosen = ProcessInfo.processInfo.environment["TZDIR"] ?? ""
        return ZoneFolder(path: chosen.isEmpty ? "/usr/share/zoneinfo" : chosen)
    }

    /// The database's tables are not there, or cannot be read.
    struct Missing: LocalizedError {
        var file: String
        var reason: String?

        var errorDescription: String? {
            """
            There is no time zone data: \(file) \(reason.map { "cannot be read (\($0))" } ?? "is missing").
            It comes with the package tzdata: sudo apt-get install tzdata (Debian, Ubuntu), \
            sudo dnf install tzdata (Fedora). If it is elsewhere, set TZDIR to its folder.
            """
        }
    }

    /// Throws `Missing`, or `TableError` for what is there and makes no sense.
    func readTables() throws -> ZoneTables {
        try ZoneTables(iso3166: read("iso3166.tab"), zone1970: read("zone1970.tab"))
    }

    private func read(_ name: String) throws -> String {
        let file = URL(fileURLWithPath: path).appendingPathComponent(name).path
        guard FileManager.default.fileExists(atPath: file) else { throw Missing(file: file) }
        do { return try String(contentsOfFile: file, encoding: .utf8) } catch {
            throw Missing(file: file, reason: error.localizedDescription)
        }
    }
}
