import CoreDataSchema
import Foundation

/// `coredata model diagram MODEL`.
enum ModelDiagramCommand: Command {
    static let spec = CommandSpec(
        path: ["model", "diagram"], summary: "draw a model’s entities and relationships", operands: [ModelInput.operand],
        options: [
            ModelInput.versionOption,
            OptionSpec("output", short: "o", value: "FILE", "write there instead of to standard output; .dot means --format dot"),
            OutputFile.force,
            OptionSpec("format", value: "FORMAT", "svg (default, needs Graphviz: apt-get install graphviz) or dot"),
        ],
        details: ["A box an entity with its attributes; dashed arrows lead to parents, lines are relationships: a pair is one line, and a crow’s "
            + "foot stands at the side of many."],
        examples: ["coredata model diagram Shop.xcdatamodeld -o Shop.svg"])

    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        let input = try ModelInput.load(arguments.operands[0], version: arguments.value("version"))
        let output = arguments.value("output")
        let file = try output.map { try OutputFile($0, arguments, inputs: [arguments.operands[0]], console) }
        let extensions = ["png", "pdf", "jpg", "jpeg", "gif", "webp", "ps", "eps"]
        if arguments.value("format") == nil, let ending = extensions.first(where: { output?.lowercased().hasSuffix("." + $0) == true }) {
            throw UsageError("A diagram is SVG or Graphviz source, not \(ending.uppercased()): name a file .svg or .dot.", spec)
        }
        let byName = output.map { $0.lowercased().hasSuffix(".dot") || $0.lowercased().hasSuffix(".gv") } == true ? "dot" : "svg"
        let format = try arguments.choice("format", among: ["svg", "dot"]) ?? byName
        let dot = DotText.text(of: input.schema, title: input.url.deletingPathExtension().lastPathComponent)
        let text = format == "dot" ? dot : try GraphvizProgram.svg(dot)
        if let output, let file, !(file.isStandardOutput && console.isJSON) {
            try file.write { try $0.write(text) }
            if console.isJSON { try console.print(.object(["path": .string(output), "format": .string(format)])) }
        } else if console.isJSON {
            try console.print(.object(["format": .string(format), "text": .string(text)]))
        } else {
            try console.output.write(text)
        }
        return .done
    }
}

/// Graphviz, if it is installed.
enum GraphvizProgram {
    static func svg(_ dot: String) throws -> String {
        guard let path = find("dot") else {
            throw CommandFailure(.unusable, "Drawing needs Graphviz, which is not installed: sudo apt-get install graphviz. Or say --format dot "
                + "for the drawing’s source.")
        }
        let process = Process(), input = Pipe(), output = Pipe(), errors = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["-Tsvg"]
        (process.standardInput, process.standardOutput, process.standardError) = (input, output, errors)
        try process.run()
        // On a thread of its own: both pipes may be full at once.
        let bytes = Data(dot.utf8), handle = input.fileHandleForWriting
        Thread.detachNewThread {
            try? handle.write(contentsOf: bytes)
            try? handle.close()
        }
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let complaint = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw CommandFailure(.unusable, "Graphviz could not draw the model: \(complaint.trimmingCharacters(in: .whitespacesAndNewlines))")
        }
        return String(decoding: text, as: UTF8.self)
    }

    static func find(_ program: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        return folders.map { "\($0)/\(program)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
