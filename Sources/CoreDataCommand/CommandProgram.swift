import CoreDataStorage
import Foundation

/// The program: finds the command, runs it, and turns what goes wrong into words and an exit code.
package enum CommandProgram {
    static let commands: [any Command.Type] = [
        InspectCommand.self, FetchCommand.self, ExplainCommand.self, CheckCommand.self,
        ExportCommand.self, ImportCommand.self, SeedCommand.self,
        ModelShowCommand.self, ModelValidateCommand.self, ModelHashesCommand.self, ModelSchemaCommand.self, ModelDiffCommand.self,
        ModelDiagramCommand.self, GenerateCommand.self, PortCommand.self,
    ]

    /// What `--version` says: the release these sources lead to.
    package static let version = "0.1.0"

    /// `words` without the program's name.
    package static func run(_ words: [String], _ console: Console) -> Int32 {
        var code = ExitCode.done
        // `--json` counts for errors too, even for those of a command line that cannot be read.
        console.isJSON = words.prefix { $0 != "--" }.contains("--json")
        do {
            code = try start(words, console)
            try console.output.flush()
        } catch is OutputClosed {
            code = .done
        } catch {
            code = report(error, console)
        }
        try? console.errors.flush()
        return code.rawValue
    }

    private static func start(_ words: [String], _ console: Console) throws -> ExitCode {
        guard let first = words.first else {
            for line in HelpText.program(commands, console.errorStyles) { try console.note(line) }
            return .usage
        }
        if first == "--version" {
            if words.dropFirst().contains("--json") {
                try console.print(.object(["name": .string("coredata"), "version": .string(version)]))
            } else {
                try console.output.line("coredata \(version) (NLCoreData)")
            }
            return .done
        }
        if first == "--help" || first == "-h" || first == "help" { return try help(Array(words.dropFirst()), console) }
        // “coredata model --help” names a group of commands.
        if words.count == 2, ["--help", "-h"].contains(words[1]) { return try help([first], console) }
        let (command, rest) = try find(words)
        let arguments = try Arguments(rest, for: command.spec)
        if arguments.flag("help") { return try help(command.spec.path, console) }
        console.isJSON = arguments.flag("json")
        return try command.run(arguments, console)
    }

    /// The command with the longest name that the words begin with.
    private static func find(_ words: [String]) throws -> (any Command.Type, ArraySlice<String>) {
        for length in [2, 1] where words.count >= length {
            if let command = commands.first(where: { $0.spec.path == Array(words.prefix(length)) }) {
                return (command, words.dropFirst(length))
            }
        }
        let group = commands.filter { $0.spec.path.count > 1 && $0.spec.path[0] == words[0] }
        if !group.isEmpty {
            let known = group.map { $0.spec.path[1] }
            guard words.count > 1, !words[1].hasPrefix("-") else {
                throw UsageError("“coredata \(words[0])” needs a word more: \(known.joined(separator: ", ")).")
            }
            throw UsageError("There is no command “\(words[0]) \(words[1])”. \(NearestName.advice(words[1], among: known))")
        }
        var known: [String] = []
        for command in commands where !known.contains(command.spec.path[0]) { known.append(command.spec.path[0]) }
        throw UsageError("There is no command “\(words[0])”. \(NearestName.advice(words[0], among: known))")
    }

    private static func help(_ words: [String], _ console: Console) throws -> ExitCode {
        let words = words.filter { !$0.hasPrefix("-") }
        let lines: [String]
        if words.isEmpty {
            lines = HelpText.program(commands, console.styles)
        } else {
            let group = commands.filter { $0.spec.path.count > 1 && words.count == 1 && $0.spec.path[0] == words[0] }
            lines = group.isEmpty ? HelpText.command(try find(words).0.spec, console.styles) : HelpText.program(group, console.styles)
        }
        for line in lines { try console.output.line(line) }
        return .done
    }

    // MARK: Failures

    private static func report(_ error: any Error, _ console: Console) -> ExitCode {
        let code: ExitCode, message: String
        var more: [String] = []
        switch error {
        case let error as UsageError:
            (code, message) = (.usage, error.message)
            more = [error.spec.map { "Usage: \($0.usage)" } ?? "Usage: coredata COMMAND …",
                    error.spec.map { "“coredata \($0.name) --help” tells more." } ?? "“coredata --help” lists the commands."]
        case let failure as CommandFailure: (code, message) = (failure.code, failure.message)
        // What a store cannot answer is a predicate’s or a key’s fault.
        case StoreError.invalidRequest(let text), StoreError.unsupported(let text): (code, message) = (.usage, text)
        case StoreError.sqlite(_, _, let text, _) where text.contains("too many FROM clause terms"):
            (code, message) = (.usage, "The key paths follow more relationships than SQLite can join at once (\(text)). Use fewer of them.")
        default: (code, message) = (.unusable, ErrorText.text(of: error))
        }
        if console.isJSON {
            let value = JSONValue.object(["error": .object(["code": .integer(Int64(code.rawValue)), "message": .string(message)])])
            try? console.errors.line(value.line)
        } else {
            try? console.errors.line("coredata: \(console.errorStyles.red("error:")) \(message)")
            for line in more { try? console.errors.line(line) }
        }
        return code
    }
}
