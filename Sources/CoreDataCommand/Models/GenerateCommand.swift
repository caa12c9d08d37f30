import CoreDataCodeGeneration
import Foundation

/// `coredata generate MODEL -o DIR`.
enum GenerateCommand: Command {
    static let spec = CommandSpec(
        path: ["generate"], summary: "write Swift classes for a model’s entities, as the build plugin makes them",
        operands: [ModelInput.operand],
        options: [
            OptionSpec("output", short: "o", value: "DIR", "the folder for the source; it is made if it does not exist"),
            OptionSpec("access", value: "LEVEL", "access level of the classes and members: public (default), package or internal"),
            OptionSpec("single-file", value: "NAME", "all classes into DIR/NAME instead of one file a class"),
        ],
        details: ["Files whose text would stay the same are left alone. Their paths are printed, one a line."],
        examples: ["coredata generate Shop.xcdatamodeld -o Sources/Shop/Generated --access internal"])

    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        let folder = URL(fileURLWithPath: try arguments.required("output"))
        let level = try arguments.choice("access", among: GenerationOptions.Access.allCases.map(\.rawValue)) ?? "public"
        let access = GenerationOptions.Access(rawValue: level) ?? .public
        let name = arguments.value("single-file")
        if let name, name.contains("/") || name.isEmpty {
            throw UsageError("--single-file takes a file name, not a path.", spec)
        }
        do {
            let result = try ModelGeneration.run(URL(fileURLWithPath: arguments.operands[0]), access: access, singleFile: name)
            for warning in result.warnings { try console.errors.line(warning.description) }
            let files = try GeneratedFile.write(result.files, to: folder)
            if console.isJSON {
                try console.print(.array(files.map { .object(["path": .string($0.url.path), "changed": .bool($0.changed)]) }))
            } else {
                for file in files { try console.output.line(file.url.path) }
            }
        } catch let diagnostic as ModelGeneration.Diagnostic {
            throw CommandFailure(.unusable, "\(diagnostic.location): \(diagnostic.message)")
        }
        return .done
    }
}
