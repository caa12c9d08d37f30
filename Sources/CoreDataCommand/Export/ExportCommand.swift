import CoreDataSQLStorage
import CoreDataSchema
import CoreDataStorage
import Foundation

/// `coredata export STORE`.
enum ExportCommand: Command {
    static let spec = CommandSpec(
        path: ["export"], summary: "write a store’s rows with their relationships as JSON or CSV",
        operands: [OperandSpec("STORE", "the store’s file")],
        options: [
            .model,
            OptionSpec("output", short: "o", value: "FILE", "write there instead of to standard output; for CSV a folder, or of one entity NAME.csv"),
            OptionSpec("force", "replace files that are there"),
            OptionSpec("entity", value: "NAME", isRepeatable: true, "this entity’s rows only; may be given several times"),
            OptionSpec("format", value: "FORMAT", "json (default), jsonl (a row a line) or csv (a file an entity)"),
            OptionSpec("all-relationships", "write each link on both sides"),
        ],
        details: [
            "JSON is one object with an array for each entity: {\"$coredata\": {\"version\": 1}, \"Person\": [{\"$id\": 1, \"name\": \"Ann\", "
                + "\"team\": \"Team/7\"}, …]}, one row a line, subentities apart from their parents. JSON lines have the entity in each row: "
                + "{\"$entity\": \"Person\", \"$id\": 1, …}.",
            "Rows are named Entity/key. Each link is written once: at the to-one, at the ordered to-many, or of two unordered to-manys at the "
                + "one whose name comes first. Values read back exactly: dates are ISO 8601 to the last digit, decimals, URIs and UUIDs "
                + "texts, bytes base64, transformables the base64 of their archive.",
            "Exit code 1: something is missing in what was written, and standard error says what: files that are gone, rows of no entity, "
                + "values of another type than their attribute’s (“coredata check” tells more), tables and columns the store lacks.",
            "Rows are read in portions: beside the cache of the database, memory grows by some bytes a row. “coredata import” and “coredata seed” read all three forms.",
        ],
        examples: [
            "coredata export App.sqlite -o app.json", "coredata export App.sqlite --entity Person --format jsonl | wc -l",
            "coredata export App.sqlite --format csv -o tables/",
        ])

    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        let format = try arguments.choice("format", among: ["json", "jsonl", "csv"]) ?? "json"
        let output = try ExportOutput(arguments, format: format, console)
        let isAtomic = try AtomicCopy.Source(StoreFile.existing(arguments.operands[0], takesAtomic: true)) != nil
        let file = isAtomic ? nil : try StoreFile(arguments.operands[0])
        defer { file?.connection.close() }
        let session = try StoreSession.rescuing(arguments.operands[0], model: arguments.value("model"))
        defer { session.close() }
        try GuessedModel.warn(session, console)
        if !session.missing.isEmpty {
            try console.warn("left out, for the store lacks what its model needs: \(session.missing.joined(separator: ", "))")
        }
        let named = try arguments.all("entity").map { try session.entity($0).index }
        let entities = session.entities.filter { !$0.isAbstract && (named.isEmpty || named.contains($0.index)) }
        let plans = entities.map { ExportPlan($0, session, allRelationships: arguments.flag("all-relationships")) }
        let doubts = try file.map { try ExportDoubts.find(session, $0, entities) } ?? []
        let progress = Progress("Exporting", total: nil, console: console)
        var missing: [String] = []
        if format == "csv" {
            missing = try CSVExport(session, plans, output).run(progress)
        } else {
            missing = try output.write { try export(plans, session, asLines: format == "jsonl", to: $0, progress) }
        }
        try progress.finish()
        if console.isJSON, let path = arguments.value("output"), !output.isStandardOutput {
            try console.print(.object([
                "path": .string(path), "format": .string(format), "rows": .count(progress.count), "missingFiles": .count(missing.count(where: { $0.hasPrefix("a value") })),
                "inexact": .array((session.missing + doubts + missing).map(JSONValue.string)),
            ]))
        }
        for doubt in doubts { try console.warn(doubt) }
        for loss in missing.prefix(5) { try console.warn(loss) }
        if missing.count > 5 { try console.warn("… and \(missing.count - 5) more") }
        return missing.isEmpty && doubts.isEmpty && session.missing.isEmpty ? .done : .findings
    }

    private static func export(
        _ plans: [ExportPlan], _ session: StoreSession, asLines: Bool, to output: TextOutput, _ progress: Progress
    ) throws -> [String] {
        var missing: [String] = []
        if !asLines { try output.write("{\n\"$coredata\":{\"version\":1}") }
        for plan in plans {
            let encoder = RowEncoder(plan, session, namesEntity: asLines)
            var isFirst = true
            try encoder.rows { rows in
                let members = try encoder.members(of: rows)
                for (index, row) in rows.enumerated() {
                    try output.append { bytes in
                        if !asLines {
                            if isFirst {
                                bytes.append(contentsOf: ",\n".utf8)
                                JSONText.write(plan.entity.name, to: &bytes)
                                bytes.append(contentsOf: ":[\n".utf8)
                            } else {
                                bytes.append(contentsOf: ",\n".utf8)
                            }
                        }
                        encoder.write(row, index, members, to: &bytes)
                        if asLines { bytes.append(10) }
                    }
                    isFirst = false
                }
                try progress.advance(rows.count)
            }
            if !asLines, !isFirst { try output.write("\n]") }
            missing += encoder.losses
        }
        if !asLines { try output.write("\n}\n") }
        return missing
    }
}
