import CoreDataSQLStorage
import CoreDataStorage
import Foundation
import SQLiteDriver

/// `coredata check STORE`.
enum CheckCommand: Command {
    static let spec = CommandSpec(
        path: ["check"], summary: "look for damage in a store, and repair what is safe to",
        operands: [OperandSpec("STORE", "the store’s file")],
        options: [.model, OptionSpec("repair", "put right what can be without losing anything, after a backup whose path is printed")],
        details: [
            "Looks at: SQLite’s own integrity; keys that lead to no row or to a row of another entity; join rows; one-to-ones whose sides "
                + "disagree; Z_MAX below a row’s key; entity numbers nobody knows; version hashes, digest and checksum; tables and columns "
                + "that are gone; values of another type than their attribute’s, values the model requires, wants unique or has a rule for; "
                + "places in ordered relationships; files of binary values that are missing, empty or belong to no row.",
            "Exit code 0: nothing found. 1: something found (after --repair: something is left).",
            "--repair raises Z_MAX, empties optional to-ones that lead nowhere, deletes join rows whose ends are gone, notes down the right "
                + "entity of to-ones, and completes one-to-ones of which one side is empty. It never deletes a row of an entity, a value "
                + "or a file, and does nothing to a store with persistent history, which would not know of it.",
        ],
        examples: ["coredata check App.sqlite", "coredata check App.sqlite --repair"])

    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        let path = arguments.operands[0]
        let repairs = arguments.flag("repair")
        var (findings, notLookedAt) = try check(path, arguments, console)
        let obstacle = try RepairObstacle.find(path)
        if obstacle != nil { findings = findings.map(\.withoutRepair) }
        if !console.isJSON { try show(findings, notLookedAt, console) }
        var backup: String?, repaired = 0
        let statements = findings.flatMap(\.repair)
        if repairs, let obstacle, !findings.isEmpty { try console.warn("nothing was repaired: \(obstacle)") } else
        if repairs, !statements.isEmpty, !findings.contains(where: { $0.kind == "integrity" }) {
            try RepairObstacle.tryLock(path)
            let copy = try makeBackup(path)
            do { try repair(statements, path, arguments) } catch {
                try? StoreFiles.destroy(URL(fileURLWithPath: copy))
                throw error
            }
            backup = copy
            try console.note("The store as it was is kept in \(copy)")
            repaired = findings.count(where: { !$0.repair.isEmpty })
            (findings, notLookedAt) = try check(path, arguments, console)
            if !console.isJSON {
                try console.output.line("\nAfter the repair:")
                try show(findings, notLookedAt, console)
            }
        } else if repairs, findings.contains(where: { $0.kind == "integrity" }) {
            try console.warn("nothing was repaired: the database itself is damaged. Restore a backup, or save what is readable with "
                + "“coredata export” or sqlite3’s .recover.")
        }
        if console.isJSON {
            try console.print(.object([
                "path": .string(path), "findings": .array(findings.map(\.json)), "repaired": .count(repaired),
                "notLookedAt": .array(notLookedAt.map(JSONValue.string)),
                "backup": backup.map(JSONValue.string),
            ]))
        }
        return findings.isEmpty ? .done : .findings
    }

    private static func repair(_ statements: [String], _ path: String, _ arguments: Arguments) throws {
        let session = try StoreSession.repairing(path, model: arguments.value("model"))
        defer { session.close() }
        try session.store.repair(statements)
    }

    private static func check(
        _ path: String, _ arguments: Arguments, _ console: Console
    ) throws -> (findings: [Finding], notLookedAt: [String]) {
        let file: StoreFile
        do { file = try StoreFile(path) } catch StoreError.notACoreDataStore(_, let reason) where isDamaged(path) {
            return ([broken(reason)], [everythingElse])
        }
        defer { file.connection.close() }
        let damage = try StoreCheck.integrity(file)
        let session: StoreSession
        do { session = try StoreSession.checking(path, model: arguments.value("model")) } catch StoreError.notACoreDataStore(_, let reason) {
            return (damage + [broken(reason)], [everythingElse])
        } catch {
            // Too damaged to be looked at as a store: what SQLite said is all there is to say.
            if damage.isEmpty { throw error }
            return (damage, [everythingElse])
        }
        defer { session.close() }
        var check = try StoreCheck(session, file)
        let progress = Progress("Checking", total: 6, console: console)
        do { try check.run(progress) } catch { if damage.isEmpty { throw error } }
        try progress.finish()
        return (damage + check.findings, check.notLookedAt)
    }

    private static let everythingElse = "everything else"

    private static func broken(_ reason: String) -> Finding {
        Finding(kind: "missing", severity: .error, place: "store", message: reason, count: 1)
    }

    /// Whether a database that is no whole store was one: it still has a table that every store has.
    private static func isDamaged(_ path: String) -> Bool {
        guard let connection = try? TracelessReading.connect(path) else { return false }
        defer { connection.close() }
        let count = try? connection.integer("SELECT COUNT(*) FROM sqlite_master WHERE name IN ('Z_METADATA', 'Z_PRIMARYKEY')")
        return (count ?? nil ?? 0) > 0
    }

    private static func show(_ findings: [Finding], _ notLookedAt: [String], _ console: Console) throws {
        for finding in findings { for line in finding.lines(console.styles) { try console.output.line(line) } }
        let errors = findings.count(where: { $0.severity == .error }), warnings = findings.count - errors
        let nothing = notLookedAt.isEmpty ? "Nothing found that is wrong." : "Nothing found in what could be looked at."
        try console.output.line(findings.isEmpty ? console.styles.green(nothing)
            : "\(errors) \(errors == 1 ? "error" : "errors"), \(warnings) \(warnings == 1 ? "warning" : "warnings")")
        if notLookedAt.isEmpty { return }
        let advice = notLookedAt == [everythingElse] ? "" : " The store keeps no model, and one was guessed from its tables: give the store’s model "
            + "with --model."
        try console.output.line("Not looked at: \(notLookedAt.joined(separator: "; ")).\(advice)")
    }

    private static func makeBackup(_ path: String) throws -> String {
        let url = URL(fileURLWithPath: path).standardizedFileURL
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
