import CoreDataSQLStorage
import CoreDataStorage
import Foundation

/// `coredata check STORE`.
enum CheckCommand: Command {
    static let spec = CommandSpec(
        path: ["check"], summary: "look for damage in a store, and repair what is safe to",
        operands: [OperandSpec("STORE", "the store’s file")],
        options: [.model, OptionSpec("repair", "put right what can be without losing anything, after a backup whose path is printed")],
        details: [
            "Looks at: SQLite’s own integrity; keys that lead to no row or to a row of another entity; join rows; one-to-ones whose sides "
                + "disagree; Z_MAX below a row’s key; entity numbers nobody knows; version hashes, digest and checksum; values the model "
                + "requires or wants unique; files of binary values that are missing or belong to no row.",
            "Exit code 0: nothing found. 1: something found (after --repair: something is left).",
            "--repair raises Z_MAX, empties optional to-ones that lead nowhere, deletes join rows whose ends are gone, notes down the right "
                + "entity of to-ones, and completes one-to-ones of which one side is empty. It never deletes a row of an entity, a value "
                + "or a file.",
        ],
        examples: ["coredata check App.sqlite", "coredata check App.sqlite --repair"])

    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        let path = arguments.operands[0]
        let repairs = arguments.flag("repair")
        var (findings, notLookedAt) = try check(path, arguments, console)
        if !console.isJSON { try show(findings, notLookedAt, console) }
        var backup: String?, repaired = 0
        let statements = findings.flatMap(\.repair)
        if repairs, !statements.isEmpty, !findings.contains(where: { $0.kind == "integrity" }) {
            let copy = try makeBackup(path)
            backup = copy
            try console.note("The store as it was is kept in \(copy)")
            let session = try StoreSession.writing(path, model: arguments.value("model"))
            defer { session.close() }
            try session.store.repair(statements)
            repaired = findings.count(where: { !$0.repair.isEmpty })
            session.close()
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

    private static func check(
        _ path: String, _ arguments: Arguments, _ console: Console
    ) throws -> (findings: [Finding], notLookedAt: [String]) {
        let file = try StoreFile(path)
        defer { file.connection.close() }
        let damage = try StoreCheck.integrity(file)
        let session: StoreSession
        do { session = try StoreSession.reading(path, model: arguments.value("model")) } catch {
            // Too damaged to be looked at as a store: what SQLite said is all there is to say.
            if damage.isEmpty { throw error }
            return (damage, [])
        }
        defer { session.close() }
        var check = StoreCheck(session, file)
        let progress = Progress("Checking", total: 6, console: console)
        do { try check.run(progress) } catch { if damage.isEmpty { throw error } }
        try progress.finish()
        return (damage + check.findings, check.notLookedAt)
    }

    private static func show(_ findings: [Finding], _ notLookedAt: [String], _ console: Console) throws {
        for finding in findings { for line in finding.lines(console.styles) { try console.output.line(line) } }
        let errors = findings.count(where: { $0.severity == .error }), warnings = findings.count - errors
        let nothing = notLookedAt.isEmpty ? "Nothing found that is wrong." : "Nothing found in what could be looked at."
        try console.output.line(findings.isEmpty ? console.styles.green(nothing)
            : "\(errors) \(errors == 1 ? "error" : "errors"), \(warnings) \(warnings == 1 ? "warning" : "warnings")")
        if notLookedAt.isEmpty { return }
        try console.output.line("Not looked at: \(notLookedAt.joined(separator: "; ")). The store keeps no model, and one was guessed from its "
            + "tables: give the store’s model with --model.")
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
