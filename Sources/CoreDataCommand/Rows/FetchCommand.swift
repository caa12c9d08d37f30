import CoreDataPredicate
import CoreDataSQLStorage
import CoreDataSchema
import CoreDataStorage
import Foundation

/// `coredata fetch STORE ENTITY`.
enum FetchCommand: Command {
    static let spec = CommandSpec(
        path: ["fetch"], summary: "print an entity’s rows as a table, JSON or CSV",
        operands: [OperandSpec("STORE", "the store’s file"), OperandSpec("ENTITY", "the entity; its subentities’ rows come too")],
        options: [
            .model,
            OptionSpec("where", value: "PREDICATE", "rows for which this predicate holds, in the language of NSPredicate(format:)"),
            OptionSpec("sort", value: "KEY[:desc]", isRepeatable: true, "the order: a key path, “:desc” for falling; may be given several times"),
            OptionSpec("limit", value: "N", "at most so many rows"),
            OptionSpec("offset", value: "N", "leave out so many rows first"),
            OptionSpec("columns", value: "LIST", "the columns, with commas between: name,owner.name,books.@count; “*” for those shown without"),
            OptionSpec("format", value: "FORMAT", "table, json or csv; default: table, with --json json"),
            OptionSpec("only", "rows of the entity itself, not of its subentities"),
            OptionSpec("count", "print the number of rows only"),
        ],
        details: [
            "Columns follow relationships with dots: through a to-one to a value, through a to-many to a list, “@count” to a number; "
                + "“$id” is the row itself, as Entity/key. Without --columns: the row, its attributes and its to-ones.",
            "A row is written as it is printed: --where \"SELF == 'Person/6'\", \"team == 'Team/1'\", \"SELF IN {'Person/6', 'Person/7'}\"; "
                + "“$id == 6” and --sort '$id' go by its key.",
            "Dates are written and may be compared as text in ISO 8601: --where \"published > '2024-01-01'\". In JSON and CSV, decimals, "
                + "UUIDs and URIs are text and bytes are base64; a table counts bytes.",
        ],
        examples: [
            "coredata fetch App.sqlite Person --where \"name BEGINSWITH[c] 'a'\" --sort age:desc --limit 10",
            "coredata fetch App.sqlite Book --columns 'title,author.name,tags.@count' --format csv > books.csv",
        ])

    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        let formats = ["table", "json", "csv"]
        let format = try arguments.choice("format", among: formats) ?? (console.isJSON ? "json" : "table")
        if console.isJSON, format != "json" { throw UsageError("--json and --format \(format) contradict each other: leave one out.", spec) }
        let session = try StoreSession.reading(arguments.operands[0], model: arguments.value("model"), takesAtomic: true)
        defer { session.close() }
        try GuessedModel.warn(session, console)
        let entity = try session.entity(arguments.operands[1])
        let plan = try plan(arguments, entity, session)
        if arguments.flag("count") {
            var plan = plan
            plan.result = .count
            guard case .count(let count) = try session.store.fetch(plan) else { return .unusable }
            try console.output.line(String(count))
            return .done
        }
        let columns = try ColumnPath.list(arguments.value("columns") ?? "*", of: entity, in: session.model)
        let reader = ColumnReader(session: session, columns: columns, countsBytes: format == "table")
        let writer: any RowWriting = switch format {
        case "json": JSONRowWriter(columns, console)
        case "csv": CSVRowWriter(columns, console)
        default: TableRowWriter(columns, console)
        }
        try writer.begin()
        try portions(plan, session) { try writer.write(try reader.read($0)) }
        try writer.end()
        return .done
    }

    static func plan(_ arguments: Arguments, _ entity: ResolvedEntity, _ session: StoreSession) throws -> FetchPlan {
        var plan = FetchPlan(entity: entity.index)
        plan.includesSubentities = !arguments.flag("only")
        plan.predicate = try arguments.value("where").map { try PredicateText.read($0, entity, session) }
        plan.sort = arguments.all("sort").map { text in
            let parts = text.split(separator: ":", maxSplits: 1).map { $0 == "$id" ? "self" : String($0) }
            let isFalling = parts.count > 1 && ["desc", "descending"].contains(parts[1].lowercased())
            return SortTerm(keyPath: (parts.first ?? "").split(separator: ".").map(String.init), isAscending: !isFalling)
        }
        for text in arguments.all("sort") {
            if text.split(separator: ":").first?.isEmpty != false { throw UsageError("--sort needs a key, not an empty text.", spec) }
            let direction = text.split(separator: ":", maxSplits: 1).dropFirst().first?.lowercased() ?? "asc"
            guard ["asc", "ascending", "desc", "descending"].contains(direction) else {
                throw UsageError("--sort takes KEY, KEY:asc or KEY:desc, not “\(text)”.", spec)
            }
        }
        plan.limit = try arguments.integer("limit", minimum: 1) ?? 0
        plan.offset = try arguments.integer("offset") ?? 0
        do { try FetchPlanCheck.check(&plan, session.model) } catch { throw CommandFailure(.usage, error.description) }
        return plan
    }

    /// The rows a plan finds, some at a time; those of a whole table without ever having all their keys.
    private static func portions(_ plan: FetchPlan, _ session: StoreSession, _ body: ([RowBlock]) throws -> Void) throws {
        if plan.predicate == nil, plan.sort.isEmpty, plan.limit == 0, plan.offset == 0 {
            return try session.store.scan(plan.entity, includesSubentities: plan.includesSubentities, body)
        }
        var plan = plan
        plan.result = .keys
        guard case .keys(let keys) = try session.store.fetch(plan) else { return }
        var start = 0
        while start < keys.count {
            let part = Array(keys[start..<min(start + 500, keys.count)])
            start += part.count
            let rows = try session.store.rows(for: part, staleAfter: -1)
            let byKey = Dictionary(rows.map { ($0.key.primaryKey, $0) }) { first, _ in first }
            try body(part.compactMap { byKey[$0.primaryKey] })
        }
    }
}
