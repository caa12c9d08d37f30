import CoreDataSQLStorage
import CoreDataStorage
import Foundation
import SQLiteDriver

/// `coredata check STORE`.
enum CheckCommand: Command {
    static let spec = CommandSpec(
        path: ["check"], summary: "look for damage in a store, and repair what is safe to",
        operands: [OperandSpec("STORE", "the store’s file")],
        options: [.model, OptionSpec("repair", "put right what the store itself proves, after a backup whose path is printed")],
        details: [
            "Looks at: SQLite’s own integrity; keys that lead to no row or to a row of another entity; join rows; one-to-ones whose sides "
                + "disagree; Z_MAX below a row’s key; entity numbers nobody knows; version hashes, digest and checksum; tables and columns "
                + "that are gone; values of another type than their attribute’s, values the model requires, wants unique or has a rule for; "
                + "places in ordered relationships; files of binary values that are missing, empty or belong to no row; archives and URIs that are "
                + "none; derived values that are out of date; the model the store keeps, and the indexes of unique values.",
            "Exit code 0: nothing found. 1: something found (after --repair: something is left).",
            "--repair sets Z_MAX to the highest key of a row, empties optional to-ones that lead nowhere, deletes join rows whose ends are "
                + "gone, notes down the right entity of to-ones, and completes one-to-ones of which one side is empty. The keys that led "
                + "nowhere are in the backup only. It deletes no row of an entity, no value of an attribute and no file, looks again before "
                + "anything is kept, and undoes everything if that shows more than before. It does nothing without the very model of the "
                + "store, while Z_PRIMARYKEY does not fit that model, to a store with triggers of somebody else, and to one with "
                + "persistent history, which would not know of it.",
        ],
        examples: ["coredata check App.sqlite", "coredata check App.sqlite --repair"])

    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        let path = arguments.operands[0]
        let repairs = arguments.flag("repair")
        var look = try check(path, arguments, console)
        let obstacle = try RepairObstacle.find(path) ?? look.doubt
        if obstacle != nil { look.findings = look.findings.map(\.withoutRepair) }
        if !console.isJSON { try show(look, console) }
        var repair = StoreRepair()
        if repairs, look.findings.contains(where: { $0.kind == "integrity" }) {
            try console.warn("nothing was repaired: the database itself is damaged. Restore a backup, or save what is readable with "
                + "“coredata export” or sqlite3’s .recover.")
        } else if repairs, let obstacle, !look.findings.isEmpty {
            try console.warn("nothing was repaired: \(obstacle)")
        } else if repairs, look.findings.contains(where: { !$0.repair.isEmpty }) {
            repair = try StoreRepair.run(path, model: arguments.value("model"))
            if let backup = repair.backup {
                try console.note("The store as it was is kept in \(backup)")
                look = try check(path, arguments, console)
                if !console.isJSON {
                    try console.output.line("\nAfter the repair:")
                    try show(look, console)
                }
            }
        }
        if console.isJSON {
            let found = repair.backup == nil ? look.findings : repair.found
            try console.print(.object([
                "path": .string(path), "findings": .array(look.findings.map(\.json)),
                "found": repairs ? .array(found.map { $0.json(isRepaired: repair.isRepaired($0)) }) : nil,
                "repaired": .count(found.count(where: repair.isRepaired)),
                "notLookedAt": .array(look.notLookedAt.map(JSONValue.string)),
                "backup": repair.backup.map(JSONValue.string),
            ]))
        }
        return look.findings.isEmpty ? .done : .findings
    }

    /// What was seen of a store.
    private struct Look {
        var findings: [Finding]
        var notLookedAt: [String] = []
        /// What would show the rest.
        var advice = ""
        /// Why nothing of it can be repaired; nil when all that is safe to can be.
        var doubt: String?
    }

    private static func check(_ path: String, _ arguments: Arguments, _ console: Console) throws -> Look {
        let file: StoreFile
        do { file = try StoreFile(path) } catch StoreError.notACoreDataStore(_, let reason) where isDamaged(path) {
            return Look(findings: [broken(reason)], notLookedAt: [everythingElse])
        }
        defer { file.connection.close() }
        let damage = try StoreCheck.integrity(file)
        let session: StoreSession, kept = StoreCheck.keptObstacle(file.url)
        do { session = try StoreSession.checking(path, model: arguments.value("model")) } catch StoreError.notACoreDataStore(_, let reason) {
            return Look(findings: damage + [broken(reason)], notLookedAt: [everythingElse])
        } catch {
            // Too damaged to be looked at as a store: what SQLite said is all there is to say.
            if damage.isEmpty { throw error }
            return Look(findings: damage, notLookedAt: [everythingElse])
        }
        defer { session.close() }
        var check = try StoreCheck(session, file, keptObstacle: kept)
        let progress = Progress("Checking", total: 6, console: console)
        do { try check.run(progress) } catch { if damage.isEmpty { throw error } }
        try progress.finish()
        let reason = GuessedModel.reason(session.keptObstacle)
        return Look(
            findings: damage + check.findings, notLookedAt: check.notLookedAt,
            advice: session.modelIsExact ? "" : " \(reason.prefix(1).uppercased())\(reason.dropFirst()), and one was guessed from its tables: give the "
                + "store’s model with --model.", doubt: check.doubt)
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

    private static func show(_ look: Look, _ console: Console) throws {
        for finding in look.findings { for line in finding.lines(console.styles) { try console.output.line(line) } }
        let errors = look.findings.count(where: { $0.severity == .error }), warnings = look.findings.count - errors
        let nothing = look.notLookedAt.isEmpty ? "Nothing found that is wrong." : "Nothing found in what could be looked at."
        try console.output.line(look.findings.isEmpty ? console.styles.green(nothing)
            : "\(errors) \(errors == 1 ? "error" : "errors"), \(warnings) \(warnings == 1 ? "warning" : "warnings")")
        if !look.notLookedAt.isEmpty { try console.output.line("Not looked at: \(look.notLookedAt.joined(separator: "; ")).\(look.advice)") }
    }
}
