import CoreDataModelFile
import Foundation

/// `coredata inspect STORE`.
enum InspectCommand: Command {
    static let spec = CommandSpec(
        path: ["inspect"], summary: "tell what a store holds and how it was made",
        operands: [OperandSpec("STORE", "the store’s file")],
        options: [OptionSpec("model", value: "MODEL", "tell whether this is the store’s model, and why it is not kept")],
        details: [
            "Lists the entities with their rows (subentities apart), the store’s UUID, the version of the framework and of the model it was "
                + "written with, its files and their sizes, its journal, its persistent history and its metadata. The model is not needed.",
            "Of a binary or XML store only its metadata can be told without the model.",
            "The store is opened for reading only; nothing is made beside it, and what a -wal beside it holds counts.",
        ],
        examples: ["coredata inspect App.sqlite", "coredata inspect App.sqlite --json | jq '.entities[] | select(.rows > 0)'"])

    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        if let source = try AtomicCopy.Source(StoreFile.existing(arguments.operands[0], takesAtomic: true)) {
            let summary = try AtomicSummary(source, path: arguments.operands[0], model: arguments.value("model"))
            if console.isJSON { try console.print(summary.json) } else { for line in summary.lines(console.styles) { try console.output.line(line) } }
            return .done
        }
        var summary = try StoreSummary(try StoreFile(arguments.operands[0]))
        var misfits: [String] = []
        if let model = arguments.value("model") {
            misfits = try ModelInput.fitting(model, store: summary.file.url).misfits(with: summary.file.metadata)
        }
        if !summary.hasModelCache, let model = arguments.value("model") {
            let input = try ModelInput.fitting(model, store: summary.file.url)
            summary.modelObstacle = ArchivedModelWriter.obstacle(in: try input.resolved())
        }
        if console.isJSON {
            try console.print(summary.json)
        } else {
            for line in summary.lines(console.styles) { try console.output.line(line) }
        }
        if misfits.isEmpty { return .done }
        try console.warn("the store was not made with “\(arguments.value("model") ?? "")”: \(misfits.joined(separator: "; "))")
        return .findings
    }
}
