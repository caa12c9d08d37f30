import CoreData
import CoreDataSQLStorage
import CoreDataStorage
import Foundation
import SQLiteDriver

/// What `coredata inspect` tells of a store: read from the file alone, whatever its model.
struct StoreSummary {
    struct Entity {
        let name: String
        let number: Int64
        let parent: String?
        /// nil when its table is missing or damaged.
        let rows: Int?
        let isDamaged: Bool
        /// Highest key given out, of root entities.
        let highestKey: Int64?
    }

    struct History {
        let transactions: Int
        let changes: Int
        let first: Double?
        let last: Double?
    }

    let file: StoreFile
    private(set) var entities: [Entity] = []
    private(set) var history: History?
    let journalMode: String
    let pageSize: Int
    let pageCount: Int
    let freePages: Int
    let hasModelCache: Bool
    /// Whether the model kept is one that can be used: whole, and that of the tables.
    let isModelUsable: Bool
    /// What keeps the model somebody named from being kept.
    var modelObstacle: String?
    /// Bytes by part: the database, `-wal`, `-shm`.
    let sizes: [(suffix: String, bytes: Int)]
    let externalFiles: (count: Int, bytes: Int)

    init(_ file: StoreFile) throws {
        self.file = file
        let connection = file.connection
        sizes = ["", "-wal", "-shm", "-journal"].compactMap { suffix in
            StoreSummary.size(file.url.path + suffix).map { (suffix, $0) }
        }
        journalMode = try StoreSummary.journalMode(file.url)
        pageSize = Int(try connection.integer("PRAGMA page_size") ?? 0)
        pageCount = Int(try connection.integer("PRAGMA page_count") ?? 0)
        freePages = Int(try connection.integer("PRAGMA freelist_count") ?? 0)
        hasModelCache = try file.hasTable("Z_MODELCACHE")
            && connection.integer("SELECT COUNT(*) FROM Z_MODELCACHE WHERE length(Z_CONTENT) > 0") ?? 0 > 0
        isModelUsable = hasModelCache && (try? StoredModel(file.url).source) == .modelCache
        let external = FileManager.default.subpaths(atPath: file.externalFolder.path) ?? []
        let bytes = external.compactMap { StoreSummary.size(file.externalFolder.appendingPathComponent($0).path) }
        externalFiles = (bytes.count, bytes.reduce(0, +))
        try readEntities()
        try readHistory()
    }

    /// nil for what is no file.
    private static func size(_ path: String) -> Int? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular else { return nil }
        return attributes?[.size] as? Int
    }

    /// What the header says: the connection reads in a mode of its own.
    private static func journalMode(_ url: URL) throws -> String {
        let handle = try FileHandle(forReadingFrom: url)
        defer { try? handle.close() }
        let head = try handle.read(upToCount: 20) ?? Data()
        return head.count == 20 && head[head.startIndex + 18] == 2 ? "wal" : "rollback"
    }

    private mutating func readEntities() throws {
        let connection = file.connection
        var listed: [(number: Int64, name: String, parent: Int64, highest: Int64)] = []
        try connection.withStatement("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT") { row in
            while try row.step() { listed.append((row.integer(0), row.text(1) ?? "", row.integer(2), row.integer(3))) }
        }
        // Above are the entities of history and the like, which the summary tells of apart.
        listed.removeAll { $0.number >= 16000 }
        let names = Dictionary(listed.map { ($0.number, $0.name) }) { first, _ in first }
        let parents = Dictionary(listed.map { ($0.number, $0.parent) }) { first, _ in first }
        func root(_ number: Int64) -> Int64 {
            var current = number
            for _ in listed { if let parent = parents[current], parent != 0, parent != current { current = parent } else { break } }
            return current
        }
        let branching = Set(listed.map(\.parent))
        var counts: [Int64: [Int64: Int]] = [:], damaged: Set<Int64> = []
        for entity in listed where entity.parent == 0 {
            let table = "Z" + entity.name.uppercased()
            guard try file.hasTable(table) else { continue }
            var found: [Int64: Int] = [:]
            do {
                if branching.contains(entity.number) {
                    try connection.withStatement("SELECT Z_ENT, COUNT(*) FROM \(StoreFile.quoted(table)) GROUP BY Z_ENT") { row in
                        while try row.step() { found[row.integer(0)] = Int(row.integer(1)) }
                    }
                } else {
                    found[entity.number] = Int(try connection.integer("SELECT COUNT(*) FROM \(StoreFile.quoted(table))") ?? 0)
                }
                counts[entity.number] = found
            } catch let error as SQLiteError where error.isNotADatabase {
                // The other tables may be whole.
                damaged.insert(entity.number)
            }
        }
        entities = listed.map { entity in
            Entity(
                name: entity.name, number: entity.number, parent: names[entity.parent],
                rows: counts[root(entity.number)].map { $0[entity.number] ?? 0 }, isDamaged: damaged.contains(root(entity.number)),
                highestKey: entity.parent == 0 ? entity.highest : nil)
        }
    }

    private mutating func readHistory() throws {
        guard try file.hasTable("ATRANSACTION"), try file.hasTable("ACHANGE") else { return }
        let connection = file.connection
        let span = try connection.withStatement("SELECT COUNT(*), MIN(ZTIMESTAMP), MAX(ZTIMESTAMP) FROM ATRANSACTION") { row in
            try row.step() ? (Int(row.integer(0)), row.isNull(1) ? nil : row.real(1), row.isNull(2) ? nil : row.real(2)) : (0, nil, nil)
        }
        history = History(
            transactions: span.0, changes: Int(try connection.integer("SELECT COUNT(*) FROM ACHANGE") ?? 0), first: span.1, last: span.2)
    }
}
