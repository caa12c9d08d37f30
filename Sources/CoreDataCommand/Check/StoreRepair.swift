import CoreDataSQLStorage
import CoreDataStorage
import Foundation
import SQLiteDriver

/// Puts right what can be, after a backup, and looks again before it keeps anything.
///
/// Invariant: what is kept is a store of which nothing new is to be said: otherwise everything is undone.
struct StoreRepair {
    var keptObstacle: String?
    /// Path of the store as it was; nil when nothing was repaired.
    private(set) var backup: String?
    /// What was found before, under the lock that the repair held.
    private(set) var found: [Finding] = []
    /// What is left.
    private(set) var left: [Finding] = []

    /// A repair may uncover another: one row of a one-to-one, then its partner.
    private static let mostRounds = 8

    func isRepaired(_ finding: Finding) -> Bool {
        backup != nil && !finding.repair.isEmpty && !left.contains { $0.isLike(finding) && $0.count >= finding.count }
    }

    static func run(_ path: String, model: String?) throws -> StoreRepair {
        try RepairObstacle.tryLock(path)
        var repair = StoreRepair(keptObstacle: StoreCheck.keptObstacle(try StoreFile.existing(path)))
        let session = try StoreSession.repairing(path, model: model)
        defer { session.close() }
        do {
            try session.store.repair { try repair.work(session, $0) }
        } catch {
            if let backup = repair.backup { try? StoreFiles.destroy(URL(fileURLWithPath: backup)) }
            throw error
        }
        return repair
    }

    /// Whether what was done is to be kept.
    private mutating func work(_ session: StoreSession, _ connection: SQLiteConnection) throws -> Bool {
        let file = StoreFile(session.url, connection, session.store.metadata)
        found = try look(session, file)
        let rows = try StoreRepair.rows(session, connection)
        left = found
        for _ in 0..<StoreRepair.mostRounds {
            let statements = left.flatMap(\.repair)
            if statements.isEmpty || left.contains(where: { $0.kind == "integrity" }) { break }
            if backup == nil { backup = try StoreRepair.makeBackup(session.url) }
            for statement in statements { try connection.execute(statement) }
            left = try look(session, file)
        }
        if backup == nil { return false }
        let worse = left.filter { finding in !found.contains { $0.isLike(finding) && $0.count >= finding.count } }
        guard try StoreRepair.rows(session, connection) == rows else {
            throw CommandFailure(.unusable, "Nothing was repaired: rows would be lost, through a trigger that stands in the store. The store is as it was.")
        }
        guard let first = worse.first else { return true }
        throw CommandFailure(.unusable, "Nothing was repaired: afterwards there would be more wrong than before (\(first.place): \(first.message)"
            + (worse.count > 1 ? ", and \(worse.count - 1) more" : "") + "). The store is as it was.")
    }

    private func look(_ session: StoreSession, _ file: StoreFile) throws -> [Finding] {
        let damage = try StoreCheck.integrity(file)
        var check = try StoreCheck(session, file, keptObstacle: keptObstacle)
        do { try check.run(nil) } catch { if damage.isEmpty { throw error } }
        return damage + check.findings
    }

    /// How many rows each table of entities has.
    private static func rows(_ session: StoreSession, _ connection: SQLiteConnection) throws -> [String: Int64] {
        var rows: [String: Int64] = [:]
        for table in session.store.schema.tables {
            // A table that is gone has none before and after.
            rows[table.name] = (try? connection.integer("SELECT COUNT(*) FROM \(table.name)")) ?? 0
        }
        return rows
    }

    private static func makeBackup(_ url: URL) throws -> String {
        let stamp = DateText.text(Date().timeIntervalSinceReferenceDate.rounded(.down)).filter { $0.isNumber || $0 == "T" }
        let name = "\(url.deletingPathExtension().lastPathComponent).backup-\(stamp)"
        var copy = url.deletingLastPathComponent().appendingPathComponent(name + ".\(url.pathExtension.isEmpty ? "sqlite" : url.pathExtension)")
        var number = 2
        while FileManager.default.fileExists(atPath: copy.path) {
            copy = url.deletingLastPathComponent().appendingPathComponent("\(name)-\(number).sqlite")
            number += 1
        }
        try StoreFiles.copy(from: url, to: copy)
        return copy.path
    }
}
