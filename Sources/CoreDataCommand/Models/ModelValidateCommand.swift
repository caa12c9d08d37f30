import CoreDataModelFile
import CoreDataSchema
import CoreDataStorage
import Foundation

/// `coredata model validate MODEL`.
enum ModelValidateCommand: Command {
    static let spec = CommandSpec(
        path: ["model", "validate"], summary: "list what Xcode would flag in a model, with file and line", operands: [ModelInput.operand],
        options: [ModelInput.versionOption, OptionSpec("errors-only", "leave out warnings")],
        details: [
            "Errors keep a model from being compiled or used: unknown entities, inverses that do not match, names that are reserved, bounds no "
                + "value meets, predicates that are none. Warnings are what Xcode warns of: relationships without inverse, No Action, "
                + "transformables without a secure transformer, and the like.",
            "Exit code 1 when there is an error, or a warning without --errors-only.",
        ])

    static func run(_ arguments: Arguments, _ console: Console) throws -> ExitCode {
        let url = URL(fileURLWithPath: arguments.operands[0]).standardizedFileURL
        var problems: [ModelProblem] = []
        if ModelInput.isStore(url) {
            // A compiled model: what Xcode flags, it flagged before.
            let input = try ModelInput.load(arguments.operands[0], version: arguments.value("version"))
            if !input.isExact { try console.warn(GuessedModel.warning(input.keptObstacle)) }
        } else {
            try ModelInput.refuseOther(url, arguments.operands[0])
            problems = try ModelFile.problems(at: url, version: arguments.value("version"))
        }
        if !problems.contains(where: { $0.severity == .error }) { problems += derivations(arguments) }
        if arguments.flag("errors-only") { problems.removeAll { $0.severity == .warning } }
        if console.isJSON {
            try console.print(.array(problems.map { problem in
                .object([
                    "severity": .string(problem.severity.rawValue), "kind": .string(problem.kind), "path": .string(problem.path),
                    "line": problem.line.map(JSONValue.count), "place": .string(problem.place), "message": .string(problem.message),
                ])
            }))
        } else {
            for problem in problems { try console.output.line(problem.description) }
            let errors = problems.count(where: { $0.severity == .error }), warnings = problems.count - errors
            let text = problems.isEmpty ? console.styles.green("Nothing to flag.")
                : "\(errors) \(errors == 1 ? "error" : "errors"), \(warnings) \(warnings == 1 ? "warning" : "warnings")"
            try console.output.line(text)
        }
        return problems.isEmpty ? .done : .findings
    }

    /// Expressions of derived attributes that no store can keep up.
    private static func derivations(_ arguments: Arguments) -> [ModelProblem] {
        guard let input = try? ModelInput.load(arguments.operands[0], version: arguments.value("version")), let model = try? input.resolved()
        else { return [] }
        return Derivation.failures(in: model).map { failure in
            let line = input.source?.propertyLines[failure.entity]?[failure.property]
            return ModelProblem(
                .error, "badExpression", path: input.source?.path ?? input.url.path, line: line, place: "\(failure.entity).\(failure.property)",
                failure.error.description)
        }
    }
}
