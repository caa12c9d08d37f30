import CoreDataSQLStorage
import CoreDataSchema
import CoreDataStorage
import Foundation

/// What `import` and `seed` share.
enum Importing {
    static let dataOperand = OperandSpec("DATA", "JSON, JSON lines or CSV; a folder of CSV files; “-” for standard input")

    static let options = [
        OptionSpec("format", value: "FORMAT", "json (JSON lines too) or csv; default: by the file’s name, else json"),
        OptionSpec("entity", value: "NAME", "the entity of rows that do not say; default for CSV: the file’s name"),
        OptionSpec("no-validation", "do not check values against the model’s rules"),
    ]

    static let details = [
        "JSON is what “coredata export” writes, or by hand: {\"Team\": [{\"$id\": \"red\", \"name\": \"Red\"}], \"Person\": [{\"name\": \"Ann\", "
            + "\"team\": \"red\"}]}. “$id” is any text or number and only needed where others refer to the row: as \"Entity/id\", or \"id\" "
            + "where the relationship’s destination is meant; to-manys take arrays, ordered ones keep their order. Rows may come in any "
            + "order. Either side of a relationship is enough. A property that is left out has its default value.",
        "CSV has the properties’ names in its first line; to-manys are JSON arrays or have “;” between their rows; nothing between two "
            + "commas is nil, \"\" an empty text. All text is UTF-8.",
        "All or nothing: the first value that does not fit its attribute, the model’s rules or a uniqueness constraint ends the import with "
            + "code 4, file and line, and nothing is written. An export is taken as it is: what breaks rules in it is a warning. (JSON says that "
            + "it is one; JSON lines and CSV are known by every property’s name in the order of an export.)",
        "Data is read in portions: beside the cache of the database, memory grows by some bytes a row.",
    ]

    static func source(_ path: String, _ arguments: Arguments, _ model: ResolvedModel) throws -> any ImportSource {
        var url = URL(fileURLWithPath: path), status = stat()
        guard path == "-" || stat(path, &status) == 0 else {
            throw CommandFailure(.unusable, path.isEmpty ? "DATA is an empty text: name a file." : "There is no file “\(path)”.")
        }
        let names = model.entities.map(\.name)
        if path != "-", status.st_mode & S_IFMT == S_IFDIR { return try folder(url, path, names) }
        let format = try arguments.choice("format", among: ["json", "jsonl", "csv"]) ?? (url.pathExtension.lowercased() == "csv" ? "csv" : "json")
        let name = path == "-" ? "standard input" : path
        let entity = arguments.value("entity")
        if let entity, !names.contains(entity) { _ = try EntityName.find(entity, in: model) }
        let fileName = url.deletingPathExtension().lastPathComponent
        if path == "-" {
            url = try SpooledInput.copy(.standardInput, named: name)
        } else if status.st_mode & S_IFMT != S_IFREG {
            url = try SpooledInput.copy(try FileHandle(forReadingFrom: url), named: name)
        }
        if format == "csv" {
            let entity = try entity ?? EntityName.find(fileName, in: model).name
            return CSVSource(url: url, name: name, entity: entity)
        }
        return JSONSource(url: url, name: name, entity: entity, entityNames: Set(names))
    }

    private static func folder(_ url: URL, _ path: String, _ names: [String]) throws -> any ImportSource {
        let files = try FileManager.default.contentsOfDirectory(atPath: url.path).filter { $0.hasSuffix(".csv") }.sorted()
        let sources: [CSVSource] = try files.map { file in
            let entity = String(file.dropLast(4))
            guard names.contains(entity) else {
                throw CommandFailure(.refused, "\(path)/\(file): the model has no entity “\(entity)”. \(NearestName.advice(entity, among: names))")
            }
            return CSVSource(url: url.appendingPathComponent(file), name: "\(path)/\(file)", entity: entity)
        }
        if sources.isEmpty { throw CommandFailure(.unusable, "The folder “\(path)” has no CSV files.") }
        return SourceList(name: path, sources: sources)
    }

    static func report(_ summary: Importer.Summary, _ store: String, isKept: Bool, _ console: Console) throws {
        for warning in summary.warnings { try console.warn(warning) }
        if summary.warningCount > summary.warnings.count { try console.warn("… and \(summary.warningCount - summary.warnings.count) more") }
        let counts = summary.rows.filter { $0.value > 0 }.sorted { $0.key < $1.key }
        if console.isJSON {
            try console.print(.object([
                "store": .string(store), "written": .bool(isKept), "rows": .count(summary.total),
                "updated": .count(summary.updated), "entities": .object(counts.map { .init(key: $0.key, value: .count($0.value)) }),
                "warnings": .count(summary.warningCount),
            ]))
        } else {
            try console.output.line("\(summary.total) \(summary.total == 1 ? "row" : "rows") \(isKept ? "written to" : "would be written to") \(store)"
                + (counts.isEmpty ? "" : ": " + counts.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
                + (summary.updated > 0 ? " (\(summary.updated) of them \(isKept ? "updated" : "to update"))" : ""))
        }
    }
}

/// `coredata import STORE DATA`.
enum ImportCommand: Command {
    static let spec = CommandSpec(
        path: ["import"], summary: "add rows from JSON or CSV to a store",
        operands: [OperandSpec("STORE", "the store’s file"), Importing.dataOperand],
        options: [.model, GuessedModel.option] + Importing.options + [
            OptionSpec("existing", "references to rows that the data does not have are to rows of the store, as “coredata fetch” prints them (Entity/7)"),
            OptionSpec("update", "a row whose unique values the store has already changes that row: what the data says is set, all else stays"),
            OptionSpec("dry-run", "check everything and write nothing"),
        ],
        details: Importing.details + [
            "Rows are added; those the store has stay as they are, unless --update is given: then a row is known by a uniqueness constraint of its "
                + "entity, of which it must say all values; to-manys gain members, and one-to-ones of the store’s rows cannot "
                + "change. Rows of entities without such a constraint are added, with a warning.",
            "A row of the store can be referred to by its URI: x-coredata://UUID/Entity/p7, with the "
                + "UUID that “coredata inspect” prints and the key that “coredata fetch” does (Entity/7).",
        ],
        examples: [
            "coredata import App.sqlite people.json", "coredata import App.sqlite people.json --update",
            "coredata export Old.sqlite | coredata import New.sqlite -",
        ])

    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        try requireStore(arguments.operands[0])
        try GuessedModel.refuseOrWarn(importingInto: arguments, console)
        let session = try StoreSession.writing(arguments.operands[0], model: arguments.value("model"))
        defer { session.close() }
        let source = try Importing.source(arguments.operands[1], arguments, session.model)
        let progress = Progress("Importing", console: console)
        let importer = try Importer(session, source, validates: !arguments.flag("no-validation"), takesExisting: arguments.flag("existing"),
            updates: arguments.flag("update"), progress: progress)
        let keeps = !arguments.flag("dry-run")
        let summary: Importer.Summary
        do {
            summary = try importer.run(keeps: keeps)
            if keeps, let copy = session.copy {
                try session.store.close()
                try copy.writeBack()
            }
        } catch {
            try progress.finish()
            throw error
        }
        try progress.finish()
        try Importing.report(summary, arguments.operands[0], isKept: keeps, console)
        return .done
    }
}

extension ImportCommand {
    private static func requireStore(_ path: String) throws {
        guard !path.isEmpty, !FileManager.default.fileExists(atPath: path) else { return }
        do { _ = try StoreFile.existing(path, takesAtomic: true) } catch let failure as CommandFailure {
            throw CommandFailure(failure.code, failure.message + " “coredata seed MODEL DATA -o \(path)” makes a new one.")
        }
    }
}

/// `coredata seed MODEL DATA -o STORE`.
enum SeedCommand: Command {
    static let spec = CommandSpec(
        path: ["seed"], summary: "make a new store from a model and data: the file an app ships",
        operands: [ModelInput.operand, Importing.dataOperand],
        options: [
            OptionSpec("output", short: "o", value: "STORE", "the store to make"),
            OptionSpec("force", "replace a store that is there"),
            OptionSpec("configuration", value: "NAME", "make a store of this configuration of the model"),
            ModelInput.versionOption, GuessedModel.option,
        ] + Importing.options,
        details: Importing.details + ["The store is one file, without -wal or -shm, and a folder of long binary values if there are any."],
        examples: ["coredata seed Shop.xcdatamodeld products.json -o Shop.sqlite"])

    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        let path = try arguments.required("output")
        let url = try OutputPlace.store(path, inputs: Array(arguments.operands.prefix(2)))
        let input = try ModelInput.load(arguments.operands[0], version: arguments.value("version"))
        if !input.isExact { try GuessedModel.refuseOrWarn(seedingFrom: arguments, console) }
        let model = try input.resolved()
        try input.warnOfMistakes(console)
        try refuseFile(url, path, arguments)
        let source = try Importing.source(arguments.operands[1], arguments, model)
        // A folder of its own beside the place: all the store's files go with it when it is not finished.
        let folder = url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent)-\(UUID().uuidString.prefix(8)).part")
        let putAway: @Sendable () -> Void = { TemporaryStore.remove(folder) }
        let summary = try Interruption.shared.guarding(putAway: putAway) {
            guard mkdir(folder.path, 0o777) == 0 else {
                throw CommandFailure(.unusable, "“\(path)” cannot be written: \(String(cString: strerror(errno))).")
            }
            return try fill(folder.appendingPathComponent(url.lastPathComponent), input, model, source, arguments, console)
        } finish: { summary in
            try refuseFile(url, path, arguments)
            try StoreFiles.replace(url, with: folder.appendingPathComponent(url.lastPathComponent))
            putAway()
            return summary
        }
        try Importing.report(summary, path, isKept: true, console)
        return .done
    }

    private static func refuseFile(_ url: URL, _ path: String, _ arguments: Arguments) throws {
        guard FileManager.default.fileExists(atPath: url.path), !arguments.flag("force") else { return }
        throw CommandFailure(.unusable, "There is a file “\(path)” already. Say --force to replace it, or use “coredata import” to add to it.")
    }

    private static func fill(
        _ url: URL, _ input: ModelInput, _ model: ResolvedModel, _ source: any ImportSource, _ arguments: Arguments, _ console: Console
    ) throws -> Importer.Summary {
        var options = SQLiteStoreOptions()
        options.pragmas["temp_store"] = "FILE"
        options.versionHashes = input.recordedHashes
        try KeptModel.keep(model, of: input, in: &options, console)
        let store = try SQLiteRowStore.open(url, model: model, configuration: arguments.value("configuration"), options: options)
        let session = StoreSession(url: url, model: model, store: store, modelOrigin: arguments.operands[0], modelIsExact: true, modelIsProven: true)
        defer { session.close() }
        let progress = Progress("Writing", console: console)
        let importer = try Importer(session, source, validates: !arguments.flag("no-validation"), progress: progress)
        do {
            let summary = try importer.run(keeps: true)
            try progress.finish()
            return summary
        } catch {
            try? progress.finish()
            throw error
        }
    }
}
