import CoreDataModelFile
import CoreDataSchema
import Foundation

/// `coredata model diff MODEL [MODEL]`.
enum ModelDiffCommand: Command {
    static let spec = CommandSpec(
        path: ["model", "diff"], summary: "tell what changed between two models or versions, and whether migration can be inferred",
        operands: [ModelInput.operand, OperandSpec("MODEL", "the newer model; left out: another version of the first", isOptional: true)],
        options: [
            OptionSpec("from", value: "NAME", "the older version; default: the one before --to, or the current one of the first model"),
            OptionSpec("to", value: "NAME", "the newer version; default: the current one"),
        ],
        details: [
            "A store is opened without migration when all version hashes are equal. Otherwise the rules of lightweight migration are gone "
                + "through; parts are matched by renaming identifier, then by name.",
            "Exit code 1 when there is a difference.",
        ],
        examples: ["coredata model diff Shop.xcdatamodeld", "coredata model diff Shop.xcdatamodeld --from Shop --to 'Shop 3'",
                   "coredata model diff Old.momd New.xcdatamodeld --json"])

    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        let (old, new) = try inputs(arguments)
        let difference = ModelDifference(from: old.schema, to: new.schema)
        let hashes = (try old.hashes(), try new.hashes())
        let changed = Set(hashes.0.keys).union(hashes.1.keys).filter { hashes.0[$0] != hashes.1[$0] }.sorted()
        if console.isJSON {
            try console.print(.object([
                "from": .string("\(old.url.lastPathComponent), \(old.version)"), "to": .string("\(new.url.lastPathComponent), \(new.version)"),
                "needsMigration": .bool(!changed.isEmpty), "isInferable": .bool(difference.obstacles.isEmpty),
                "changedHashes": .array(changed.map(JSONValue.string)),
                "changes": .array(difference.changes.map { change in
                    .object([
                        "kind": .string(change.kind.rawValue), "place": .string(change.place), "text": .string(change.text),
                        "obstacle": change.obstacle.map(JSONValue.string),
                    ])
                }),
            ]))
        } else {
            try show(difference, changed, console)
        }
        return difference.changes.isEmpty && changed.isEmpty ? .done : .findings
    }

    private static func inputs(_ arguments: Arguments) throws -> (ModelInput, ModelInput) {
        let first = arguments.operands[0]
        if let second = arguments.operand(1) {
            return (try ModelInput.load(first, version: arguments.value("from")), try ModelInput.load(second, version: arguments.value("to")))
        }
        if let from = arguments.value("from"), let to = arguments.value("to") {
            return (try ModelInput.load(first, version: from), try ModelInput.load(first, version: to))
        }
        let known = try ModelFile.versions(at: URL(fileURLWithPath: first).standardizedFileURL)
        let to = try arguments.value("to") ?? known.current ?? ModelInput.load(first).currentVersion
        // In the order in which people number versions: “Shop 2” before “Shop 10”.
        let names = known.names.sorted { $0.compare($1, options: [.numeric, .caseInsensitive]) == .orderedAscending }
        guard let from = arguments.value("from") ?? names.last(where: {
            $0 != to && $0.compare(to, options: [.numeric, .caseInsensitive]) == .orderedAscending
        }) ?? names.first(where: { $0 != to }) else {
            throw UsageError("“\(first)” has one version only: name another model to compare it with.", spec)
        }
        return (try ModelInput.load(first, version: from), try ModelInput.load(first, version: to))
    }

    private static func show(_ difference: ModelDifference, _ changed: [String], _ console: Console) throws {
        let style = console.styles
        for change in difference.changes {
            let mark = switch change.kind {
            case .added: style.green("+")
            case .removed: style.red("-")
            case .renamed, .changed: style.yellow("~")
            }
            try console.output.line("\(mark) \(style.bold(change.place))  \(change.text)"
                + (change.obstacle.map { "  " + style.red("(not inferable: \($0))") } ?? ""))
        }
        if !difference.changes.isEmpty { try console.output.line() }
        if changed.isEmpty {
            try console.output.line("No migration is needed: all version hashes are equal.")
        } else if difference.obstacles.isEmpty {
            try console.output.line("Migration can be inferred. Version hashes that differ: \(changed.joined(separator: ", ")).")
        } else {
            try console.output.line("Migration cannot be inferred: a mapping model is needed, or another change. In the way: "
                + difference.obstacles.map(\.place).joined(separator: ", ") + ".")
        }
    }
}
