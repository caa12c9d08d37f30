import CoreDataCodeGeneration
import Foundation

func report(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

func run() -> Int32 {
    let arguments: Arguments
    do {
        if let managed = try ManagedArguments(Array(CommandLine.arguments.dropFirst())) { return managed.run() }
        guard let parsed = try Arguments(Array(CommandLine.arguments.dropFirst())) else {
            print(Arguments.usage)
            return 0
        }
        arguments = parsed
    } catch {
        report("coredata-generate: error: \(error.text)\n\n\(Arguments.usage)")
        return 2
    }
    do {
        let result = try ModelGeneration.run(arguments.model, arguments.request)
        for warning in result.warnings { report(warning.description) }
        try GeneratedFile.write(result.files, to: arguments.output)
        return 0
    } catch let diagnostic as ModelGeneration.Diagnostic {
        report(diagnostic.description)
    } catch {
        report("\(arguments.output.path): error: The source cannot be written: \((error as NSError).localizedDescription)")
    }
    return 1
}

exit(run())
