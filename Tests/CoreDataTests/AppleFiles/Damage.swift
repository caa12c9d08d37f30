import CoreDataTestSupport
import Foundation
import SQLiteDriver

/// One way to harm a store's files.
enum Damage: CaseIterable {
    case flips, flipsAtStart, cut, empty, pageSize, blankPage, lostLog, harmedLog, plist, modelCache, entityNumbers, values, keys

    /// Harms the files at `url`; what was done, for the record.
    func harm(_ url: URL, _ random: inout SeededGenerator) throws -> String {
        switch self {
        case .flips: return try flip(url.path, 1 + Int.random(in: 0..<40, using: &random), within: .max, &random)
        case .flipsAtStart: return try flip(url.path, 1 + Int.random(in: 0..<6, using: &random), within: 4096, &random)
        case .cut:
            return try rewrite(url.path) { bytes in
                bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
                return "cut to \(bytes.count)"
            }
        case .empty: return try rewrite(url.path) { $0 = []; return "emptied" }
        case .pageSize:
            return try rewrite(url.path) { bytes in
                let size = [0, 1, 512, 1024, 3000, 8192, 65535].randomElement(using: &random) ?? 0
                if bytes.count > 18 { (bytes[16], bytes[17]) = (UInt8(size >> 8), UInt8(size & 255)) }
                return "page size \(size)"
            }
        case .blankPage:
            return try rewrite(url.path) { bytes in
                guard bytes.count >= 8192 else { return "nothing" }
                let page = Int.random(in: 0..<bytes.count / 4096, using: &random)
                for index in page * 4096..<(page + 1) * 4096 { bytes[index] = 0 }
                return "page \(page + 1) blank"
            }
        case .lostLog:
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
            return "log removed"
        case .harmedLog:
            if !FileManager.default.fileExists(atPath: url.path + "-wal") {
                let junk = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }
                try Data(junk).write(to: URL(fileURLWithPath: url.path + "-wal"))
                return "junk as log"
            }
            return try flip(url.path + "-wal", 3, within: .max, &random)
        case .plist, .modelCache, .entityNumbers, .values, .keys: return try harmContent(url, &random)
        }
    }

    private func rewrite(_ path: String, _ change: (inout [UInt8]) -> String) throws -> String {
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let what = change(&bytes)
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        return what
    }

    private func flip(_ path: String, _ count: Int, within limit: Int, _ random: inout SeededGenerator) throws -> String {
        try rewrite(path) { bytes in
            guard !bytes.isEmpty else { return "nothing" }
            for _ in 0..<count {
                bytes[Int.random(in: 0..<min(bytes.count, limit), using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            return "\(count) flips"
        }
    }

    /// Well-formed database, senseless content.
    private func harmContent(_ url: URL, _ random: inout SeededGenerator) throws -> String {
        let connection = try SQLiteConnection(path: url.path, access: .readWrite)
        defer { connection.close() }
        func list(_ sql: String) throws -> [String] {
            try connection.withStatement(sql) { row in
                var result: [String] = []
                while try row.step() { result.append(row.text(0) ?? "") }
                return result
            }
        }
        let junk = ["NULL", "x''", "'text'", "x'62706c6973743030ff00ff'", "-1", "9223372036854775807", "1e308", "zeroblob(100)", "x'ff80'", "0"]
        func any() -> String { junk.randomElement(using: &random) ?? "NULL" }
        let sql: String
        switch self {
        case .plist:
            sql = ["UPDATE Z_METADATA SET Z_PLIST = \(any())", "UPDATE Z_METADATA SET Z_UUID = \(any())", "DELETE FROM Z_METADATA",
                   "UPDATE Z_METADATA SET Z_PLIST = substr(Z_PLIST, 1, length(Z_PLIST) / 2)"].randomElement(using: &random) ?? ""
        case .modelCache:
            guard try list("SELECT name FROM sqlite_master WHERE name = 'Z_MODELCACHE'").count == 1 else { return "no cache" }
            sql = ["UPDATE Z_MODELCACHE SET Z_CONTENT = \(any())", "DELETE FROM Z_MODELCACHE",
                   "UPDATE Z_MODELCACHE SET Z_CONTENT = substr(Z_CONTENT, 1, length(Z_CONTENT) - 10)"].randomElement(using: &random) ?? ""
        case .entityNumbers:
            sql = ["UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 4611686018427387904", "UPDATE Z_PRIMARYKEY SET Z_ENT = -Z_ENT",
                   "UPDATE Z_PRIMARYKEY SET Z_NAME = \(any())", "UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_ENT", "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 1",
                   "UPDATE Z_PRIMARYKEY SET Z_SUPER = 2 - Z_ENT % 2", "UPDATE Z_PRIMARYKEY SET Z_MAX = \(any())",
                   "UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 1000"].randomElement(using: &random) ?? ""
        default:
            let tables = try list("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%' AND name NOT IN ('Z_METADATA', 'Z_PRIMARYKEY', 'Z_MODELCACHE')")
            guard let table = tables.randomElement(using: &random) else { return "nothing" }
            let columns = try list("SELECT name FROM pragma_table_info('\(table)')")
            let column = self == .keys && columns.contains("Z_PK") ? "Z_PK" : columns.randomElement(using: &random) ?? "Z_PK"
            let value = column == "Z_PK" ? ["-Z_PK", "Z_PK + 4611686018427387904", "Z_PK - 1"].randomElement(using: &random) ?? "0" : any()
            sql = "UPDATE OR IGNORE \(table) SET \(column) = \(value)"
        }
        for function in ["NSCoreDataDATriggerUpdatedAffectedObjectValue", "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"] {
            try connection.register(function: function, argumentCount: -1) { $0.resultNull() }
        }
        do { try connection.execute(sql) } catch { return "nothing (\(error))" }
        return sql
    }
}
